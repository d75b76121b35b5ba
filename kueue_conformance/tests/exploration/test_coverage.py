"""What an exploration has seen, and what not and why: counted, printed, and on a page."""

import re
from collections import Counter
from contextlib import contextmanager
from dataclasses import replace

import pytest

from kueue_conformance.base.errors import EnvironmentProblem
from kueue_conformance.cli.exploration_run import ExploreOptions, Limit, explore_until
from kueue_conformance.exploration.check_controllers import perturbations as kinds
from kueue_conformance.exploration.check_controllers.acts import Act, Verb
from kueue_conformance.exploration.check_controllers.coverage_vocabulary import vocabulary_of
from kueue_conformance.exploration.check_controllers.drawing_limits import DrawingLimits
from kueue_conformance.exploration.check_controllers.story import Story
from kueue_conformance.exploration.coverage import (
    NOT_DECLARED,
    NOT_DRAWN,
    NOT_MET,
    Coverage,
    sections,
    unseen,
)
from kueue_conformance.exploration.exploration import ExploredProgram
from kueue_conformance.exploration.findings import Identity
from kueue_conformance.exploration.interruptions import KINDS
from kueue_conformance.exploration.job_integrations.job_states import JOB
from kueue_conformance.exploration.perturbation import Perturbation
from kueue_conformance.exploration.state_changes import StateChanges, entries_of_checks, state_changes
from kueue_conformance.exploration.story import RunResult
from kueue_conformance.history.story import SUBJECT, Change
from kueue_conformance.report.page.coverage import render_coverage
from kueue_conformance.states import ENTRY, WORKLOAD, Machine

STORY = Story(acts=tuple(map(Act.of, ["submit w1", "decide w1 Retry", "settle"])), workloads=1)
VOCABULARY = vocabulary_of(
    DrawingLimits(states=["Ready", "Retry"], verbs=frozenset(Verb) - {Verb.BREAK_CHECK}),
    dict.fromkeys(kinds.OF_WORK, "no outside work is shown"),
)


def workload(state, *conditions):
    return {
        "spec": {},
        "status": {
            "admissionChecks": [{"name": "own", "state": state}, {"name": "foreign", "state": "Rejected"}],
            "conditions": [{"type": name, "status": "True", "reason": reason} for name, reason in conditions],
        },
    }


def change(actor, before, after):
    return Change(
        revision=1,
        at=0.0,
        actor=actor,
        verb="update",
        kind="Workload",
        namespace="n",
        name="w",
        before=before,
        after=after,
    )


RESERVED = ("QuotaReserved", "QuotaReserved")
CHANGES = [
    change("kueue-conformance", None, {"spec": {}}),
    change("kueue-conformance", {"spec": {}}, workload("Pending", RESERVED)),
    change(SUBJECT, workload("Pending", RESERVED), workload("Retry", RESERVED)),
    change("kueue-conformance", workload("Retry", RESERVED), None),
]
SHOWN = state_changes(CHANGES, lambda actor: actor == SUBJECT, (entries_of_checks({"own"}),))


def coverage(*runs):
    counted = Coverage(stories=1)
    for perturbation, result in runs:
        counted.count(STORY, perturbation, result)
    return counted


SOME = coverage(
    (None, RunResult(changes_of_state=SHOWN)),
    (Perturbation(kinds.CONFLICT, 2), RunResult(changes_of_state=SHOWN)),
    (Perturbation(kinds.THROTTLED, 2), RunResult(was_met=False)),
)


def test_changes_of_state_are_counted_by_who_wrote_them():
    assert SHOWN.states == {
        (ENTRY.name, "none", "Pending", False): 1,
        (ENTRY.name, "Pending", "Retry", True): 1,
    }


def test_a_reason_is_counted_when_it_is_new():
    assert SHOWN.reasons == {("Workload", "QuotaReserved", "True", "QuotaReserved"): 1}


def test_states_of_workloads_are_told_as_well():
    steps = state_changes(CHANGES, lambda actor: False).states

    assert steps[WORKLOAD.name, "none", "Suspended", False] == 1
    assert steps[WORKLOAD.name, "Suspended", "Prechecked", False] == 1


def test_pairs_of_act_and_perturbation_are_counted_where_it_was_met():
    assert SOME.pairs == {("decide", "write-refused-409"): 1}
    assert SOME.unmet_pairs == {("decide", "write-refused-429"): 1}
    assert (SOME.perturbations["write-refused-409"], SOME.unmet["write-refused-429"]) == (1, 1)


