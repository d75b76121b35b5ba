"""ADM: Workloads that are Finished and are kept for a time only,
where Kueue is configured so (AC-320, SC-186).
"""

from kueue_conformance import always, scenario, within

RETENTION = "object retention"
KEPT = 3600


@scenario(
    "ADM-633",
    "a Finished Workload is deleted when its retention is over, and not before",
    requirement="kueue-api#ends",
    shows="AC-320 SC-186",
    since="0.19",
    needs=(RETENTION, "virtual time"),
    clauses={
        "a": "it stays until its time is over",
        "b": "then it is deleted",
        "c": "one that runs stays",
    },
)
def test_finished_workload_is_deleted(make_queue, clock):
    queue = make_queue(checks=0, cpu="2")
    runs, workload = queue.submit_until("admitted", cpu="1"), queue.submit_until("admitted", cpu="1")
    workload.finish()

    clock.advance_while(KEPT, workload.exists, clause="a")

    within("settle", workload.is_gone, clause="b")
    always(runs.is_admitted, clause="c")


@scenario(
    "ADM-634",
    "the event about a Finished Workload that is deleted after its retention has the recorded text",
    requirement="kueue-api#ends",
    shows="AC-320",
    since="0.19",
    level="may",
    needs=(RETENTION, "virtual time"),
    clauses={"a": "in one event"},
)
def test_text_of_retention(make_queue, kueue_cluster, clock):
    workload = make_queue(checks=0).submit_until("admitted")
    workload.finish()

    clock.advance(KEPT)

    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text(
            "Deleted", workload, "Deleted finished workload due to elapsed retention"
        ),
        clause="a",
    )
