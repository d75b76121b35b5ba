"""`observe` while one of its watches is late: nothing is said about a check that was not delivered yet."""

import pytest

from kueue_conformance.history.story import Change
from kueue_conformance.observing import Observer
from kueue_conformance.scenarios.dialect import known_dialects

CONTROLLER, OF_OTHERS = "acme.io/budget", "acme.io/licenses"
FOREIGN = "CC-001"


def change(revision, kind, before, after, actor="budget"):
    return Change(
        revision=revision,
        at=1_000.0,
        actor=actor,
        verb="update",
        kind=kind,
        namespace="ns" if kind == "Workload" else "",
        name="w" if kind == "Workload" else "check",
        before=before,
        after=after,
    )


def check(controller, revision=5, **metadata):
    return {
        "metadata": {"name": "check", "resourceVersion": str(revision), **metadata},
        "spec": {"controllerName": controller},
        "status": {},
    }


def workload(state):
    entry = {"name": "check", "state": state, "message": "m", "lastTransitionTime": "1970-01-01T00:16:40Z"}
    reserved = {"type": "QuotaReserved", "status": "True"}
    return {
        "metadata": {"name": "w", "namespace": "ns"},
        "spec": {},
        "status": {"conditions": [reserved], "admissionChecks": [entry]},
    }


VERDICT = change(7, "Workload", workload("Pending"), workload("Ready"))


def observed(*changes, read_check=lambda _: None):
    observer = Observer(CONTROLLER, known_dialects()["v0.19"], ["budget"], lambda _: None, read_check)
    for observed_change in changes:
        observer.hear(observed_change)
    return [violation.rule for violation in observer.found.violations]


@pytest.mark.parametrize(
    ("stored", "broken"),
    [
        pytest.param(check(CONTROLLER), False, id="its own"),
        pytest.param(check(OF_OTHERS), True, id="of another controller"),
        pytest.param(None, True, id="there is none"),
    ],
)
def test_a_verdict_comes_before_its_check(stored, broken):
    assert (FOREIGN in observed(VERDICT, read_check=lambda _: stored)) is broken


def test_the_cluster_is_asked_once_for_a_check_that_is_not_there():
    questions = []

    observed(VERDICT, VERDICT, read_check=questions.append)

    assert questions == ["check"]


def test_a_story_is_judged_in_order_of_its_revisions(monkeypatch):
    made = change(5, "AdmissionCheck", None, check(CONTROLLER), actor="user")
    gone = change(9, "AdmissionCheck", check(CONTROLLER), None, actor="user")
    observer = Observer(CONTROLLER, known_dialects()["v0.19"], ["budget"], lambda _: None)
    stories = []
    monkeypatch.setattr(observer, "_breaches", lambda _, story: stories.append(story) or ())

    for observed_change in (made, gone, VERDICT):
        observer.hear(observed_change)

    assert [story_change.revision for story_change in stories[-1].changes] == [7, 9]
