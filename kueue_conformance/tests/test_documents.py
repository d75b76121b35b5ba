"""What the documents show works: snippets, commands, links."""

import re
import shlex
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from kueue_conformance.catalogue import index
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.cli import cli

from .checkout import ROOT, block, commands, files, path_as_id
from .command_line.processes import run

OF_THE_READER = {"test_first.py", "test_conformance.py", "report.yaml", "explored/0001_test.py"}
DOCUMENTS = [path for path in files() if path.suffix == ".md"]
README = (ROOT / "README.md").read_text("utf-8")
TARGETS = set(re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
MODULE = re.compile(r"`([\w/]+\.(?:py|yaml|txt))`")
LINK = re.compile(r"\]\((?!https?://)([^)#]+)")
CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)")
"""Between backticks nothing is a link."""


@pytest.mark.slow
def test_first_scenario_passes(tmp_path):
    (tmp_path / "test_first.py").write_text(block("README.md", "test: test_first.py"), "utf-8")

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_first.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


def test_first_scenario_is_short():
    assert len(block("README.md", "test: test_first.py").splitlines()) <= 20


def test_cluster_in_ten_lines_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    exec(block("README.md", "run"), {})

    assert capsys.readouterr().out.splitlines() == ["5", "create"]


def test_scenario_of_the_guide_is_that_of_the_suite():
    namespace = {}

    exec(block("CONTRIBUTING.md", "scenario"), namespace)
    (mark,) = namespace["test_admitted_without_checks"].pytestmark

    assert mark.args[0] == inventory()["ADM-206"]


@pytest.mark.parametrize(
    "line", commands(".venv/bin/kueue-conformance list", ".venv/bin/kueue-conformance explain"), ids=str
)
def test_shown_command_works(line):
    _, *words = shlex.split(line)

    done = CliRunner().invoke(cli, words, standalone_mode=False)

    assert (done.exception, bool(done.output)) == (None, True)


@pytest.mark.parametrize(
    "line", commands(*(f".venv/bin/kueue-conformance {name}" for name in ("run", "smoke", "init"))), ids=str
)
def test_shown_run_has_known_options(line):
    _, name, *words = shlex.split(line)

    assert cli.commands[name].make_context(name, words)


@pytest.mark.parametrize(
    "line", [line for line in commands("kueue-conformance ") if "|" not in line and "&&" not in line], ids=str
)
def test_shown_command_of_an_installed_suite_has_known_options(line):
    words, command = shlex.split(line.partition("  #")[0])[1:], cli

    while isinstance(command, click.Group) and not words[0].startswith("-"):
        name, *words = words
        command = command.commands[name]

    assert command.make_context(line, words)


@pytest.mark.slow
def test_the_failure_of_the_readme_is_seen_again(tmp_path):
    shown = re.search(r"^CHK-.*?run again  kueue-conformance (.*?)$", README, re.MULTILINE | re.DOTALL)
    *words, report_dir = shlex.split(shown[1].replace(".venv/bin/python", sys.executable))

    done = run(*words, "-n0", "--report-dir", tmp_path, cwd=ROOT)

    assert report_dir == "--report-dir=conformance-report/again"

    assert done.code == 1, done.whole
    *story, _ = failure_lines(shown[0])
    assert [line for line in story if line not in failure_lines(done.out)] == [], done.whole


@pytest.mark.slow
def test_the_run_of_the_readme_is_seen_again(tmp_path):
    shown = re.search(
        r"^\$ .venv/bin/kueue-conformance (run 'ADM.*?)$(.*?)^report: ", README, re.MULTILINE | re.DOTALL
    )

    done = run(*shlex.split(shown[1]), "--report-dir", tmp_path, cwd=ROOT)

    assert done.code == 0, done.whole
    figures = re.findall(r"\[\d+ cases\]|\d+ cases: \d+ passed  \(\d+ scenarios: \d+ passed\)", shown[2])
    assert len(figures) == 2
    assert [figure for figure in figures if figure not in done.out] == []


def failure_lines(text):
    """Return the lines of a failure without what differs from run to run: revisions, and pytest's margin."""
    return {
        re.sub(r"^(E +)?(\S+Nonconformance: )?| *rv \d+ +", "", line).strip(): None
        for line in text.splitlines()
        if line.strip()
    }


@pytest.mark.parametrize("line", commands("make "), ids=str)
def test_shown_target_exists(line):
    assert shlex.split(line)[1] in TARGETS


@pytest.mark.parametrize("path", DOCUMENTS, ids=path_as_id)
def test_links_lead_somewhere(path):
    links = LINK.findall(CODE.sub("", path.read_text("utf-8")))

    assert [link for link in links if not (path.parent / link).exists()] == []


@pytest.mark.parametrize("path", [path for path in DOCUMENTS if path.parent.name != "facts"], ids=path_as_id)
def test_modules_that_are_named_exist(path):
    shown = set(MODULE.findall(path.read_text("utf-8"))) - OF_THE_READER
    known_paths = [f"/{path_as_id(file)}" for file in files()]

    assert [
        name for name in shown if not any(known_path.endswith(f"/{name}") for known_path in known_paths)
    ] == []


def test_index_of_scenarios_is_fresh():
    shown = (ROOT / "suites/README.md").read_text("utf-8")

    assert shown.splitlines() == list(index.lines()), (
        "run: python -m kueue_conformance.catalogue.index > suites/README.md"
    )