@pytest.mark.parametrize(
    ("name", "reason", "why"),
    [
        ("decide Rejected", NOT_DECLARED, "the subject file does not declare"),
        ("break-check Missing", NOT_DECLARED, "the subject file does not declare"),
        ("evict Preempted", NOT_DRAWN, ""),
        ("work-refused-500", NOT_DECLARED, "no outside work is shown"),
        ("write-refused-429", NOT_MET, "drawn 1 time(s), and met no request"),
        ("watches-cut", NOT_DRAWN, ""),
        ("Pending → Rejected", NOT_DECLARED, "decide Rejected: the subject file"),
        ("Pending → Ready", NOT_DRAWN, "needs decide Ready"),
        ("Ready → Retry", NOT_MET, "decide Retry drawn 3 time(s)"),
    ],
)
def test_what_was_never_seen_says_why(name, reason, why):
    row = next(row for row in unseen(SOME, VOCABULARY) if row.name == name)

    assert row.reason == reason
    assert row.why.startswith(why)


def test_what_was_seen_is_not_among_what_was_not():
    names = {row.name for row in unseen(SOME, VOCABULARY)}

    assert not names & {"submit", "decide Retry", "write-refused-409", "Pending → Retry", "none → Pending"}


def test_the_summary_says_how_many_of_how_many_and_how_often():
    rows = {section.name: section for section in sections(SOME, VOCABULARY)}

    assert (rows["acts"].covered, rows["acts"].total, rows["acts"].times) == (3, len(VOCABULARY.acts), 9)
    assert (rows["perturbations"].covered, rows["perturbations"].total) == (1, len(kinds.KINDS))
    assert (rows["states of check"].covered, rows["states of check"].times) == (2, 4)
    assert rows["reasons of conditions"].times == 2


def test_two_processes_count_together():
    both = coverage((Perturbation(kinds.CONFLICT, 1), RunResult(changes_of_state=SHOWN)))
    both.add(SOME)

    assert (both.stories, both.runs) == (2, 4)
    assert both.times(ENTRY, "Pending", "Retry") == (3, 3)
    assert both.pairs == {("submit", "write-refused-409"): 1, ("decide", "write-refused-409"): 1}
    assert both.perturbations == {"write-refused-409": 2}


def test_the_page_has_tables_and_drawings():
    page = render_coverage(SOME, VOCABULARY)

    assert "1 stories, 3 runs" in page
    assert "check: 2 of 15 changes of state seen" in page
    assert page.count('class="taken"') == 2
    assert re.search(r"<tr><th scope=.row.>decide</th>.*<td>0 of 1</td>.*<td>–</td>", page)
    assert "drawn 1 time(s), and met no request" in page
    assert "src=" not in page, "it needs no network"


def test_a_change_of_state_that_is_not_permitted_is_a_row():
    wrong = Coverage(changes=StateChanges(Counter({(ENTRY.name, "Rejected", "Ready", True): 2})))

    page = render_coverage(wrong, VOCABULARY)

    row = "<tr><td>Rejected</td><td>Ready</td><td class=.number.>2</td><td class=.number.>2</td></tr>"
    assert re.search(row, page)


def test_without_perturbations_there_is_no_matrix():
    assert "Acts and perturbations" not in render_coverage(SOME, replace(VOCABULARY, kinds=()))


@pytest.mark.parametrize("machine", [JOB, WORKLOAD, ENTRY], ids=lambda machine: machine.name)
def test_every_permitted_change_leads_between_states(machine):
    assert isinstance(machine, Machine)
    assert {state for step in machine.transitions for state in (step.start, step.end)} == {*machine.states}


def explore(folder):
    @contextmanager
    def start(_):
        yield ExploredProgram(
            run=lambda *_, **__: RunResult(changes_of_state=SHOWN),
            draw=lambda _: STORY,
            plan=lambda *_: (),
            identity=Identity(dialect="v0.20"),
            vocabulary=replace(VOCABULARY, kinds=KINDS),
        )

    return explore_until(start, ExploreOptions(limit=Limit(0, 2), out=folder, tries=30), seed=1)


def test_an_exploration_ends_with_a_table_and_a_page(tmp_path, capsys):
    code = explore(tmp_path)

    out = capsys.readouterr().out
    assert code == 0
    assert re.search(r"states of check +2 +15 +4\n", out)
    assert re.search(r"never seen: \d+ drawn and not met, \d+ not drawn, \d+ not possible", out)
    assert f"page       {tmp_path}/coverage.html" in out
    assert "Coverage of an exploration" in (tmp_path / "coverage.html").read_text("utf-8")


def test_a_page_that_cannot_be_written_is_said(tmp_path, capsys, monkeypatch):
    def refuse(*_):
        raise EnvironmentProblem("'coverage.html' cannot be written: No space left on device", hint="")

    monkeypatch.setattr("kueue_conformance.cli.exploration_run.save", refuse)

    code = explore(tmp_path)

    assert code == 3
    assert "the page of coverage is not in a file" in capsys.readouterr().err
