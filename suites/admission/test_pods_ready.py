"""ADM: pods that are not ready in time, as Kueue waits for them unless told otherwise (AC-294, AC-315, Q-480, Q-517)."""

import pytest

from kueue_conformance import always, scenario, within

IN_TIME, TOO_LATE, DELAY = 1790, 20, 60


@pytest.fixture
def workload(make_queue):
    """An admitted Workload whose pods nobody has seen."""
    return make_queue(checks=1).brings_to("admitted")


@scenario(
    "ADM-130", "pods that are not ready in time cost the quota, and the next attempt waits",
    requirement="kueue-api#pods-in-time", shows="AC-315 Q-341 Q-480 Q-517", since="0.19", level="should", needs=("virtual time",),
    clauses={"a": "admitted until half an hour is over", "b": "then evicted", "c": "not reserved at once", "d": "reserved after a delay"},
)  # fmt: skip
def test_pods_that_are_not_ready_in_time(workload, clock):
    clock.passes(IN_TIME)
    always(workload.is_admitted, clause="a")
    clock.passes(TOO_LATE)
    within("evict", lambda: workload.was_evicted_for("PodsReadyTimeout"), clause="b")
    always(lambda: workload.was_reserved(1), clause="c")

    clock.passes(DELAY)

    within("requeue", lambda: workload.was_reserved(2), clause="d")


@scenario(
    "ADM-131", "deactivation forgets the delay of one that was evicted before, and keeps the reason",
    requirement="kueue-api#pods-in-time", shows="AC-294 AC-315", since="0.19", level="should", needs=("virtual time",),
    clauses={"a": "requeueState is gone", "b": "it is still evicted for its pods"},
)  # fmt: skip
def test_deactivation_while_the_next_attempt_waits(workload, clock):
    clock.passes(IN_TIME + TOO_LATE)
    within("evict", lambda: workload.was_released() and workload.waits_for_requeue())

    workload.deactivate()

    within("settle", lambda: workload.waits_for_requeue().denied(), clause="a")
    always(lambda: workload.has_reason("Evicted", "PodsReadyTimeout"), clause="b")
