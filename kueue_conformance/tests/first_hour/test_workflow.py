"""The workflow that `init` writes: it installs what is installed here, and each step means what it says,
whatever came before.
"""

import json
import subprocess
import sys
from types import SimpleNamespace

import pytest
import yaml
from click.testing import CliRunner

from kueue_conformance.cli import cli
from kueue_conformance.programs.installation import is_here_only, requirement, requirements

from .controllers import EXAMPLE

INSTALLED = {
    "a release": (None, "kueue-conformance==1.2.3"),
    "a commit": (
        {
            "url": "https://x.org/k.git",
            "vcs_info": {"vcs": "git", "commit_id": "abc", "requested_revision": "main"},
        },
        "kueue-conformance @ git+https://x.org/k.git@abc",
    ),
    "a folder of a commit": (
        {
            "url": "https://x.org/k.git",
            "vcs_info": {"vcs": "git", "commit_id": "abc"},
            "subdirectory": "fakecluster",
        },
        "kueue-conformance @ git+https://x.org/k.git@abc#subdirectory=fakecluster",
    ),
    "an address": (
        {"url": "https://x.org/k.whl", "archive_info": {}},
        "kueue-conformance @ https://x.org/k.whl",
    ),
    "a file": ({"url": "file:///tmp/dist/k.whl", "archive_info": {}}, "/tmp/dist/k.whl"),
}


@pytest.mark.parametrize(("direct_url", "expected"), INSTALLED.values(), ids=INSTALLED)
def test_what_is_installed_is_named_as_it_was_installed(direct_url, expected):
    distribution = SimpleNamespace(
        version="1.2.3",
        metadata={"Name": "kueue-conformance"},
        read_text=lambda _: json.dumps(direct_url) if direct_url else None,
    )

    assert (requirement(distribution), is_here_only(expected)) == (expected, expected.startswith("/"))


@pytest.mark.parametrize(
    ("of_fakecluster", "expected"),
    [("fakecluster==0.2.0", ("suite",)), ("/here/f.whl", ("/here/f.whl", "suite"))],
    ids=["from an index", "from a file"],
)
def test_fakecluster_is_named_where_no_index_has_it(monkeypatch, of_fakecluster, expected):
    answers = {"fakecluster": of_fakecluster, "kueue-conformance": "suite"}
    monkeypatch.setattr("kueue_conformance.programs.installation.distribution", lambda name: name)
    monkeypatch.setattr("kueue_conformance.programs.installation.requirement", answers.__getitem__)

    assert requirements() == expected


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Write a project, and return what `init` said and the steps of its workflow."""

    def project(*words):
        monkeypatch.chdir(tmp_path)
        done = CliRunner().invoke(cli, ["init", *words], standalone_mode=False)
        workflow = yaml.safe_load((tmp_path / ".github/workflows/conformance.yml").read_text())
        return done.output, workflow["jobs"]["conformance"]["steps"]

    return project


def test_the_workflow_installs_what_wrote_it(project, monkeypatch):
    monkeypatch.setattr(
        "kueue_conformance.cli.init_command.requirements", lambda: ("/here/f.whl", "/here/k.whl")
    )
    output, steps = project()

    assert "python -m pip install /here/f.whl /here/k.whl" in [step.get("run") for step in steps]
    assert "installs /here/f.whl and /here/k.whl, on this machine alone: copy what is named" in output


def runs(steps, outcomes, *, report):
    """Return the names of the steps that run, by GitHub's rules, when steps before end so."""
    steps_run, failed = [], False
    for step in steps:
        condition = step.get("if", "success()").removeprefix("${{").removesuffix("}}")
        words = {
            "!cancelled()": "True",
            "always()": "True",
            "success()": str(not failed),
            "&&": "and",
            "hashFiles('conformance-report/report.yaml')": repr("x" if report else ""),
            **{f"steps.{name}.outcome": repr(outcomes.get(name, "skipped")) for name in ("wired", "judged")},
        }
        for word, value in words.items():
            condition = condition.replace(word, value)
        if eval(condition.strip()):
            steps_run.append(step.get("name", step.get("uses")))
            failed = failed or outcomes.get(step.get("id", ""), "success") == "failure"
    return steps_run[2:]


INSTALL, WIRED, JUDGED = "Install kueue-conformance", "Is the controller wired", "Judge the controller"
OWN = "Run scenarios of our own, also when the controller was judged wrong"
SHOWN, KEPT = "Show what was found beside the change and on the page of the run", "Keep the report"
WAYS = {
    "all is well": ({"wired": "success", "judged": "success"}, True, [INSTALL, WIRED, JUDGED, OWN, SHOWN, KEPT]),
    "it is not wired": ({"wired": "failure"}, False, [INSTALL, WIRED]),
    "it is judged wrong": ({"wired": "success", "judged": "failure"}, True, [INSTALL, WIRED, JUDGED, OWN, SHOWN, KEPT]),
    "it was not judged to an end": ({"wired": "success", "judged": "failure"}, False, [INSTALL, WIRED, JUDGED, OWN, KEPT]),
}  # fmt: skip


@pytest.mark.parametrize(("outcomes", "report", "expected"), WAYS.values(), ids=WAYS)
def test_each_step_runs_when_it_means_something(project, outcomes, report, expected):
    assert runs(project()[1], outcomes, report=report) == expected


@pytest.mark.slow
def test_the_steps_run_as_they_stand(project, tmp_path):
    _, steps = project("--example")
    (tmp_path / "controller.py").write_text(
        (EXAMPLE / "controller.py").read_text().replace('is_true(workload, "Evicted")', "False")
    )
    judge = next(step["run"] for step in steps if step.get("id") == "judged")
    show = next(step["run"] for step in steps if step.get("name") == SHOWN)
    path = f"{sys.prefix}/bin"
    script = f"export PATH={path}:$PATH GITHUB_STEP_SUMMARY=page.md\n{judge.replace(' run ', ' run CHK-014 -n 0 ')}\n{show}"

    done = subprocess.run(
        ["sh", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=110
    )

    assert "::error title=CHK-014%3A " in done.stdout, done.stdout + done.stderr
    assert "# Kueue conformance" in (tmp_path / "page.md").read_text()
