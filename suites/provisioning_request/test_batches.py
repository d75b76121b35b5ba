"""PRQ: several requests beside each other, one a loop or
in batches (PR-120, PR-124d, PR-128, PR-129, PR-135…137).
"""

from kueue_conformance import always, rows, scenario, within

GROUPS = ("node groups",)
EXACT = ("virtual time",)
BATCHES = {"check_capacity_batch_processing": True}


@scenario(
    "PRQ-190",
    "every request is handled, and as many find capacity as there is capacity for",
    requirement=("provisioning-request#order", "provisioning-request#booking"),
    shows="PR-120 PR-234a PR-234b",
    clauses={"a": "all have an answer", "b": "so many are Provisioned"},
    cases=rows("batches", (False,), (True,)),
)
def test_all_are_answered(autoscaling, batches):
    autoscaling.make_nodes(2, cpu="4")
    requests = [autoscaling.make_request(1, cpu="1") for _ in range(16)]

    autoscaling.start(check_capacity_batch_processing=batches)

    within("attempt", lambda: autoscaling.has_answered(requests), clause="a")
    within("answer", lambda: autoscaling.has_provisioned(requests, 8), clause="b")


@scenario(
    "PRQ-191",
    "without batches one request is handled in a loop",
    requirement="provisioning-request#order",
    shows="PR-120",
    level="may",
    needs=EXACT,
    clauses={"a": "one after another"},
)
def test_one_a_loop(autoscaling):
    requests = [autoscaling.make_request(1) for _ in range(4)]

    autoscaling.start(frequent_loops_enabled=False)

    within("attempt", lambda: autoscaling.has_answered(requests))
    within("answer", lambda: autoscaling.was_set_in_batches(requests, "Provisioned", 1, 1, 1, 1), clause="a")


@scenario(
    "PRQ-192",
    "in batches as many requests are handled in a loop as the flag says",
    requirement="provisioning-request#batches",
    shows="PR-104 PR-128 PR-234b CV-26",
    since="1.32",
    level="may",
    needs=EXACT,
    clauses={"a": "so many in each loop"},
    cases=rows(
        "size turns",
        (10, "10,2"),
        (5, "5,5,2"),
        (1, "1,1,1,1,1,1,1,1,1,1,1,1"),
        (0, "1,1,1,1,1,1,1,1,1,1,1,1"),
    ),
)
def test_batch_size(autoscaling, size, turns):
    autoscaling.make_nodes(1, cpu="100")
    requests = [autoscaling.make_request(1) for _ in range(12)]

    autoscaling.start(
        **BATCHES, check_capacity_provisioning_request_max_batch_size=size, frequent_loops_enabled=False
    )

    within(
        "eventually", lambda: autoscaling.is_true_of_all(requests, lambda request: request.is_provisioned())
    )
    within(
        "answer",
        lambda: autoscaling.was_set_in_batches(requests, "Provisioned", *map(int, turns.split(","))),
        clause="a",
    )


@scenario(
    "PRQ-193",
    "in a batch the capacity that one request has booked is not used for the next, and a failed one books none",
    requirement=("provisioning-request#batches", "provisioning-request#booking"),
    shows="PR-128 CV-26",
    since="1.32",
    clauses={"a": "all have an answer", "b": "one of the two large ones, and the small one"},
)
def test_beside_each_other(autoscaling):
    autoscaling.make_nodes(1, cpu="12", memory="64Gi")
    large = [autoscaling.make_request(8, cpu="1") for _ in range(2)]
    small = autoscaling.make_request(4, cpu="1")

    autoscaling.start(**BATCHES)

    within("attempt", lambda: autoscaling.has_answered([*large, small]), clause="a")
    within("answer", lambda: autoscaling.has_provisioned(large, 1) and small.is_provisioned(), clause="b")


@scenario(
    "PRQ-194",
    "in batches Accepted and the outcome of a request are one write",
    requirement="provisioning-request#batches",
    shows="PR-129",
    since="1.32",
    level="may",
    clauses={"a": "both at once"},
    cases=rows("size", (10,), (1,)),
)
def test_one_write(autoscaling, size):
    autoscaling.make_node()
    autoscaling.start(**BATCHES, check_capacity_provisioning_request_max_batch_size=size)

    request = autoscaling.make_request(1)

    within("answer", request.is_provisioned)
    within(
        "answer",
        lambda: request.had_conditions_in_order("Accepted+Provisioned") and request.was_written(1),
        clause="a",
    )


