"""docs/test-your-controller.md: every command that it shows is run,
from the built wheel, and ends as it says.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from kueue_conformance.base.resources import schema
from kueue_conformance.subject.drivers.decision import WORDS
from kueue_conformance.subject.drivers.declared_drivers import KINDS, problems

from .checkout import ROOT
from .wheels import PROJECTS, build_wheel

PAGE = (ROOT / "docs/test-your-controller.md").read_text("utf-8")
BLOCK = re.compile(r"<!-- (?P<label>[\w-]+) -->\n```(?P<form>\w+)\n(?P<text>.*?)```", re.DOTALL)
LINE = re.compile(r"^\$ (?P<command>.*?)(?:\s+# ends with (?P<code>\d))?$", re.MULTILINE)


def blocks(label, form):
    return [
        match["text"] for match in BLOCK.finditer(PAGE) if (match["label"], match["form"]) == (label, form)
    ]


def commands(label):
    """Return the commands of the page in order, each with the code that it ends with."""
    return [
        (match["command"], int(match["code"] or 0))
        for text in blocks(label, "console")
        for match in LINE.finditer(text)
    ]


def environment(site):
    """Return an environment in which pip installs into a folder of its own,
    from the disk alone; one scenario is enough.
    """
    own = Path(sys.executable).parent
    return {
        **os.environ,
        "PATH": f"{site / 'bin'}{os.pathsep}{own}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(site),
        "PIP_TARGET": str(site),
        "PIP_NO_INDEX": "1",
        "PIP_NO_DEPS": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "KUEUE_CONFORMANCE_SELECT": "CHK-001",
        "PYTEST_XDIST_AUTO_NUM_WORKERS": "1",
        "NO_COLOR": "1",
        "COLUMNS": "200",
    }


def run(command, cwd, env):
    return subprocess.run(
        ["bash", "-c", command], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.acceptance
@pytest.mark.timeout(600)
def test_every_command_of_the_page_works(tmp_path):
    for name in PROJECTS:
        build_wheel(name, tmp_path / "dist")
    env, folder = environment(tmp_path / "site"), tmp_path

    for command, code in commands("try"):
        if command.startswith("cd "):
            folder = folder / command.removeprefix("cd ")
            continue
        done = run(command, folder, env)
        assert done.returncode == code, f"{command}\n{done.stdout}{done.stderr}"

    where = run("python -c 'import kueue_conformance; print(kueue_conformance.__file__)'", folder, env)
    assert where.stdout.startswith(str(tmp_path / "site"))
    assert (folder / "conformance-report/report.html").exists()


@pytest.mark.acceptance
@pytest.mark.timeout(900)
@pytest.mark.skipif(shutil.which("go") is None, reason="unsupported: needs go, not on this machine")
def test_every_command_of_the_page_works_in_go(tmp_path):
    folder = shutil.copytree(ROOT / "examples/check_controllers/go", tmp_path / "go")

    for command, code in commands("go"):
        done = run(command, folder, {**environment(tmp_path / "site"), "PYTHONPATH": str(ROOT)})
        assert done.returncode == code, f"{command}\n{done.stdout}{done.stderr}"


FRAGMENTS = [
    fragment
    for text in re.findall(r"^```yaml\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    if not {"apiVersion", "expectations"} & set(fragment := yaml.safe_load(text))
]


@pytest.mark.parametrize(
    "fragment", FRAGMENTS, ids=[f"{number}-{'-'.join(fields)}" for number, fields in enumerate(FRAGMENTS)]
)
def test_the_parts_of_a_subject_file_on_the_page_keep_to_its_schema(fragment):
    document = {"apiVersion": "kueue-conformance.dev/v1", "kind": "Subject", **fragment}

    assert [error.message for error in Draft202012Validator(schema("subject")).iter_errors(document)] == []


def test_the_page_takes_less_than_twenty_commands():
    assert 10 < len(commands("try")) < 20


def test_the_drivers_of_the_page_have_no_problem(tmp_path):
    (tmp_path / "manifests").mkdir()
    (tmp_path / "manifests/deny.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: deny}\n")
    (tmp_path / "decide").touch(0o755)
    (text,) = blocks("drivers", "yaml")

    assert list(problems(yaml.safe_load(text)["drivers"], tmp_path)) == []


@pytest.mark.parametrize("word", [*KINDS, *(f"${{{word}}}" for word in WORDS)])
def test_the_page_names_every_driver_and_every_place(word):
    assert f"`{word}" in PAGE


def test_the_output_of_the_smoke_test_is_as_shown():
    from kueue_conformance.cli.wiring.check_controller import CheckControllerWiring

    shown = re.findall(r"^ok +\d/5  (.*)$", blocks("output", "text")[0], re.MULTILINE)
    source = Path(sys.modules[CheckControllerWiring.__module__].__file__).read_text("utf-8")

    assert [text for text in shown if text.replace("example.com/budget", "{name}") not in source] == []


@pytest.mark.parametrize(
    "line",
    [command for command, _ in [*commands("try"), *commands("go")] if command.startswith("kueue-")],
    ids=str,
)
def test_every_command_of_the_page_has_known_options(line):
    from kueue_conformance.cli import cli

    _, name, *words = shlex.split(line)

    assert cli.commands[name].make_context(name, words)
