"""QUE: quota that comes free lets others be tried, whatever it was that ended (Q-050, Q-051, BUG-166)."""

from kueue_conformance import always, cross, either, pairwise, scenario, within

EVENTS = {
    "deleted": lambda _, workload: workload.delete(),
    "deactivated": lambda _, workload: workload.deactivate(),
    "rejected": lambda queue, workload: queue.checks[0].answer(workload, "Rejected"),
    "finished": lambda _, workload: workload.finish(),
}
"""What ends the reservation of a Workload whose check is Pending, and keeps it from getting another."""


@scenario(
    "QUE-625",
    "Workloads of a ClusterQueue and of its cohort are tried when a reservation ends before its Workload is admitted",
    requirement=("kueue-docs#tried-again", "kueue-docs#quota"),
    shows="Q-050 Q-051 Q-311 AC-289",
    since="0.9",
    revision=2,
    also=("kep993",),
    cases=pairwise(
        event=tuple(EVENTS), form=("workload", "job"), strategy=("BestEffortFIFO", "StrictFIFO")
    ).without(event="finished", form="job"),
    clauses={
        "a": "they wait while quota is reserved",
        "b": "the one of the ClusterQueue gets quota",
        "c": "and so does the one that borrows",
    },
)
def test_reservation_ends_before_admission(kueue_cluster, event, form, strategy):
    cohort = kueue_cluster.names.name("cohort")
    queue = kueue_cluster.make_queue(checks=1, cpu="2", cohortName=cohort, queueingStrategy=strategy)
    beside = kueue_cluster.make_second_local_queue(queue)
    borrower = kueue_cluster.make_queue(
        flavors=queue.flavors, cpu="0", cohortName=cohort, queueingStrategy=strategy
    )
    workload = queue.submit_until("prechecked", form, cpu="2")
    waiting = [beside.submit(cpu="1", priority=1), borrower.submit(cpu="1", priority=1)]
    for other in waiting:
        within("settle", lambda other=other: other.has_condition("QuotaReserved", "False"), clause="a")
    within("settle", lambda: queue.shows_reserved("2"), clause="a")
    always(workload.is_prechecked, clause="a")

    EVENTS[event](queue, workload)

    within("requeue", waiting[0].is_prechecked, clause="b")
    within("requeue", waiting[1].is_admitted, clause="c")
    within(
        "settle", lambda: queue.shows_counts(reserving=1) and borrower.shows_counts(reserving=1), clause="c"
    )


@scenario(
    "QUE-633",
    "a Workload that waits is tried when a Retry with a delay takes the quota of one that is not admitted",
    requirement=("kueue-docs#tried-again", "kueue-docs#quota"),
    shows="Q-050 Q-051 Q-311",
    since="0.19.14, 0.20.7",
    also=("kep993",),
    clauses={"a": "it waits while quota is reserved", "b": "it is admitted when that is released"},
)
def test_reservation_is_released_for_a_delay(kueue_cluster, clock):
    cohort = kueue_cluster.names.name("cohort")
    queue = kueue_cluster.make_queue(checks=1, cpu="2", cohortName=cohort)
    borrower = kueue_cluster.make_queue(flavors=queue.flavors, cpu="0", cohortName=cohort)
    workload = queue.submit_until("prechecked", cpu="2")
    waiting = borrower.submit(cpu="1")
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"), clause="a")

    # What let it be tried before, as the making of its queue, is over.
    clock.advance_budget("requeue")

    queue.checks[0].answer(workload, "Retry", delay=clock.hold)

    within("requeue", waiting.is_admitted, clause="b")


RELEASES = {
    "drained": lambda queue, _: queue.hold_and_drain_local(),
    "finished": lambda queue, workload: (queue.hold_local(), workload.finish()),
    "deleted": lambda queue, workload: (queue.hold_local(), workload.delete()),
}
"""What frees the quota of a Workload behind a LocalQueue that is stopped."""


@scenario(
    "QUE-632",
    "a Workload that waits is tried when quota comes free behind a stopped LocalQueue, or when something else changes",
    requirement="queueing#quirks",
    shows="BUG-166 Q-051",
    since="0.9",
    level="may",
    permits=("Q-125",),
    cases=cross(release=tuple(RELEASES), reached=("prechecked", "admitted")),
    clauses={
        "a": "it waits while quota is held",
        "b": "it is admitted, or waits beside free quota",
        "c": "it is admitted when quota changes",
    },
)
def test_quota_is_free_behind_a_stopped_local_queue(kueue_cluster, clock, release, reached):
    queue = kueue_cluster.make_queue(checks=1, cpu="2")
    beside = kueue_cluster.make_second_local_queue(queue)
    workload = queue.submit_until(reached, cpu="2")
    waiting = beside.submit(cpu="2")
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"), clause="a")
    within("settle", lambda: queue.shows_reserved("2"), clause="a")

    RELEASES[release](queue, workload)

    clock.advance_budget("requeue")
    either(
        "settle",
        {"it is admitted": waiting.is_prechecked, "it waits": waiting.is_suspended},
        clause="b",
    )
    queue.set_quota("3")
    within("requeue", waiting.is_prechecked, clause="c")
