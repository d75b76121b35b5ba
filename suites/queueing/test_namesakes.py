"""QUE: LimitRanges have effect in their namespace, classes of the cluster in all (AC-240, Q-090, Q-091)."""

from kueue_conformance import cross, scenario, within

BOUNDS = {
    "a default": {"type": "Container", "defaultRequest": {"cpu": "3"}},
    "a maximum": {"type": "Container", "max": {"cpu": "500m"}},
    "a minimum": {"type": "Container", "min": {"cpu": "4"}},
}
REQUESTS = {"none": {"cpu": "1"}, "a namesake": {}}
"""What pods request, by the LimitRange of their namespace: with one they take its default."""
USES = {"none": "1", "a namesake": "2"}


@scenario(
    "QUE-605",
    "a LimitRange has effect in its own namespace, whatever one of its name says in another",
    requirement="kueue-docs#resources",
    shows="Q-090 Q-091 AC-240",
    cases=cross(bound=tuple(BOUNDS), own=tuple(REQUESTS)),
    clauses={"a": "the Workload is admitted", "b": "with the requests that it has in its namespace"},
)
def test_limit_range_of_another_namespace(kueue_cluster, clock, bound, own):
    queue, name = kueue_cluster.make_queue(cpu="5"), kueue_cluster.names.name("limits")
    other = kueue_cluster.make_namespace()
    if own == "a namesake":
        kueue_cluster.make_limit_range(name, {"type": "Container", "defaultRequest": {"cpu": "2"}})
    kueue_cluster.make_limit_range(name, BOUNDS[bound], namespace=other)
    clock.settle()

    workload = queue.submit(podSets=[kueue_cluster.pod_set("main", **REQUESTS[own])])

    within("admit", workload.is_admitted, clause="a")
    within("settle", lambda: queue.shows_reserved(USES[own]), clause="b")


@scenario(
    "QUE-606",
    "the overhead of a RuntimeClass and the value of a WorkloadPriorityClass hold in every namespace",
    requirement=("kueue-docs#resources", "kueue-api#priority"),
    shows="Q-090 S-107 AC-240",
    clauses={
        "a": "Jobs of both namespaces are admitted with the overhead",
        "b": "both have the priority of the class",
    },
)
def test_classes_of_the_cluster(kueue_cluster):
    queue, name = kueue_cluster.make_queue(cpu="10"), kueue_cluster.names.name("job")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    runtime = kueue_cluster.make_object(
        "RuntimeClass", handler="kata", overhead={"podFixed": {"cpu": "1"}}
    ).name
    labels = {"kueue.x-k8s.io/priority-class": kueue_cluster.make_priority_class(700)}

    workloads = [
        local_queue.submit("job", name=name, cpu="1", labels=labels, template={"runtimeClassName": runtime})
        for local_queue in (queue, other)
    ]

    within("admit", lambda: workloads[0].is_admitted() and workloads[1].is_admitted(), clause="a")
    within("settle", lambda: queue.shows_reserved("4"), clause="a")
    within(
        "settle",
        lambda: all(workload.object["spec"]["priority"] == 700 for workload in workloads),
        clause="b",
    )
