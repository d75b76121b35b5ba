"""Verdicts and what they rest on: answers of the outside system since quota was reserved (CC-050, CC-052)."""

import pytest

from kueue_conformance.history.story import Question
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

from .stories import AT, MADE, NOW, OURS, change, check, entry, workload

PENDING, READY = entry("a", "Pending"), entry("a", "Ready", NOW)
RETRY, REJECTED = entry("a", "Retry", NOW, message="m"), entry("a", "Rejected", NOW, message="m")
RESERVED = change(
    workload(PENDING, conditions=()), workload(PENDING), actor="kueue", revision=5, after_seconds=-2
)
SINCE, BEFORE = -1.0, -3.0
UPDATES = {"podSetUpdates": [{"name": "main"}]}


def question(state, at=SINCE, *, code=200, name="a", **fields):
    return Question(
        at=AT + at, namespace="", workload="work", check=name, code=code, answer={"state": state, **fields}
    )


CASES = {
    "said so": (READY, [question("Ready")], []),
    "said so after a while": (READY, [question("Pending"), question("Ready")], []),
    "CC-050 said otherwise": (READY, [question("Pending")], ["CC-050"]),
    "CC-050 said so of an older reservation": (READY, [question("Ready", BEFORE), question("Pending")], ["CC-050"]),
    "CC-050 said so of another check": (READY, [question("Ready", name="b")], ["CC-050"]),
    "CC-050 no answer": (READY, [question("Ready", code=500)], ["CC-050"]),
    "does not ask us": (READY, [], []),
    "objected": (RETRY, [question("Ready"), question("Retry")], []),
    "CC-052 no objection": (RETRY, [question("Ready", message="fine")], ["CC-052"]),
    "waited long": (RETRY, [question("Pending")], []),
    "CC-052 waited long, for good": (REJECTED, [question("Pending")], ["CC-052"]),
    "changes of pods that may be wrong": (RETRY, [question("Ready", **UPDATES)], []),
}  # fmt: skip


def broken_rules(verdict, questions, *further_changes):
    story = Story(
        [*MADE, RESERVED, *further_changes, change(workload(PENDING), workload(verdict))],
        [],
        OURS,
        questions=questions,
    )
    return [violation.rule for violation in judge(story, known_dialects()["v0.19"])]


@pytest.mark.parametrize(("verdict", "questions", "rules"), CASES.values(), ids=CASES)
def test_a_verdict_rests_on_what_was_said(verdict, questions, rules):
    assert broken_rules(verdict, questions) == rules


def test_a_check_that_cannot_be_used_is_a_ground_cc_067():
    inactive = {"conditions": [{"type": "Active", "status": "False", "reason": "R"}]}
    turned = change(check("a"), check("a", status=inactive), "AdmissionCheck", "a", "user", revision=6)

    assert broken_rules(RETRY, [question("Ready")], turned) == []
