"""Writes that the server refused stand in the story,
and what a program did after a fault is told in seconds.
"""

from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest

from kueue_conformance.backends.faults import FaultHit
from kueue_conformance.case.failure_text import explain
from kueue_conformance.history.fact import Fact, Premise
from kueue_conformance.history.story import Request
from kueue_conformance.history.story_lines import tell
from kueue_conformance.report.formats import junit
from kueue_conformance.report.formats.cards import cards
from kueue_conformance.report.page import html
from kueue_conformance.report.results.causes import causes_of
from kueue_conformance.report.story.timeline import steps
from kueue_conformance.scenarios.outcome import Outcome
from kueue_conformance.stage.subject.faults import Disturbance
from kueue_conformance.stage.subject.tries import describe_tries, expect_tries

from ..reporting.results import case, report
from .stub import change, context

CONFLICT = "the object has been modified"
WRITES = [change(1, after={}, at=10.0), change(2, before={}, after={}, at=20.0)]


def refusal(at, name="work", code=409, message=CONFLICT):
    return Request(
        at=at,
        verb="update",
        resource="workloads",
        subresource="status",
        kind="Workload",
        namespace="ns",
        name=name,
        code=code,
        message=message,
    )


def refusal_lines(*requests):
    return [line for line in tell(WRITES, refused=requests) if line.startswith("refused")]


def test_a_refused_write_stands_between_the_writes_with_what_the_server_said():
    lines = tell(WRITES, refused=[refusal(15.0)])

    assert [line.split()[0] for line in lines] == ["rv", "refused", "rv"]
    assert lines[1] == (
        f"refused  subject                  update workloads/status ns/work (HTTP 409): {CONFLICT}"
    )


@pytest.mark.parametrize(
    ("requests", "endings"),
    [
        pytest.param([refusal(11.0), refusal(14.5)], ["2 times in 3.5 s"], id="alike and in a row"),
        pytest.param([refusal(15.0), refusal(25.0)], [CONFLICT, CONFLICT], id="a write between them"),
        pytest.param([refusal(11.0), refusal(12.0, code=500)], [CONFLICT, CONFLICT], id="two codes"),
        pytest.param([refusal(11.0), refusal(12.0, name="other")], [CONFLICT, CONFLICT], id="two objects"),
        pytest.param([refusal(11.0, message="a\nb")], [": a"], id="a message of two lines"),
        pytest.param([refusal(11.0, message="")], ["(HTTP 409)"], id="no message"),
    ],
)
def test_refusals_that_repeat_each_other_are_one_line(requests, endings):
    lines = refusal_lines(*requests)

    assert [line.endswith(ending) for line, ending in zip(lines, endings, strict=True)] == [True] * len(lines)


def case_context():
    running_case = context(changes=WRITES)
    running_case.cluster.recorder.refused_writes = lambda: [refusal(15.0), refusal(16.0, name="other's")]
    running_case.client.owns = lambda kind, namespace, name: name == "work"
    return running_case


def test_every_form_of_a_report_has_them():
    text = explain(case_context(), "a", Fact(False, "it is written", "it is not"), "now")
    line = f"update workloads/status ns/work (HTTP 409): {CONFLICT}"
    timeline = tuple(steps(WRITES, [refusal(15.0)], ()))
    failed_report = report([case("ADM-204", outcome=Outcome.FAILED, text=text, timeline=timeline)])

    assert [(line in lines, "other's" in lines) for lines in [text]] == [(True, False)]
    assert line in "\n".join(cards(causes_of(failed_report)))
    assert any(
        line in (failure.text or "") for failure in ET.fromstring(junit.render(failed_report)).iter("failure")
    )
    assert f"refused {line}" in html.render(failed_report)


class NoHits:
    hits = ()

    def refuse_events(self, *_, **__):
        pass


def hit(at, request="update workloads/status ns/work", effect="HTTP 409"):
    return FaultHit(at=at, request=request, effect=effect)


