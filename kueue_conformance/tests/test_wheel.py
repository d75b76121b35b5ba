"""The contents of the wheel (harness/V-19, V-20)."""

import subprocess
import sys
import zipfile

import pytest

from kueue_conformance.cli.languages import LANGUAGES, files_of_example

from .checkout import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.xdist_group("wheel")]
INSIDE = [
    "fakecluster/cluster/fake_cluster.py",
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
ENTRY_POINTS = [
    "fakecluster = fakecluster.cli:main",
    "fakecluster.pytest_entry = fakecluster.pytest_entry",
    "kueue-autoscaler = reference_impl.autoscaler.cli:main",
    "kueue-cloud = reference_impl.cloud.cli:main",
    "kueue-conformance = kueue_conformance.program:main",
    "kueue-reference = reference_impl.kueue.cli:main",
    "kueue_conformance.plugin = kueue_conformance.plugin",
]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    with zipfile.ZipFile(built) as archive:
        yield archive


@pytest.mark.parametrize("name", INSIDE)
def test_file_is_inside(wheel, name):
    assert name in wheel.namelist()


def test_every_data_file_is_inside(wheel):
    data_suffixes = {".json", ".yaml", ".gz", ".html", ".txt", ".ini", ".cel", ".jinja"}
    packages = ("fakecluster", "reference_impl", "kueue_conformance")
    data = {
        str(path.relative_to(ROOT))
        for package in packages
        for path in (ROOT / package).rglob("*")
        if path.suffix in data_suffixes and not {"tests", "__pycache__"} & set(path.parts)
    }

    assert data - set(wheel.namelist()) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_init_writes_in_a_language_is_inside(wheel, language):
    folder = f"kueue_conformance/examples/check_controllers/{language}"
    files = {f"{folder}/{path}" for path in ("subject.yaml", *files_of_example(language))}

    assert files - set(wheel.namelist()) == set()


def test_tests_stay_outside(wheel):
    packages = ("fakecluster/", "reference_impl/", "kueue_conformance/")

    assert [name for name in wheel.namelist() if name.startswith(packages) and "/tests/" in name] == []


def test_entry_points_are_declared(wheel):
    (name,) = (name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    text = wheel.read(name).decode().replace('"', "")

    assert [line for line in text.splitlines() if " = " in line] == sorted(ENTRY_POINTS, key=text.index)
