"""What is run again: the command that works, what failed last time, and no report that is lost over it."""

import shlex
from html import unescape

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.case.failure_text import run_again
from kueue_conformance.case.judgement import Judgement
from kueue_conformance.cli.run_command import AGAIN, alone, failures_of_last_run
from kueue_conformance.options import read
from kueue_conformance.report.formats import yaml_file
from kueue_conformance.report.page import html
from kueue_conformance.report.page.lanes import draw
from kueue_conformance.report.story.timeline import timeline
from kueue_conformance.rules import Story, Violation
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.scenarios.outcome import Level, Outcome

from ..command_line.processes import run as run_process
from ..reporting.results import FAILED, case, report
from ..running.stub import change, context


def test_the_page_says_the_command_that_works():
    options = {
        "subject": "process:./my controller",
        "controller-name": "acme.io/budget",
        "strict": "1",
        "timeout-scale": "2",
    }
    failed_report = report([case("CHK-014", outcome=Outcome.FAILED, text="no")], **options)

    command_line = shlex.join(
        [
            "kueue-conformance",
            "run",
            "CHK-014",
            "--dialect=v0.19",
            "--seed=5",
            "--subject=process:./my controller",
            "--controller-name=acme.io/budget",
            "--strict",
            "--timeout-scale=2",
            "--report-dir=conformance-report/again",
        ]
    )
    assert command_line in unescape(html.render(failed_report))


@pytest.mark.parametrize(
    ("report_dir", "folder"),
    [
        pytest.param("", "conformance-report/again", id="no report"),
        pytest.param("mine", "mine/again", id="a folder"),
        pytest.param("mine/again", "mine/again", id="run again already"),
        pytest.param("mine/last-failed", "mine/last-failed/again", id="of --last-failed"),
    ],
)
def test_the_command_writes_to_a_report_folder_of_its_own(report_dir, folder):
    settings = read({"report-dir": report_dir} if report_dir else {}, seed=5)
    command_line = run_again("ADM-206", known_dialects()["v0.19"], settings)

    assert shlex.split(command_line)[-1] == f"--report-dir={folder}"


NOT_JUDGED = {
    "a check controller without one": (
        ["CHK-014"],
        "CHK-014 judges a check controller, and no subject is given\n  hint: add --subject-file subject.yaml",
    ),
    "another profile": (
        ["QUE-001"],
        "QUE-001 is of profile QUEUEING, and the run judges ADMISSION\n  hint: add --profile QUEUEING",
    ),
    "another profile of check controllers": (
        ["UPC-001", "--subject", "reference"],
        "UPC-001 is of profile UPGRADE-CHECK-CONTROLLER, and the run judges CHECK-CONTROLLER\n  hint: add --profile UPGRADE-CHECK-CONTROLLER",
    ),
    "a control plane with a subject": (
        ["ADM-206", "--subject", "reference"],
        "ADM-206 is of profile ADMISSION, and the run judges CHECK-CONTROLLER\n  hint: add --profile ADMISSION and leave the subject out",
    ),
}


@pytest.mark.parametrize(("words", "message"), NOT_JUDGED.values(), ids=NOT_JUDGED)
def test_a_scenario_that_is_not_judged_is_told_so(tmp_path, words, message):
    done = run_process("run", *words, cwd=tmp_path)

    assert (done.code, message in done.err) == (4, True), done.whole


def write_report(folder, results):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.yaml").write_text(yaml_file.render(report(results)))


def test_what_passes_since_is_not_run_again(tmp_path):
    write_report(tmp_path, FAILED)
    assert failures_of_last_run(tmp_path) == ("ADM-012", "ADM-204")
    write_report(tmp_path / AGAIN, [case("ADM-204"), case("ADM-012", outcome=Outcome.FAILED, text="still")])

    assert failures_of_last_run(tmp_path) == ("ADM-012",)


@pytest.mark.slow
def test_the_whole_report_stays_when_what_failed_is_run_again(tmp_path):
    write_report(
        tmp_path / "conformance-report", [case("ADM-206", outcome=Outcome.FAILED, text="no"), case("ADM-200")]
    )
    before = (tmp_path / "conformance-report/report.yaml").read_text()
    done = run_process("run", "--last-failed", "-n", "0", cwd=tmp_path)

    assert (done.code, (tmp_path / "conformance-report/report.yaml").read_text() == before) == (0, True)
    assert "ADM-206" in (tmp_path / "conformance-report" / AGAIN / "report.yaml").read_text()


@pytest.mark.slow
def test_the_whole_report_stays_after_the_printed_command(tmp_path):
    words = ("run", "ADM-206", "--control-plane=scripted", "-n", "0", "--seed", "5")
    failed = run_process(*words, cwd=tmp_path)
    line = next(line for line in failed.out.splitlines() if line.startswith("  run again  "))
    before = (tmp_path / "conformance-report/report.yaml").read_text()
    again = run_process(*shlex.split(line)[3:], "-n", "0", cwd=tmp_path)

    assert (failed.code, again.code) == (1, 1), again.whole
    assert (tmp_path / "conformance-report/report.yaml").read_text() == before
    assert "ADM-206" in (tmp_path / "conformance-report/again/report.yaml").read_text()


def test_two_runs_do_not_write_to_one_folder(tmp_path):
    with (
        alone(tmp_path),
        pytest.raises(UsageError, match="another run writes its reports to"),
        alone(tmp_path),
    ):
        pass
    with alone(tmp_path):
        pass


@pytest.mark.slow
def test_a_run_without_a_report_leaves_no_folder_and_is_in_nobodys_way(tmp_path):
    words = ("run", "ADM-201", "--report-dir", "", "-n", "0")
    (tmp_path / "other").mkdir()

    alone_there = run_process(*words, cwd=tmp_path / "other")
    with alone(tmp_path / "conformance-report"):
        beside_another = run_process(*words, cwd=tmp_path)

    assert (alone_there.code, beside_another.code) == (0, 0), beside_another.whole
    assert list((tmp_path / "other").iterdir()) == []


STORY = Story(
    changes=[change(3, actor="subject", at=1.0), change(4, actor="subject", at=2.0)],
    controller="x",
    attempts=[],
)
BREACHES = (
    Violation("F-07.5", Level.MAY, "Workload work", 3, "no name", "says who it is", 1.0),
    Violation("CC-036", Level.SHOULD, "Workload work", 3, "no text", "explains", 1.0),
    Violation("CC-020", Level.MUST, "Workload work", 4, "too early", "waits", 2.0),
)


@pytest.mark.parametrize(
    ("broken", "strict", "first"),
    [
        pytest.param(BREACHES, False, ["CC-020"], id="must"),
        pytest.param(BREACHES, True, ["CC-036"], id="should with --strict"),
        pytest.param(BREACHES[:2], False, None, id="nothing that binds"),
    ],
)
def test_only_a_rule_that_binds_makes_the_first_wrong_write(broken, strict, first):
    story_lines = timeline(context(), Judgement(story=STORY, broken=broken), strict=strict)

    assert next((list(mark.broke) for mark in draw(story_lines).marks if mark.broke), None) == first