@pytest.mark.parametrize(
    ("hits", "observation"),
    [
        pytest.param([], "the subject has sent no request that could meet it", id="none"),
        pytest.param(
            [hit(100.0)],
            "1 met it; after the last, update workloads/status ns/work (HTTP 409), the subject has waited 31 s"
            " without another try: its back-off is longer than that, or it has given up",
            id="one",
        ),
        pytest.param(
            [hit(90.0), hit(91.5), hit(130.5, "watch workloads", "a cut connection")],
            "3 met it; after the last, watch workloads (a cut connection), the subject has waited 0.5 s"
            " without another try: its back-off is longer than that, or it has given up; the longest pause"
            " between its tries was 39 s",
            id="several",
        ),
    ],
)
def test_the_pause_after_the_last_fault_is_told_in_seconds(hits, observation):
    assert describe_tries("subject", hits, 131.0) == observation


def test_the_expectation_names_the_program():
    assert expect_tries("Kueue", 1) == "a request of Kueue meets the fault"
    assert expect_tries("autoscaler", 3) == (
        "the autoscaler tries again until 3 of its requests have met the fault"
    )


@pytest.mark.parametrize(
    ("attempts", "is_premise", "observation"),
    [
        pytest.param(
            [], True, "the subject has sent no request that could meet it", id="nothing was written"
        ),
        pytest.param(
            [refusal(15.0)],
            False,
            "none met it: the API server itself refused update workloads/status ns/work (HTTP 409) before,"
            " and the subject has waited 30 s without another try",
            id="the last write was refused because the object had changed",
        ),
        pytest.param(
            [refusal(15.0), refusal(16.0, code=200)],
            True,
            "the subject has sent no request that could meet it",
            id="it was written again",
        ),
        pytest.param(
            [refusal(15.0, code=403)],
            True,
            "the subject has sent no request that could meet it",
            id="it has no right to write",
        ),
        pytest.param(
            [refusal(15.0, name="other's")],
            True,
            "the subject has sent no request that could meet it",
            id="a write to the Workload of another case",
        ),
    ],
)
def test_a_conflict_of_the_api_server_itself_shows_whether_the_subject_tries_again(
    attempts, is_premise, observation
):
    running_case = case_context()
    running_case.cluster.recorder.attempts = lambda: attempts
    running_case.cluster.time = 45.0
    running_case.cluster.faults = NoHits()
    running_case.cluster.kueue_faults = running_case.cluster.autoscaler_faults = None

    fact = Disturbance(running_case).have_struck(12)

    assert (fact.holds, isinstance(fact, Premise), fact.observed) == (False, is_premise, observation)


@pytest.mark.parametrize(
    ("verbs", "holds", "is_premise", "observation"),
    [
        pytest.param(
            ["list", "list"], True, False, "it has no watch that could end: it lists", id="it lists"
        ),
        pytest.param(
            ["list", "watch"],
            False,
            True,
            "the subject has sent no request that could meet it",
            id="it watches, and nothing came",
        ),
        pytest.param(
            [], False, True, "the subject has sent no request that could meet it", id="it reads nothing"
        ),
    ],
)
def test_a_subject_that_only_lists_has_no_watch_that_could_end(verbs, holds, is_premise, observation):
    running_case = case_context()
    running_case.cluster.recorder.requests = lambda: [replace(refusal(1.0), verb=verb) for verb in verbs]
    running_case.cluster.recorder.attempts = lambda: [refusal(15.0)]
    running_case.cluster.time = 45.0
    running_case.cluster.faults = NoHits()
    running_case.cluster.kueue_faults = running_case.cluster.autoscaler_faults = None
    faults = Disturbance(running_case)

    faults.lose_events("expired")
    fact = faults.have_struck()

    assert (fact.holds, isinstance(fact, Premise), fact.observed) == (holds, is_premise, observation)
