"""QUE: a reservation that ends before its Workload is admitted lets others be tried (Q-050, Q-051, Q-311)."""

from kueue_conformance import always, pairwise, scenario, within

EVENTS = {
    "deleted": lambda _, workload: workload.delete(),
    "deactivated": lambda _, workload: workload.deactivate(),
    "rejected": lambda queue, workload: queue.checks[0].answer(workload, "Rejected"),
    "drained-locally": lambda queue, _: queue.hold_and_drain_local(),
    "finished": lambda _, workload: workload.finish(),
}
"""What ends the reservation of a Workload whose check is Pending, and keeps it from getting another."""


@scenario(
    "QUE-625",
    "Workloads of a ClusterQueue and of its cohort are tried when a reservation ends before its Workload is admitted",
    requirement=("kueue-docs#tried-again", "kueue-docs#quota"),
    shows="Q-050 Q-051 Q-311 AC-289",
    since="0.9",
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
