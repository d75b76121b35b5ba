"""PRQ: Kueue asks, the autoscaler answers, the cloud brings nodes: from a Workload that waits to nodes that go (GT-8, PR-230…233)."""

from kueue_conformance import always, listed, scenario, within

NEEDS = ("ProvisioningRequests", "node groups", "virtual time")
ATOMIC = "best-effort-atomic-scale-up.autoscaling.x-k8s.io"
CHECK = "check-capacity.autoscaling.x-k8s.io"


def of(queue):
    """Return the labels of nodes that belong to the flavor of a queue."""
    return {"kueue-conformance.dev/flavor": queue.flavors[0]}


@scenario(
    "PRQ-260", "a Workload that waits is admitted when its nodes are asked for, its pods run on them, and they go afterwards",
    requirement=("aep#conditions", "provisioning-request#atomic", "provisioning-request#consumers"), shows="GT-8 PR-231a PR-231j CV-35", since="1.32", needs=NEEDS,
    clauses={"a": "admitted", "b": "its pods run", "c": "on the nodes of one step", "d": "which go when they are not needed"},
)  # fmt: skip
def test_whole_life(autoscaling, provisioning, clock):
    queue = provisioning.queue(class_name=ATOMIC, cpu="100")
    group = autoscaling.group("ng-a", cpu="4", labels=of(queue))
    autoscaling.starts(
        scale_down_unneeded_time="60s",
        scale_down_delay_after_add="10s",
        unremovable_node_recheck_timeout="10s",
    )

    workload = queue.submit(cpu="1", count=10)

    within("attempt", workload.is_admitted, clause="a")
    request = workload.request(queue.checks[0])
    pods = [autoscaling.consumer(request.name, cpu="1") for _ in range(10)]
    within("boot", lambda: autoscaling.run(pods), clause="b")
    always(lambda: group.was_asked_for(3), clause="c")
    workload.finish()
    for pod in pods:
        pod.delete()
    clock.passes(700)
    within("recover", lambda: group.has_target(0), clause="d")


@scenario(
    "PRQ-261", "a Workload whose nodes the cloud refuses waits, and is admitted by a later attempt",
    requirement=("provisioning-request#retry", "provisioning-request#cloud-failures"), shows="PR-231f PR-233g CV-35", since="1.32", needs=NEEDS, clauses={"a": "it waits with its quota", "b": "admitted in the end", "c": "by the nodes that it needs"},
    cases=listed("failure", ("rejects",), ("too small",)),
)  # fmt: skip
def test_waits(autoscaling, provisioning, failure):
    queue = provisioning.queue(class_name=ATOMIC, cpu="100")
    group = autoscaling.group("ng-a", cpu="4", labels=of(queue), most=2 if failure == "too small" else 10)
    if failure == "rejects":
        group.fails("rejects", times=1)
    autoscaling.starts(initial_node_group_backoff_duration="10s")
    workload = queue.submit(cpu="1", count=10)
    within("answer", lambda: workload.is_prechecked() and group.has_target(0), clause="a")

    group.grows_to(10)

    within("attempt", workload.is_admitted, clause="b")
    always(lambda: group.has_target(3), clause="c")


@scenario(
    "PRQ-262", "of two Workloads for which there is room for one, the other waits until the room is free",
    requirement=("provisioning-request#booking", "provisioning-request#check-capacity"), shows="PR-230d CV-35", since="1.32", needs=NEEDS, clauses={"a": "one of them is admitted", "b": "one alone", "c": "the other afterwards"},
)  # fmt: skip
def test_two(autoscaling, provisioning, clock):
    queue = provisioning.queue(class_name=CHECK, cpu="100")
    autoscaling.nodes(3, cpu="4", labels=of(queue))
    autoscaling.starts(provisioning_request_max_backoff_time="60s")
    workloads = [queue.submit(cpu="1", count=8) for _ in range(2)]

    within("answer", lambda: any(one.is_admitted() for one in workloads), clause="a")
    clock.passes(120)
    always(lambda: not all(one.is_admitted() for one in workloads), clause="b")
    first = next(one for one in workloads if one.is_admitted())
    first.finish()

    other = next(one for one in workloads if one is not first)
    within("attempt", other.is_admitted, clause="c")
