"""ADM: as which managers Kueue applies the fields of a Workload's status (AC-370, AC-373)."""

from kueue_conformance import rows, scenario, within

KUEUE, PODS_READY, RECLAIMABLE = "kueue-admission", "kueue-job-controller-PodsReady", "kueue-reclaimable-pods"


@scenario(
    "ADM-450",
    "each part of a Workload's status is applied as one field manager, named for the part",
    requirement="kep-993#stage-one",
    shows="AC-370 AC-373",
    since="0.19",
    level="may",
    needs=("virtual time",),
    clauses={
        "a": "the reservation",
        "b": "the admission",
        "c": "the eviction",
        "d": "pods that are ready",
        "e": "pods that are not needed any more",
    },
)
def test_field_managers(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked", "job", count=2, completions=3)
    job = kueue_cluster.job_of(workload)
    within(
        "settle",
        lambda: (
            workload.has_condition_owner(KUEUE, "QuotaReserved")
            and workload.has_field_owner(KUEUE, "admission")
        ),
        clause="a",
    )
    queue.checks[0].answer(workload, "Ready")
    within("admit", job.is_started)
    within("settle", lambda: workload.has_condition_owner(KUEUE, "Admitted"), clause="b")

    job.set_pods(active=1, succeeded=2)

    within("react", lambda: workload.has_condition_owner(PODS_READY, "PodsReady"), clause="d")
    within("react", lambda: workload.has_field_owner(RECLAIMABLE, "reclaimablePods"), clause="e")
    queue.hold_and_drain()
    within("evict", lambda: workload.has_condition_owner(KUEUE, "Evicted"), clause="c")


FIELDS = {
    "clusterName": (
        {"nominatedClusterNames": ["worker-1"]},
        {"nominatedClusterNames": None, "clusterName": "worker-1"},
    ),
    "nominatedClusterNames": ({"nominatedClusterNames": ["worker-1", "worker-2"]},),
    "unhealthyNodes": ({"unhealthyNodes": [{"name": "node-1"}]},),
    "preemptionGates": (
        {
            "preemptionGates": [
                {"name": "a-gate", "position": "Open", "lastTransitionTime": "2026-01-01T00:00:00Z"}
            ]
        },
    ),
}
"""By field: the changes of the status that set it;
Kueue's webhooks take a clusterName only from those that are nominated.
"""


@scenario(
    "ADM-579",
    "an apply of Kueue repeats the values that other clients wrote into its own fields, and so keeps them",
    requirement="kep-993#stage-one",
    shows="AC-371",
    since="0.19",
    level="may",
    revision=3,
    cases=rows("field", *((example,) for example in FIELDS)),
    clauses={
        "a": "with the next write Kueue owns it as well",
        "b": "as it owns its counters and the entries of checks",
    },
)
def test_applied_fields(kueue_cluster, field):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted")
    queue.requeue(workload, "cluster-queue-stopped")
    within("requeue", workload.is_prechecked)
    within(
        "settle",
        lambda: (
            workload.has_field_owner(KUEUE, "schedulingStats")
            and workload.has_field_owner(KUEUE, "admissionChecks")
        ),
        clause="b",
    )

    for change in FIELDS[field]:
        assert workload.try_to_change(status=change).is_accepted
    queue.admit(workload)

    within("settle", lambda: workload.has_field_owner(KUEUE, field), clause="a")
