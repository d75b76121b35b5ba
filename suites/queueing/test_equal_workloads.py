"""QUE: Workloads that are equal do not preempt one another (Q-250, Q-251)."""

from kueue_conformance import always, pairwise, scenario, within


@scenario(
    "QUE-626",
    "of equal Workloads the one that holds quota keeps it, and the newer one waits",
    requirement=("kep-83#within-cluster-queue", "kueue-docs#queueing-order"),
    shows="Q-006 Q-250 Q-251",
    cases=pairwise(
        policy=("LowerPriority", "LowerOrNewerEqualPriority"), checks=(0, 1), form=("workload", "job")
    ),
    clauses={
        "a": "none is evicted, and the older one is reserved for once",
        "b": "the newer one gets it afterwards",
    },
)
def test_equal_workloads(kueue_cluster, clock, policy, checks, form):
    queue = kueue_cluster.make_queue(checks, cpu="1", preemption={"withinClusterQueue": policy})
    workload = queue.submit(form, cpu="1")
    within("reserve", workload.has_quota_reserved)
    clock.tick()

    other = queue.submit(form, cpu="1")

    within("settle", lambda: other.has_condition("QuotaReserved", "False"), clause="a")
    always(lambda: queue.has_reserved_for(workload) and workload.was_ever("Evicted").negate(), clause="a")
    workload.delete()
    within("requeue", lambda: queue.has_reserved_for(other), clause="b")
