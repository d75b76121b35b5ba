"""Every failure is told alike: rule, expectation, observation, story, and the command that runs it again."""

from types import SimpleNamespace

import pytest

from kueue_conformance.base.errors import Nonconformance
from kueue_conformance.case.failure_text import CaseDescription, complete, explain
from kueue_conformance.history.fact import Fact
from kueue_conformance.stage.subject.canary import Canary
from kueue_conformance.stage.subject.operating import SubjectReplicas

from ..running.stub import change, context, workload

ABOUT = CaseDescription(
    title="a title",
    level="must",
    rules=("kep-993#x: It is so.",),
    repeat_command="kueue-conformance run CHK-014",
)
STORY = [change(3, after=workload(QuotaReserved=("True", "QuotaReserved")))]
PARTS = (
    "ADM-204  a title  [must]  [v0.19]",
    "\n  rule       kep-993#x: It is so.",
    "\n  expected   ",
    "\n  observed   ",
    "\n  story      rv 3 ",
    "\n  run again  kueue-conformance run CHK-014",
)


def context_of_story():
    return context(changes=STORY, about=ABOUT)


def missing(text):
    return [section for section in PARTS if section not in text]


def test_a_subject_that_has_gone_silent_is_told_as_every_failure(monkeypatch):
    pending = Fact(False, "Ready", "check a: Pending")
    silent = SimpleNamespace(has_states=lambda *_: pending, had_verdict=lambda *_: pending)
    monkeypatch.setattr("kueue_conformance.stage.subject.canary.Workload", lambda *_: silent)
    subject = SimpleNamespace(
        asks=True,
        usual_verdict="Ready",
        outside_system_fails=False,
        canary_check=lambda: "canary",
        set_answers=lambda *_, about: None,
    )
    stage = SimpleNamespace(namespace="ns", names=SimpleNamespace(name=lambda _: "canary"))

    with pytest.raises(Nonconformance) as failed:
        Canary(
            context_of_story(), stage, subject, SimpleNamespace(precheck_for=lambda *_: None)
        ).wait_for_answer()

    assert missing(str(failed.value)) == []
    assert "observed   it has gone silent: check a: Pending" in str(failed.value)


def test_replicas_of_which_none_leads_are_told_as_every_failure():
    with pytest.raises(Nonconformance) as failed:
        SubjectReplicas(context_of_story(), SimpleNamespace(up=(), rbac=None)).leader()

    assert missing(str(failed.value)) == []


def test_what_any_part_of_the_bench_has_found_is_completed_once():
    text = complete(context_of_story(), "nothing comes to rest: it goes on\nand on")

    assert missing(text) == []
    assert ("  observed   nothing comes to rest" in text, "  more       and on" in text) == (True, True)
    assert complete(context_of_story(), text) == text
    explanation = explain(context_of_story(), "a", Fact(False, "one", "other"), "now")
    assert complete(context_of_story(), explanation) == explanation


def test_the_text_says_when_kueue_was_upgraded():
    case = context_of_story()
    case.upgrades.append("0.19.2 to 0.20.7, after rv 12")

    lines = explain(case, "a", Fact(False, "one", "other"), "now").splitlines()

    assert "  upgrade    0.19.2 to 0.20.7, after rv 12" in lines
