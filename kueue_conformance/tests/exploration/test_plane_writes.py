"""Statements of the model about single writes of Kueue, and about what no act has touched."""

from copy import deepcopy

import pytest

from kueue_conformance.exploration.control_planes.acts import Act
from kueue_conformance.exploration.control_planes.model import contradictions
from kueue_conformance.exploration.control_planes.state import State
from kueue_conformance.exploration.control_planes.statements.transitions import frame, transitions
from kueue_conformance.scenarios.dialect import known_dialects

from .test_plane_model import queue, snapshot, workload, write_of_kueue

NOON, LATER = "2026-01-01T12:00:00Z", "2026-01-01T12:01:00Z"
DIALECT = known_dialects()["v0.20"]
REASONS = {
    "QuotaReserved": ("QuotaReserved", "Quota reserved in ClusterQueue q"),
    "Admitted": ("Admitted", "The workload is admitted"),
}
ADMITTED = workload("w", "2", "QuotaReserved", "Admitted", checks=[("k", "Retry")])
for item in ADMITTED["status"]["conditions"]:
    reason, message = REASONS[item["type"]]
    item |= {"reason": reason, "message": message, "lastTransitionTime": NOON}
EVICTED = {
    "type": "Evicted",
    "status": "True",
    "reason": "AdmissionCheck",
    "message": 'Evicted due to AdmissionCheck in Retry state: "k" (no)',
    "lastTransitionTime": LATER,
}
RESET = {
    "name": "k",
    "state": "Pending",
    "message": "Reset to Pending after eviction. Previously: Retry",
    "retryCount": 1,
}
COUNTED = {"evictions": [{"reason": "AdmissionCheck", "underlyingCause": "", "count": 1}]}


def evicted(**status):
    """Return the Workload behind the write that evicts it, with other fields of its status."""
    result = deepcopy(ADMITTED)
    result["status"] |= {
        "conditions": [*result["status"]["conditions"], EVICTED],
        "admissionChecks": [RESET],
        "schedulingStats": COUNTED,
        **status,
    }
    return result


QUEUE = queue("q", "4")


def written(before, after, queues=(QUEUE,), **fields):
    state = State(
        snapshot(ClusterQueue=queues), dialect=DIALECT, changes=[write_of_kueue(before, after)], **fields
    )
    return {item.statement for item in transitions(state)}


def condition(name, status, reason, message):
    return {"type": name, "status": status, "reason": reason, "message": message, "lastTransitionTime": LATER}


def with_conditions(*conditions, entries=(RESET,)):
    result = deepcopy(ADMITTED)
    result["status"] = {
        "conditions": [*conditions],
        "admissionChecks": [*entries],
        "schedulingStats": COUNTED,
    }
    return result


@pytest.mark.parametrize(
    ("status", "broken"),
    [
        pytest.param({}, set(), id="as the documents say"),
        pytest.param({"admission": None}, {"evictions"}, id="the admission is removed"),
        pytest.param({"admissionChecks": [{**RESET, "message": ""}]}, {"evictions"}, id="no message"),
        pytest.param({"admissionChecks": [{**RESET, "retryCount": 2}]}, {"evictions"}, id="counted twice"),
        pytest.param({"requeueState": {"count": 1}}, {"requeues"}, id="no time-out, and counted as one"),
        pytest.param({"schedulingStats": {}}, {"statistics"}, id="not counted"),
        pytest.param(
            {"schedulingStats": {"evictions": [{"reason": "Preempted", "count": 1}]}},
            {"statistics"},
            id="counted for another reason",
        ),
    ],
)
def test_an_eviction_resets_entries_and_nothing_else(status, broken):
    assert written(ADMITTED, evicted(**status)) == broken


@pytest.mark.parametrize(
    ("reason", "message", "broken"),
    [
        ("AdmissionCheck", EVICTED["message"], set()),
        ("AdmissionCheck", "no reason", {"texts"}),
        ("ClusterQueueStopped", "The ClusterQueue is stopped", {"causes", "statistics"}),
        ("Deactivated", "The workload is deactivated", {"causes", "statistics", "deactivation-target"}),
        ("Whim", "", {"texts", "statistics"}),
    ],
)
def test_an_eviction_has_a_reason_with_its_message_and_its_cause(reason, message, broken):
    after = evicted()
    after["status"]["conditions"][-1] = {**EVICTED, "reason": reason, "message": message}

    assert written(ADMITTED, after) == broken


