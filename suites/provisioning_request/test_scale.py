"""PRQ: the sizes of the proposal: 500 requests of one pod, one of 16 000 pods, 200 atomic ones, as requests
and as Jobs (PR-234).
"""

from kueue_conformance import always, rows, scenario, within

EXACT = ("virtual time",)
GROUPS = ("node groups",)
STACK = ("ProvisioningRequests", *GROUPS, *EXACT)
ATOMIC = "best-effort-atomic-scale-up.autoscaling.x-k8s.io"
CHECK = "check-capacity.autoscaling.x-k8s.io"


def of(queue):
    """Return the labels of nodes that belong to the flavor of a queue."""
    return {"kueue-conformance.dev/flavor": queue.flavors[0]}


@scenario(
    "PRQ-280",
    "of 500 requests of one pod as many find capacity as fit, and none is tried twice within its delay",
    requirement=("provisioning-request#order", "provisioning-request#booking"),
    shows="PR-234a PR-234b PR-120 PR-121",
    needs=EXACT,
    large=True,
    clauses={"a": "all have an answer", "b": "those for which there is room", "c": "each was tried once"},
    cases=rows("batches", (False,), (True,)),
)
def test_checks(autoscaling, batches):
    autoscaling.make_nodes(25, cpu="10", memory="64Gi")
    requests = [autoscaling.make_request(1, cpu="1") for _ in range(500)]

    autoscaling.start(check_capacity_batch_processing=batches)

    within("attempt", lambda: autoscaling.has_answered(requests), clause="a")
    within("answer", lambda: autoscaling.has_provisioned(requests, 250), clause="b")
    always(lambda: autoscaling.were_written(requests, 1 if batches else 2), clause="c")


@scenario(
    "PRQ-281",
    "200 atomic requests get a scale-up each, and no node more than they need",
    requirement=("provisioning-request#order", "provisioning-request#atomic"),
    shows="PR-234c PR-155 PR-120",
    needs=(*GROUPS, *EXACT),
    large=True,
    clauses={"a": "all are Provisioned", "b": "one call for each"},
)
def test_atomic(autoscaling):
    group = autoscaling.make_group("ng-a", cpu="4", most=200)
    autoscaling.start()

    requests = [autoscaling.make_request(4, "atomic", cpu="1") for _ in range(200)]

    within("attempt", lambda: autoscaling.has_provisioned(requests, 200), clause="a")
    always(lambda: group.was_increased_by(*([1] * 200)), clause="b")


@scenario(
    "PRQ-282",
    "a request of 16 000 pods in 32 pod sets gets 1 000 nodes in one step; one pod more is refused",
    requirement=("provisioning-request#packing", "provisioning-request#limits"),
    shows="PR-234d PR-345 PR-166",
    needs=(*GROUPS, *EXACT),
    large=True,
    clauses={"a": "one more is refused", "b": "so many are provided", "c": "in one step"},
)
def test_pods(autoscaling):
    group = autoscaling.make_group("ng-a", cpu="4", memory="64Gi", most=2000)
    autoscaling.start(max_nodes_per_scaleup=1000)
    sets = [(autoscaling.make_template(cpu="250m", memory="1Gi"), 500) for _ in range(32)]

    within(
        "answer",
        autoscaling.make_request([*sets[:31], (sets[31][0], 501)], "atomic").is_out_of_capacity,
        clause="a",
    )

    within("answer", autoscaling.make_request(sets, "atomic").is_provisioned, clause="b")
    always(lambda: group.was_increased_by(1000), clause="c")


@scenario(
    "PRQ-283",
    "200 Jobs get the nodes of their own requests, and all nodes are removed afterwards",
    requirement=("provisioning-request#order", "provisioning-request#atomic"),
    shows="PR-234c PR-120",
    since="1.32",
    needs=STACK,
    large=True,
    clauses={"a": "all are admitted", "b": "by one step each", "c": "no node is left"},
)
def test_jobs(autoscaling, provisioning, clock):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="1000")
    group = autoscaling.make_group("ng-a", most=200, cpu="4", labels=of(queue))
    autoscaling.start(
        scale_down_unneeded_time="60s",
        scale_down_delay_after_add="10s",
        unremovable_node_recheck_timeout="10s",
    )

    workloads = [queue.submit("job", cpu="1", count=4) for _ in range(200)]

    within("attempt", lambda: provisioning.has_admitted(workloads, 200), clause="a")
    always(lambda: group.was_increased_by(*[1] * 200), clause="b")
    for workload in workloads:
        workload.finish()
    clock.advance(1800)
    within("recover", lambda: group.has_target(0) and group.has_nodes(0), clause="c")


@scenario(
    "PRQ-284",
    "of 500 Jobs of one pod as many are admitted as fit",
    requirement=("provisioning-request#order", "provisioning-request#booking"),
    shows="PR-234a PR-120",
    since="1.32",
    needs=STACK,
    large=True,
    clauses={"a": "as many as there is room for", "b": "no more"},
)
def test_small_jobs(autoscaling, provisioning, clock):
    queue = provisioning.make_queue(class_name=CHECK, cpu="1000")
    autoscaling.make_nodes(25, cpu="10", memory="64Gi", labels=of(queue))
    autoscaling.start()

    workloads = [queue.submit("job", cpu="1", count=1) for _ in range(500)]

    within("attempt", lambda: provisioning.has_admitted(workloads, 250), clause="a")
    clock.advance(300)
    always(lambda: provisioning.has_admitted(workloads, 250), clause="b")


@scenario(
    "PRQ-285",
    "a Job of 16 000 pods is admitted when its 1 000 nodes are requested, and they are removed with it",
    requirement=("provisioning-request#packing", "provisioning-request#atomic"),
    shows="PR-234d PR-345",
    since="1.32",
    needs=STACK,
    large=True,
    clauses={"a": "admitted", "b": "in one step", "c": "no node is left"},
)
def test_large_job(autoscaling, provisioning, clock):
    queue = provisioning.make_queue(class_name=ATOMIC, cpu="4000")
    group = autoscaling.make_group("ng-a", cpu="4", memory="64Gi", most=1000, labels=of(queue))
    autoscaling.start(
        max_nodes_per_scaleup=1000,
        scale_down_unneeded_time="60s",
        scale_down_delay_after_add="10s",
        unremovable_node_recheck_timeout="10s",
        max_scale_down_parallelism=1000,
    )

    workload = queue.submit("job", cpu="250m", count=16_000)

    within("attempt", workload.is_admitted, clause="a")
    always(lambda: group.was_increased_by(1000), clause="b")
    workload.finish()
    clock.advance(1300)
    within("recover", lambda: group.has_target(0) and group.has_nodes(0), clause="c")
