"""A canary shows how soon a subject looks again, not how soon it sees what is new (design.md §6)."""

from types import SimpleNamespace

import pytest

from kueue_conformance.base.errors import Nonconformance, UnmetPremise
from kueue_conformance.stage.subject.canary import Canary

from .stub import context


@pytest.fixture
def steps(monkeypatch):
    """The steps around one canary, in order."""
    answered = SimpleNamespace(had_verdict=lambda *_: True)
    monkeypatch.setattr("kueue_conformance.stage.subject.canary.Workload", lambda *_: answered)
    return []


def sing(steps, *, asks, open_):
    subject = SimpleNamespace(
        asks=asks,
        can_be_left_open=open_,
        canary_check=lambda: "canary",
        usual_verdict="Ready",
        outside_system_fails=False,
        set_answer=lambda state, about: steps.append(state),
        set_answers=lambda *states, about: steps.append(" then ".join(states)),
    )
    stage = SimpleNamespace(namespace="ns", names=SimpleNamespace(name=lambda _: "canary"))
    kueue = SimpleNamespace(precheck_for=lambda *_: steps.append("taken in"))
    case_context = context()
    case_context.cluster.rest = lambda *_: steps.append("a while")
    Canary(case_context, stage, subject, kueue).wait_for_answer()
    return steps


@pytest.mark.parametrize(
    ("asks", "open_", "expected"),
    [
        pytest.param(True, True, ["Pending then Ready", "taken in"], id="its questions are seen"),
        pytest.param(False, True, ["Pending", "taken in", "a while", "Ready"] * 2, id="it can be left open"),
        pytest.param(False, False, ["Ready", "taken in"] * 2, id="it cannot"),
    ],
)
def test_a_verdict_comes_only_after_the_first_look_where_that_can_be(steps, asks, open_, expected):
    assert sing(steps, asks=asks, open_=open_) == expected


def test_a_subject_that_was_ended_is_not_asked_whether_it_has_seen_everything():
    stopped_context = SimpleNamespace(subject=SimpleNamespace(up=()))

    assert Canary(stopped_context, stage=None, subject=None, kueue=None).wait_for_answer() == 0.0


@pytest.mark.parametrize(
    ("too_short", "error"),
    [
        pytest.param(False, Nonconformance, id="it had its time"),
        pytest.param(True, UnmetPremise, id="the machine had other work"),
    ],
)
def test_a_silent_canary_of_a_busy_machine_decides_nothing(monkeypatch, too_short, error):
    silent = SimpleNamespace(
        had_verdict=lambda *_: False, has_states=lambda *_: SimpleNamespace(observed="entry is Pending")
    )
    monkeypatch.setattr("kueue_conformance.stage.subject.canary.Workload", lambda *_: silent)
    monkeypatch.setattr("kueue_conformance.stage.subject.canary.explain", lambda *_: "silent")
    monkeypatch.setattr("kueue_conformance.tests.running.stub.StubCluster.was_wait_too_short", too_short)

    with pytest.raises(error):
        sing([], asks=True, open_=True)
