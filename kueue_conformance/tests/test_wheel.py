"""The contents of the wheels (harness/V-19, V-20): each package is in one of them."""

import tomllib
import zipfile

import pytest

from kueue_conformance.base import resources
from kueue_conformance.cli.languages import LANGUAGES, files_of_example
from kueue_conformance.cli.new_integration import EXAMPLES

from .checkout import ROOT
from .wheels import PROJECTS, build_wheel

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.xdist_group("wheel")]
INSIDE = [
    "reference_impl/runtime/manager.py",
    "kueue_conformance/data/project/subject.yaml.jinja",
    "kueue_conformance/data/pytest.ini",
    "kueue_conformance/data/requirements.yaml",
    "kueue_conformance/examples/check_controllers/python/controller.py",
    "kueue_conformance/facts/admission.md",
    "kueue_conformance/facts/apart.yaml",
    "kueue_conformance/fixtures/rows.txt",
    "kueue_conformance/py.typed",
    "kueue_conformance/schemas/report.json",
    "kueue_conformance/report/templates/report.html",
    "kueue_conformance/suites/__init__.py",
    "kueue_conformance/suites/admission/kep_993/test_transitions.py",
]
ENTRY_POINTS = {
    "fakecluster": [
        "fakecluster = fakecluster.cli:main",
        "fakecluster.pytest_entry = fakecluster.pytest_entry",
    ],
    "kueue-conformance": [
        "kueue-autoscaler = reference_impl.autoscaler.cli:main",
        "kueue-cloud = reference_impl.cloud.cli:main",
        "kueue-conformance = kueue_conformance.program:main",
        "kueue-reference = reference_impl.kueue.cli:main",
        "kueue_conformance.plugin = kueue_conformance.plugin",
    ],
}
PACKAGES = {"fakecluster": {"fakecluster"}, "kueue-conformance": {"kueue_conformance", "reference_impl"}}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    return {name: zipfile.ZipFile(build_wheel(name, folder)) for name in PROJECTS}


@pytest.fixture
def wheel(wheels):
    return wheels["kueue-conformance"]


@pytest.mark.parametrize("name", INSIDE)
def test_file_is_inside(wheel, name):
    assert name in wheel.namelist()


@pytest.mark.parametrize("name", PROJECTS)
def test_every_file_of_its_packages_is_inside(wheels, name):
    suffixes = {".py", ".json", ".jsonl", ".yaml", ".gz", ".html", ".txt", ".ini", ".cel", ".jinja", ".typed"}
    files_of_packages = {
        str(path.relative_to(ROOT))
        for package in PACKAGES[name]
        for path in (ROOT / package).rglob("*")
        if path.suffix in suffixes and not {"tests", "__pycache__"} & set(path.parts)
    }

    assert files_of_packages - set(wheels[name].namelist()) == set()


@pytest.mark.parametrize("name", PROJECTS)
def test_no_file_of_another_package_is_inside(wheels, name):
    packages = {path.partition("/")[0] for path in wheels[name].namelist() if ".dist-info/" not in path}

    assert packages == PACKAGES[name]


def test_the_suite_needs_the_fakecluster_of_this_checkout():
    suite, fakecluster = (
        tomllib.loads((PROJECTS[name] / "pyproject.toml").read_text("utf-8"))["project"]
        for name in ("kueue-conformance", "fakecluster")
    )

    assert f"fakecluster=={fakecluster['version']}" in suite["dependencies"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_init_writes_in_a_language_is_inside(wheel, language):
    folder = f"kueue_conformance/examples/check_controllers/{language}"
    files = {f"{folder}/{path}" for path in ("subject.yaml", *files_of_example(language))}

    assert files - set(wheel.namelist()) == set()


@pytest.mark.parametrize("language", EXAMPLES)
def test_what_init_writes_of_an_integration_is_inside(wheel, language):
    folder = f"kueue_conformance/examples/job_integrations/{language}"
    paths = EXAMPLES[language].files_in(resources.example_integration(language))
    files = {f"{folder}/{path}" for path in ("subject.yaml", *paths)}

    assert files - set(wheel.namelist()) == set()


@pytest.mark.parametrize("name", PROJECTS)
def test_tests_stay_outside(wheels, name):
    inside = tuple(f"{package}/" for package in PACKAGES[name])

    assert [path for path in wheels[name].namelist() if path.startswith(inside) and "/tests/" in path] == []


@pytest.mark.parametrize("name", PROJECTS)
def test_entry_points_are_declared(wheels, name):
    (path,) = (path for path in wheels[name].namelist() if path.endswith("entry_points.txt"))
    text = wheels[name].read(path).decode().replace('"', "")

    assert [line for line in text.splitlines() if " = " in line] == sorted(ENTRY_POINTS[name], key=text.index)
