"""PRQ: Kueue asks, the autoscaler answers, the cloud brings nodes: from a Workload that waits to nodes that
go (GT-8, PR-230…233).
"""

from kueue_conformance import always, rows, scenario, within

NEEDS = ("ProvisioningRequests", "node groups", "virtual time")
ATOMIC = "best-effort-atomic-scale-up.autoscaling.x-k8s.io"
CHECK = "check-capacity.autoscaling.x-k8s.io"


STATUS = "ProvisioningRequest/status"
QUICK = {
    "scale_down_unneeded_time": "60s",
    "scale_down_delay_after_add": "10s",
    "unremovable_node_recheck_timeout": "10s",
}


def of(queue):
    """Return the labels of nodes that belong to the flavor of a queue."""
    return {"kueue-conformance.dev/flavor": queue.flavors[0]}


@scenario(
    "PRQ-260",
    "a pending Workload is admitted when its nodes are requested, its pods run on them, and they are removed afterwards",
    requirement=("aep#conditions", "provisioning-request#atomic", "provisioning-request#consumers"),
    shows="GT-8 PR-231a PR-231j CV-35",
    since="1.32",
    needs=NEEDS,
    clauses={
        "a": "admitted",
        "b": "its pods run",
        "c": "on the nodes of one step",
        "d": "which are removed when they are not needed",
    },
)
def test_whole_life(autoscaling, provisioning, clock):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="100")
    group = autoscaling.make_group("ng-a", cpu="4", labels=of(queue))
    autoscaling.start(
        scale_down_unneeded_time="60s",
        scale_down_delay_after_add="10s",
        unremovable_node_recheck_timeout="10s",
    )

    workload = queue.submit(cpu="1", count=10)

    within("attempt", workload.is_admitted, clause="a")
    request = workload.request(queue.checks[0])
    pods = [autoscaling.make_consumer(request.name, cpu="1") for _ in range(10)]
    within("boot", lambda: autoscaling.has_scheduled(pods), clause="b")
    always(lambda: group.was_increased_by(3), clause="c")
    workload.finish()
    for pod in pods:
        pod.delete()
    clock.advance(700)
    within("recover", lambda: group.has_target(0), clause="d")


@scenario(
    "PRQ-261",
    "a Workload whose nodes the cloud refuses waits, and is admitted by a later attempt",
    requirement=("provisioning-request#retry", "provisioning-request#cloud-failures"),
    shows="PR-231f PR-233g CV-35",
    since="1.32",
    needs=NEEDS,
    clauses={"a": "it waits with its quota", "b": "admitted in the end", "c": "by the nodes that it needs"},
    cases=rows("failure", ("rejects",), ("too small",)),
)
def test_waits(autoscaling, provisioning, failure):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="100")
    group = autoscaling.make_group(
        "ng-a", cpu="4", labels=of(queue), most=2 if failure == "too small" else 10
    )
    if failure == "rejects":
        group.fail_calls("rejects", times=1)
    autoscaling.start(initial_node_group_backoff_duration="10s")
    workload = queue.submit(cpu="1", count=10)
    within("answer", lambda: workload.is_prechecked() and group.has_target(0), clause="a")

    group.set_max_size(10)

    within("attempt", workload.is_admitted, clause="b")
    always(lambda: group.has_target(3), clause="c")


@scenario(
    "PRQ-262",
    "of two Workloads with capacity for one, the other waits until the capacity is free",
    requirement=("provisioning-request#booking", "provisioning-request#check-capacity"),
    shows="PR-230d CV-35",
    since="1.32",
    needs=NEEDS,
    clauses={"a": "one of them is admitted", "b": "one alone", "c": "the other afterwards"},
)
def test_two(autoscaling, provisioning, clock):
    queue = provisioning.make_queue(class_name=CHECK, cpu="100")
    autoscaling.make_nodes(3, cpu="4", labels=of(queue))
    autoscaling.start(provisioning_request_max_backoff_time="60s")
    workloads = [queue.submit(cpu="1", count=8) for _ in range(2)]

    within("answer", lambda: any(workload.is_admitted() for workload in workloads), clause="a")
    clock.advance(120)
    always(lambda: not all(workload.is_admitted() for workload in workloads), clause="b")
    first = next(workload for workload in workloads if workload.is_admitted())
    first.finish()

    other = next(workload for workload in workloads if workload is not first)
    within("attempt", other.is_admitted, clause="c")


