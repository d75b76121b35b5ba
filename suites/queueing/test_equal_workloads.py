"""QUE: Workloads that are equal do not preempt one another (Q-250, Q-251)."""

from kueue_conformance import always, either, pairwise, scenario, within


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


@scenario(
    "QUE-360",
    "of Workloads that differ in the names of their pod sets alone the second is evaluated by itself, or with the first",
    requirement="queueing#quirks",
    shows="KV-47 KV-13 Q-009",
    since="0.20.0-devel",
    gates=(
        "UnadmittedWorkloadsObservability",
        "SchedulingEquivalenceHashing",
        "SchedulingEquivalenceHashingIgnorePodSetName",
    ),
    level="may",
    clauses={"a": "whether the second has a word of its own", "b": "both are admitted when there is quota"},
)
def test_other_names_of_pod_sets(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="1")
    first = queue.submit(podSets=named("first"))
    within("settle", lambda: first.has_condition("QuotaReserved", "False", "ExceedsMaxQuota"))
    clock.tick()

    second = queue.submit(podSets=named("second"))

    clock.advance_budget("react")
    either(
        "settle",
        {
            "with the first": lambda: (
                second.has_no_condition("QuotaReserved")
                or second.has_message_containing("QuotaReserved", "equivalent workload")
            ),
            "by itself": lambda: second.has_message_containing("QuotaReserved", "insufficient quota"),
        },
        until={"by itself": "<0.20.0"},
        clause="a",
    )
    queue.set_quota("4")
    within("requeue", lambda: first.is_admitted() and second.is_admitted(), clause="b")


def named(name):
    """Return a pod set of this name whose pod requests two CPUs."""
    container = {
        "name": "main",
        "image": "registry.k8s.io/pause:3.10",
        "resources": {"requests": {"cpu": "2"}},
    }
    spec = {"restartPolicy": "Never", "containers": [container]}
    return [{"name": name, "count": 1, "template": {"spec": spec}}]