@scenario(
    "PRQ-195",
    "a single request in batches is tried again only when its delay has reached the longest one",
    requirement="provisioning-request#batches",
    shows="PR-124d GT-2 CV-26",
    since="1.32",
    level="may",
    clauses={"a": "after 600 seconds each"},
    needs=EXACT,
)
def test_doubled_twice(autoscaling, clock):
    autoscaling.start(**BATCHES)
    request = autoscaling.make_request(1)
    within("answer", request.is_out_of_capacity)

    clock.advance(1200 + autoscaling.times.scan)

    within("answer", lambda: request.was_tried_after(600, 600), clause="a")


@scenario(
    "PRQ-196",
    "requests that fail at once are handled in batches as well",
    requirement=(
        "provisioning-request#batches",
        "provisioning-request#no-retry",
        "provisioning-request#templates",
    ),
    shows="PR-128 CV-26",
    since="1.32",
    clauses={"a": "failed", "b": "failed", "c": "Provisioned"},
)
def test_mixed_results(autoscaling):
    autoscaling.make_nodes(1, cpu="4")
    hopeless = autoscaling.make_request(5, cpu="1", parameters={"noRetry": "true"})
    broken = autoscaling.make_request([("missing", 1)])
    good = autoscaling.make_request(4, cpu="1")

    autoscaling.start(**BATCHES)

    within("answer", hopeless.is_failed, clause="a")
    within("answer", broken.is_failed, clause="b")
    within("answer", good.is_provisioned, clause="c")


@scenario(
    "PRQ-197",
    "atomic requests take turns with check-capacity requests, in batches too",
    requirement="provisioning-request#order",
    shows="PR-137 PR-155 CV-26",
    needs=GROUPS,
    clauses={"a": "all are answered", "b": "the group has grown for them"},
    cases=rows("batches", (False,), (True,)),
)
def test_atomic_beside_checks(autoscaling, batches):
    group = autoscaling.make_group("ng-a", cpu="4")
    checks = [autoscaling.make_request(1, cpu="1") for _ in range(6)]
    atomic = [autoscaling.make_request(4, "atomic", cpu="1") for _ in range(2)]

    autoscaling.start(check_capacity_batch_processing=batches)

    within("attempt", lambda: autoscaling.has_answered([*checks, *atomic]), clause="a")
    within(
        "attempt", lambda: autoscaling.has_provisioned(atomic, 2) and len(group.increases()) == 2, clause="b"
    )


@scenario(
    "PRQ-198",
    "ordinary pods and requests take turns",
    requirement="provisioning-request#order",
    shows="PR-135 PR-136 PR-118 CV-19",
    needs=GROUPS,
    clauses={"a": "the request is answered", "b": "the pods run", "c": "each by nodes of its own"},
)
def test_pods_beside_requests(autoscaling, clock):
    group = autoscaling.make_group("ng-a", cpu="4")
    pods = [autoscaling.make_pod(cpu="4") for _ in range(2)]
    clock.advance(3)
    request = autoscaling.make_request(4, "atomic", cpu="1")

    autoscaling.start()

    within("attempt", request.is_provisioned, clause="a")
    within("recover", lambda: autoscaling.has_scheduled(pods), clause="b")
    always(lambda: group.has_target(3), clause="c")


@scenario(
    "PRQ-199",
    "ordinary pods and a request get their nodes in one loop where several scale-ups in a loop are asked for",
    requirement="provisioning-request#order",
    shows="PR-118 PR-118a",
    since="1.36",
    needs=(*GROUPS, "virtual time"),
    level="should",
    clauses={"a": "in one loop", "b": "none a node too many"},
    cases=rows("pod_cpu increases", ("4", (1, 1)), ("2", (1, 1)), ("1", (1,))),
)
def test_salvo(autoscaling, clock, pod_cpu, increases):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.make_request(3, "atomic", cpu="1")
    autoscaling.make_pod(cpu=pod_cpu)
    clock.advance(3)

    autoscaling.start(salvo_scale_up=True, frequent_loops_enabled=False, scan_interval="60s")

    within("answer", group.has_grown)
    clock.advance(30)
    always(lambda: group.was_increased_by(*increases), clause="a")
    always(lambda: group.has_target(len(increases)), clause="b")