def nothing():
    """Let everything go well."""


def ends(workload, pods):
    """Have a Job end well, and its pods go."""
    workload.finish()
    for pod in pods:
        pod.delete()


@scenario(
    "PRQ-263",
    "a Job runs on the nodes of its request, and they are removed afterwards, whatever fails meanwhile",
    requirement=("aep#conditions", "provisioning-request#atomic", "provisioning-request#fault-tolerant"),
    shows="GT-8 PR-231a PR-193 CV-35",
    since="1.32",
    needs=(*NEEDS, "faults of the autoscaler", "faults of Kueue"),
    clauses={"a": "admitted", "b": "its pods run on the nodes of one step", "c": "no node is left"},
    cases=rows(
        "fault",
        ("none",),
        ("request not written",),
        ("request cut",),
        ("answer not written",),
        ("answer cut",),
        ("autoscaler restarts",),
        ("Kueue restarts",),
        ("cloud is slow",),
        ("admission not written",),
        ("nodes not deleted",),
    ),
)
def test_job(autoscaling, provisioning, autoscaler_faults, controller_faults, clock, fault):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="100")
    group = autoscaling.make_group("ng-a", cpu="4", labels=of(queue))
    autoscaling.start(**QUICK)
    at_first, later = {
        "request not written": (
            lambda: controller_faults.refuse_writes("ProvisioningRequest", 500, times=3),
            nothing,
        ),
        "request cut": (lambda: controller_faults.lose_answers_to_writes("ProvisioningRequest"), nothing),
        "answer not written": (lambda: autoscaler_faults.disturb_writes(STATUS, 500, times=2), nothing),
        "answer cut": (lambda: autoscaler_faults.disturb_writes(STATUS, "cut after it", times=1), nothing),
        "autoscaler restarts": (nothing, autoscaling.restart),
        "Kueue restarts": (nothing, provisioning.restart),
        "cloud is slow": (lambda: group.fail_calls("is slow", times=1, extra_seconds=300), nothing),
        "admission not written": (
            lambda: controller_faults.refuse_writes("Workload/status", 409, times=3),
            nothing,
        ),
        "nodes not deleted": (lambda: group.fail_calls("rejects", times=1, method="delete_nodes"), nothing),
    }.get(fault, (nothing, nothing))

    at_first()
    workload = queue.submit("job", cpu="1", count=10)
    later()

    within("attempt", workload.is_admitted, clause="a")
    pods = autoscaling.make_pods_of(workload)
    clock.advance(400)
    within("boot", lambda: autoscaling.has_scheduled(pods), clause="b")
    always(lambda: group.was_increased_by(3), clause="b")
    ends(workload, pods)
    clock.advance(1300)
    within("recover", lambda: group.has_target(0) and group.has_nodes(0), clause="c")


@scenario(
    "PRQ-264",
    "the pods of a Job whose machines do not boot wait, no other node is requested, and none remains",
    requirement=("provisioning-request#cloud-failures", "provisioning-request#consumers"),
    shows="PR-231g PR-231e PR-180 CV-23 CV-35",
    since="1.32",
    needs=NEEDS,
    clauses={
        "a": "admitted, since the nodes were requested",
        "b": "only the pods that have a node run",
        "c": "no other node is requested",
        "d": "no node is left",
    },
    cases=rows(
        "failure how there",
        ("is out of stock", {"succeed": 1}, 4),
        ("never registers", {"indexes": (0,)}, 8),
        ("takes back", {"after_seconds": 30}, 0),
    ),
)
def test_machines_fail(autoscaling, provisioning, clock, failure, how, there):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="100")
    group = autoscaling.make_group("ng-a", cpu="4", labels=of(queue))
    group.fail_calls(failure, times=1, **how)
    autoscaling.start(**QUICK, max_node_provision_time="120s")

    workload = queue.submit("job", cpu="1", count=10)

    within("attempt", workload.is_admitted, clause="a")
    clock.advance(200)
    pods = autoscaling.make_pods_of(workload)
    clock.advance(60)
    always(lambda: autoscaling.has_scheduled(pods, there), clause="b")
    always(lambda: group.was_increased_by(3), clause="c")
    ends(workload, pods)
    clock.advance(1300)
    within("recover", lambda: group.has_target(0) and group.has_nodes(0), clause="d")


