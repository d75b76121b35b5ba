"""Steps besides writes: faults, answers of 400 and more, questions for verdicts, and reads."""

from kueue_conformance.history.story import SUBJECT, Question, Request
from kueue_conformance.report.story.timeline import steps
from kueue_conformance.report.story.traffic import FAULTS, QUESTIONS, READS, REFUSALS, join, traffic

from .stories import ABOUT, ASKED, CHANGES, LISTED, REFUSED

FORBIDDEN = Request(at=0.7, verb="get", resource="secrets", namespace="ns", name="s", code=403)
SILENT = Question(at=3.6, namespace="ns", workload="w", check="check", code=500)
WATCH = Request(at=0.9, verb="watch", resource="workloads", code=200)


def lane_texts(*steps_of_traffic):
    return [(step_row["lane"], step_row["actor"], step_row["what"]) for step_row in steps_of_traffic]


def test_each_sort_has_its_lane():
    steps_of_traffic = traffic([WATCH, LISTED, FORBIDDEN], [ASKED, SILENT], ABOUT["faults"])

    assert lane_texts(*steps_of_traffic) == [
        (READS, SUBJECT, "list workloads (HTTP 200)"),
        (REFUSALS, SUBJECT, "get secrets ns/s (HTTP 403)"),
        (READS, SUBJECT, "watch workloads (HTTP 200)"),
        (FAULTS, "kueue-conformance", "refuse 409 times=3"),
        (QUESTIONS, SUBJECT, "asks about check of w: Ready"),
        (QUESTIONS, SUBJECT, "asks about check of w: HTTP 500"),
    ]


def test_a_write_that_is_no_step_is_told_when_it_is_refused():
    lease = Request(at=1.0, verb="update", resource="leases", name="l", code=200)
    refused = Request(at=1.0, verb="update", resource="leases", name="l", code=409)

    assert lane_texts(*traffic([lease, refused], [], [])) == [
        (REFUSALS, SUBJECT, "update leases l (HTTP 409)")
    ]


def test_they_stand_among_the_writes_in_order_of_time():
    story_steps = steps(CHANGES, (REFUSED,), (), beside=traffic([LISTED], [ASKED], ABOUT["faults"]))

    assert [step_row["at"] for step_row in story_steps] == sorted(step_row["at"] for step_row in story_steps)
    assert [step_row["lane"] for step_row in story_steps if "lane" in step_row] == [
        READS,
        FAULTS,
        QUESTIONS,
        REFUSALS,
    ]


def test_those_that_repeat_each_other_are_one_until_something_is_written():
    read, write = (
        {**traffic([LISTED], [], [])[0]},
        {"at": 1.0, "kind": "Workload", "name": "w", "what": "created"},
    )

    assert [step_row["what"] for step_row in join([read, read, read, write, read])] == [
        "list workloads (HTTP 200), 3 times",
        "created",
        "list workloads (HTTP 200)",
    ]


def test_a_lane_is_not_endless_and_keeps_what_broke_a_rule():
    reads = [
        traffic([Request(at=float(number), verb="get", resource="w", name=f"n{number}", code=200)], [], [])[0]
        for number in range(200)
    ]
    wrong = {**reads[0], "lane": REFUSALS, "broke": ["CC-026"]}

    joined = join([*reads, wrong, wrong])

    assert [step_row["lane"] for step_row in joined] == [READS] * 60 + [REFUSALS] * 2
