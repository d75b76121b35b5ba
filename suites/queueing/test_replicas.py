"""QUE: two replicas of Kueue on one cluster (AC-375)."""

from kueue_conformance import always, scenario, within


@scenario(
    "QUE-350",
    "of two replicas of Kueue one leads and the other does nothing, until the leader stops and the other continues",
    requirement="queueing#one-leader",
    shows="AC-375",
    needs=("two replicas of Kueue",),
    clauses={
        "a": "the first one holds a Lease, and keeps it",
        "b": "each Workload is reserved once, and never more than the quota",
        "c": "the second one holds the Lease when the first one has stopped",
        "d": "and reserves the quota that becomes free, once",
    },
)
def test_replicas(kueue_cluster):
    queues, replicas = kueue_cluster.make_topology("q 6"), kueue_cluster.replicas
    queues.submit_in_turn("q: a(0)3")
    within("settle", lambda: replicas.is_led_by_another(""), clause="a")
    leader = replicas.holder()

    replicas.start_second()
    queues.submit_all("q: b(0)3 c(0)3 d(0)3")
    within("admit", lambda: queues.has_reserved("a", "b"), clause="b")
    always(lambda: queues.has_reserved("a", "b") and queues.workloads["b"].was_reserved(1), clause="b")
    within("settle", lambda: replicas.is_led_by(leader), clause="a")
    replicas.stop_leader()
    within("takeover", lambda: replicas.is_led_by_another(leader), clause="c")
    queues.delete_workloads("a")

    within("takeover", lambda: queues.has_reserved("b", "c"), clause="d")
    always(lambda: queues.has_reserved("b", "c") and queues.workloads["c"].was_reserved(1), clause="d")