@scenario(
    "PRQ-265",
    "a Job that fits runs on existing nodes, and no group is scaled up",
    requirement=("provisioning-request#check-capacity", "provisioning-request#consumers"),
    shows="PR-230a PR-230i GT-8 CV-35",
    since="1.32",
    needs=NEEDS,
    clauses={"a": "admitted", "b": "its pods run", "c": "no node is requested"},
    cases=rows("class_name", (CHECK,), (ATOMIC,)),
)
def test_room(autoscaling, provisioning, class_name):
    queue = provisioning.make_queue(class_name=class_name, cpu="100")
    group = autoscaling.make_group("ng-a", nodes=3, cpu="4", labels=of(queue))
    autoscaling.start(scale_down_enabled=False)

    workload = queue.submit("job", cpu="1", count=12)

    within("attempt", workload.is_admitted, clause="a")
    pods = autoscaling.make_pods_of(workload)
    within("boot", lambda: autoscaling.has_scheduled(pods), clause="b")
    always(group.was_increased_by, clause="c")


@scenario(
    "PRQ-266",
    "a Job that is deleted at any step leaves no request, and no node that nothing needs",
    requirement=("provisioning-request#cancel", "provisioning-request#atomic"),
    shows="PR-197 PR-231h CV-22 CV-35",
    since="1.32",
    needs=NEEDS,
    clauses={"a": "no request is left", "b": "no node is left"},
    cases=rows("step", ("submitted",), ("admitted",), ("nodes are there",), ("runs",)),
)
def test_deleted(autoscaling, provisioning, clock, step):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="100")
    group = autoscaling.make_group("ng-a", cpu="4", labels=of(queue))
    autoscaling.start(**QUICK)
    workload = queue.submit("job", cpu="1", count=10)
    request, steps = workload.request(queue.checks[0]), ("submitted", "admitted", "nodes are there", "runs")
    reached = steps.index(step)
    within("attempt", workload.is_admitted) if reached else None
    clock.advance(100 if reached > 1 else 0)
    pods = autoscaling.make_pods_of(workload) if reached > 2 else ()

    workload.delete()
    for pod in pods:
        pod.delete()

    within("recover", request.is_missing, clause="a")
    clock.advance(1300)
    within("recover", lambda: group.has_target(0) and group.has_nodes(0), clause="b")


@scenario(
    "PRQ-267",
    "many Jobs get the nodes of their own requests, and all nodes are removed afterwards",
    requirement=("provisioning-request#order", "provisioning-request#atomic"),
    shows="PR-234c PR-120 CV-35",
    since="1.32",
    needs=NEEDS,
    clauses={"a": "all are admitted", "b": "by one step each", "c": "no node is left"},
)
def test_many(autoscaling, provisioning, clock):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="200")
    group = autoscaling.make_group("ng-a", most=50, cpu="4", labels=of(queue))
    autoscaling.start(**QUICK)

    workloads = [queue.submit("job", cpu="1", count=4) for _ in range(8)]

    within("attempt", lambda: all(workload.is_admitted() for workload in workloads), clause="a")
    always(lambda: group.was_increased_by(*[1] * 8), clause="b")
    for workload in workloads:
        workload.finish()
    clock.advance(1300)
    within("recover", lambda: group.has_target(0) and group.has_nodes(0), clause="c")