def test_a_queue_that_is_gone_may_have_been_stopped():
    message = "The ClusterQueue is stopped"
    after = evicted()
    after["status"]["conditions"][-1] = {**EVICTED, "reason": "ClusterQueueStopped", "message": message}

    assert written(ADMITTED, after, queues=()) == {"statistics"}


@pytest.mark.parametrize(
    ("entries", "broken"),
    [
        ([{"name": "k", "state": "Retry"}, {"name": "l", "state": "Pending"}], set()),
        ([{"name": "k", "state": "Retry"}], set()),
        ([{"name": "k", "state": "Pending"}], {"entries"}),
        ([{"name": "k", "state": "Retry", "message": "new"}], {"entries"}),
        ([{"name": "k", "state": "Retry"}, {"name": "l", "state": "Ready"}], {"entries"}),
        ([{"name": "k", "state": "Retry"}, {"name": "a", "state": "Pending"}], {"entries"}),
    ],
)
def test_a_list_of_checks_grows_by_pending_entries_in_the_order_of_names(entries, broken):
    after = deepcopy(ADMITTED)
    after["status"]["admissionChecks"] = entries

    assert written(ADMITTED, after) == broken


REQUEUED = condition("Requeued", "False", "AdmissionCheck", EVICTED["message"])


@pytest.mark.parametrize(
    ("before", "after", "broken"),
    [
        ((), REQUEUED, set()),
        ((), {**REQUEUED, "message": "other"}, {"requeued"}),
        (
            (REQUEUED,),
            condition("Requeued", "True", "BackoffFinished", "The workload backoff was finished"),
            set(),
        ),
        (
            (REQUEUED,),
            condition("Requeued", "True", "Reactivated", "The workload was reactivated"),
            {"requeued"},
        ),
        ((REQUEUED,), condition("Requeued", "True", "BackoffFinished", "it is over"), {"texts"}),
    ],
)
def test_requeued_says_what_has_ended(before, after, broken):
    assert written(with_conditions(EVICTED, *before), with_conditions(EVICTED, after)) == broken


@pytest.mark.parametrize(("spent", "broken"), [(60, set()), (0, {"time-spent"}), (120, {"time-spent"})])
def test_the_time_of_an_admission_is_added_when_it_ends(spent, broken):
    released = [
        EVICTED,
        condition("QuotaReserved", "False", "PendingEvaluation", ""),
        condition("Admitted", "False", "NoReservation", ""),
    ]
    after = with_conditions(*released)
    after["status"]["accumulatedPastExecutionTimeSeconds"] = spent

    assert written(evicted(), after) == broken


def test_what_is_said_of_writes_is_of_releases_that_the_documents_describe():
    before = deepcopy(ADMITTED)
    before["status"]["admissionChecks"] = []

    assert written(before, ADMITTED) == {"entries"}
    state = State(snapshot(), dialect=known_dialects()["kep993"], changes=[])
    assert [*transitions(state)] == []


@pytest.mark.parametrize(
    ("release", "expected"), [("v0.6", {"finalizers"}), ("v0.20", {"eviction", "finalizers"})]
)
def test_an_older_release_is_judged_by_what_it_has(release, expected):
    inactive = {**ADMITTED, "spec": {**ADMITTED["spec"], "active": False}}
    inactive["status"] = {**inactive["status"], "admissionChecks": []}
    shown = snapshot(Workload=[inactive], ClusterQueue=[queue("q", "4")])

    found = {item.statement for item in contradictions(State(shown, dialect=known_dialects()[release]))}

    assert found & {"eviction", "finalizers"} == expected


def test_what_is_evicted_is_not_evicted_again_before_it_has_released_its_quota():
    again = evicted()
    drained = {**EVICTED, "reason": "ClusterQueueStopped", "message": "The ClusterQueue is stopped"}
    again["status"]["conditions"] = [*ADMITTED["status"]["conditions"], drained]

    assert "first-reason" in written(evicted(), again)
    assert "first-reason" not in written(ADMITTED, again)


@pytest.mark.parametrize(
    ("act", "entry", "is_broken"),
    [
        ("stop q1 policy=Hold", {"name": "k", "state": "Retry"}, False),
        ("stop q1 policy=Hold", {"name": "k", "state": "Pending"}, True),
        ("answer w1 check=k1 state=Ready", {"name": "k", "state": "Ready"}, False),
    ],
)
def test_what_no_act_is_about_stays(act, entry, is_broken):
    after = deepcopy(ADMITTED)
    after["status"]["admissionChecks"] = [entry]
    state = State(
        snapshot(Workload=[after]), snapshot(Workload=[ADMITTED]), dialect=DIALECT, single_act=Act.of(act)
    )

    assert bool([*frame(state)]) == is_broken
