"""`report …`, `verify` and `expectations …` on files (harness/H-18, H-28, H-30, H-32)."""

import json

import pytest
import yaml
from click.testing import CliRunner

from kueue_conformance.base.errors import UsageError
from kueue_conformance.cli import cli
from kueue_conformance.report.evidence import Folder, write
from kueue_conformance.report.formats import yaml_file
from kueue_conformance.scenarios.outcome import Outcome

from ..expectations.written import entry
from ..expectations.written import write as write_expectations
from ..reporting.results import FAILED, PASSED, case, report
from ..reporting.stories import KEPT


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command line in a folder with the reports a.yaml (passed) and b.yaml (failed)."""
    monkeypatch.chdir(tmp_path)
    for name, results in (("a", PASSED), ("b", FAILED)):
        (tmp_path / f"{name}.yaml").write_text(yaml_file.render(report(results)))

    def run(*words):
        done = CliRunner().invoke(cli, list(map(str, words)), standalone_mode=False)
        if done.exception is not None:
            raise done.exception
        return done.return_value, done.stdout, done.stderr

    return run


def test_diff(run):
    code, out, _ = run("report", "diff", "a.yaml", "b.yaml")

    environment_text = "control plane reference on fake, control plane reference"
    assert (code, out.splitlines()) == (
        1,
        [
            f"A  a.yaml: {environment_text}",
            f"B  b.yaml: {environment_text}",
            "ADM-012  test_x[v0.19]  presence: not run | error ApiError",
            "ADM-204  test_x[v0.19]  presence: not run | failed ADM-204.b",
            "2 difference(s) in 2 case(s)",
        ],
    )


def test_diff_of_a_report_with_itself(run):
    code, out, _ = run("report", "diff", "b.yaml", "b.yaml", "--format", "json")

    assert (code, json.loads(out)["differences"]) == (0, [])


@pytest.mark.parametrize(("only", "amount"), [("outcomes", 2), ("stories", 0)])
def test_diff_of_one_sort(run, only, amount):
    assert (
        run("report", "diff", "a.yaml", "b.yaml", "--only", only)[1]
        .splitlines()[-1]
        .startswith(f"{amount} difference(s)")
    )


def test_merge(run, tmp_path):
    code, out, _ = run("report", "merge", "a.yaml", "b.yaml", "--out", "c.yaml")

    merged, report_of_b = (yaml.safe_load((tmp_path / name).read_text()) for name in ("c.yaml", "b.yaml"))
    assert (code, out) == (0, "c.yaml\n")
    assert merged["scenarios"] == report_of_b["scenarios"]


@pytest.mark.parametrize(
    ("form", "first"),
    [("md", "# Conformance matrix"), ("html", "<!doctype html>"), ("json", "{")],
    ids=["md", "html", "json"],
)
def test_matrix(run, form, first):
    code, out, _ = run("report", "matrix", "a.yaml", "b.yaml", "--format", form)

    assert (code, out.splitlines()[0]) == (0, first)


def test_badge(run):
    assert json.loads(run("report", "badge", "b.yaml")[1])["message"] == "2 of 4 passed · 1 unsupported"


def with_evidence(tmp_path):
    """Write a report whose one case has a story in which
    rules are broken, and return the file of the story.
    """
    folder = Folder(tmp_path)
    named = folder.write("story.ndjson", write(KEPT))
    folder.close([{"file": named, "scenario": "CHK-010", "test": "test_x[v0.19]", "outcome": "passed"}])
    (tmp_path / "c.yaml").write_text(yaml_file.render(report([case("CHK-010", judged=True, evidence=named)])))
    return tmp_path / named


def test_rejudge(run, tmp_path):
    with_evidence(tmp_path)

    code, out, _ = run("report", "rejudge", "c.yaml", "--out", "d.yaml")

    assert (code, out.splitlines()[-2:]) == (1, ["1 case(s) judged again: 2 new, 0 gone", "d.yaml"])
    assert run("verify", "d.yaml")[0] == 0


def test_rejudge_without_evidence(run):
    with pytest.raises(UsageError, match="names no evidence"):
        run("report", "rejudge", "a.yaml")


def test_verify_finds_evidence_that_was_changed(run, tmp_path):
    with_evidence(tmp_path).write_text("{}")

    assert run("verify", "c.yaml") == (
        1,
        "c.yaml: 1 problem(s)\n",
        "wrong: evidence: evidence/story.ndjson: it is not what the run wrote\n",
    )


def test_verify_of_a_report_without_its_evidence(run, tmp_path):
    with_evidence(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/c.yaml").write_text((tmp_path / "c.yaml").read_text())

    assert run("verify", "elsewhere/c.yaml")[0] == 0


def test_verify_of_a_submission(run):
    code, out, err = run("verify", "--submission", "a.yaml")

    assert (code, out) == (1, "a.yaml: 6 problem(s)\n")
    assert "wrong: README.md: there is none beside the report" in err.splitlines()


def test_a_file_that_cannot_be_written(run):
    with pytest.raises(UsageError, match=r"'nowhere/c\.yaml' cannot be written: No such file or directory"):
        run("report", "merge", "a.yaml", "--out", "nowhere/c.yaml")


def test_expectations_are_made_from_a_report_and_checked(run):
    code, out, _ = run(
        "expectations",
        "update",
        "b.yaml",
        "--file",
        "e.yaml",
        "--reason",
        "slow",
        "--issue",
        "#1",
        "--expires",
        "2099-01-01",
    )

    assert (code, out.splitlines()) == (
        0,
        ["added: ADM-012 ApiError", "added: ADM-204.b", "e.yaml: 2 added, 0 removed, 0 renewed"],
    )
    assert run("expectations", "check", "e.yaml") == (0, "2 entries in 1 file(s), 0 stale\n", "")
    assert (
        run("expectations", "update", "b.yaml", "--file", "e.yaml")[1]
        == "e.yaml: 0 added, 0 removed, 0 renewed\n"
    )


def test_a_dry_run_writes_nothing(run, tmp_path):
    _, out, _ = run(
        "expectations", "update", "b.yaml", "--file", "e.yaml", "--reason", "r", "--issue", "#1", "--dry-run"
    )

    assert [line for line in out.splitlines() if line.startswith("  - id")] == [
        "  - id: ADM-012",
        "  - id: ADM-204",
    ]
    assert not (tmp_path / "e.yaml").exists()


@pytest.mark.parametrize(
    ("options", "missing"), [([], "reason"), (["--reason", "r"], "issue")], ids=["reason", "issue"]
)
def test_new_failures_need_a_reason_and_an_issue(run, options, missing):
    with pytest.raises(UsageError, match=f"the report has new failures, and their {missing} is missing"):
        run("expectations", "update", "b.yaml", "--file", "e.yaml", *options)


def test_stale_entries_are_found(run, tmp_path):
    write_expectations(tmp_path / "e.yaml", entry("CHK-999"), entry("CHK-010", expires="2020-01-01"))

    code, out, err = run("expectations", "check", "e.yaml")

    assert (code, out) == (1, "2 entries in 1 file(s), 2 stale\n")
    assert [line.partition(": ")[0] for line in err.splitlines()] == ["e.yaml:4", "e.yaml:5"]


def test_what_came_of_an_unexpected_pass_leaves_the_file(run, tmp_path):
    write_expectations(tmp_path / "e.yaml", entry("ADM-200"))
    (tmp_path / "c.yaml").write_text(yaml_file.render(report([case(outcome=Outcome.XPASSED)])))

    assert (
        run("expectations", "update", "c.yaml", "--file", "e.yaml")[1].splitlines()[0] == "removed: ADM-200"
    )
