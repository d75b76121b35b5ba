"""PRQ: a cloud that refuses, breaks, forgets, hangs or lies (PR-172, PR-177, PR-190, PR-191, PR-355…366)."""

from kueue_conformance import always, rows, scenario, within

GROUPS = ("node groups",)
EXACT = (*GROUPS, "virtual time")


@scenario(
    "PRQ-150",
    "failed machines are removed, and the request keeps its conditions",
    requirement="provisioning-request#cloud-failures",
    shows="PR-177 PR-359 PR-231e PR-361 PR-362 CV-23",
    needs=EXACT,
    clauses={"a": "Provisioned", "b": "the failed ones are removed", "c": "the answer stays"},
    cases=rows(
        "failure how left",
        ("is out of stock", {"succeed": 2}, 2),
        ("breaks", {"indexes": (0,)}, 2),
        ("is out of stock", {"succeed": 0}, 0),
    ),
)
def test_failed_machines(autoscaling, clock, failure, how, left):
    group = autoscaling.make_group("ng-a")
    group.fail_calls(failure, times=1, **how)
    autoscaling.start()
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", request.is_provisioned, clause="a")

    clock.advance(120)

    within("answer", lambda: group.has_target(left), clause="b")
    always(request.is_booked, clause="c")


@scenario(
    "PRQ-151",
    "a group whose machines failed is in back-off, which doubles each time",
    requirement="provisioning-request#cloud-failures",
    shows="PR-190 PR-191 CV-23",
    needs=EXACT,
    level="should",
    since="1.32",
    clauses={"a": "asked again after five minutes, ten, twenty, and thirty at most"},
)
def test_longer_each_time(autoscaling, clock):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("rejects")
    # A little less than five minutes: a backoff that ends between two loops is over in the later one,
    # whatever "over" means to the second.
    autoscaling.start(
        initial_node_group_backoff_duration="297s",
        provisioning_request_initial_backoff_time="60s",
        provisioning_request_max_backoff_time="60s",
    )
    request = autoscaling.make_request(4, "atomic", cpu="1")
    within("answer", request.is_out_of_capacity)

    clock.advance(300 + 600 + 1200 + 1800 + 120)

    within("answer", lambda: group.was_increased_after(300, 600, 1200, 1800), clause="a")


@scenario(
    "PRQ-152",
    "when a request and its group both back off from a cloud that refuses every call, the longer wait counts",
    requirement=("provisioning-request#cloud-failures", "provisioning-request#retry-times"),
    shows="GT-7 PR-231f",
    needs=EXACT,
    level="should",
    since="1.32",
    clauses={"a": "asked at 0, 420 and 1500 seconds"},
)
def test_both_wait(autoscaling, clock):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("rejects")
    autoscaling.start()
    request = autoscaling.make_request(4, "atomic", cpu="1")
    within("answer", request.is_out_of_capacity)

    clock.advance(1500 + 40)

    within("answer", lambda: group.was_increased_after(420, 1080), clause="a")


@scenario(
    "PRQ-153",
    "a machine that never registers is removed after its time-out, and the request keeps its conditions",
    requirement="provisioning-request#cloud-failures",
    shows="PR-358 PR-177 PR-231g PR-364",
    needs=EXACT,
    clauses={
        "a": "Provisioned",
        "b": "waited for",
        "c": "then removed",
        "d": "the others stay, and the answer",
    },
    cases=rows("listed", (True,), (False,)),
)
def test_never_registers(autoscaling, clock, listed):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("never registers", times=1, indexes=(0,), listed=listed)
    autoscaling.start(max_node_provision_time="300s")
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", request.is_provisioned, clause="a")

    clock.advance(240)
    always(lambda: group.has_target(3), clause="b")
    clock.advance(120)

    within("answer", lambda: group.has_target(2), clause="c")
    always(lambda: request.is_booked() and group.has_nodes(2), clause="d")


@scenario(
    "PRQ-154",
    "a slow machine is waited for, and no other is requested in its place",
    requirement="provisioning-request#cloud-failures",
    shows="PR-363 PR-323",
    needs=EXACT,
    clauses={"a": "Provisioned", "b": "one call", "c": "it registers"},
)
def test_slow(autoscaling, clock):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("is slow", times=1, extra_seconds=400)
    autoscaling.start()
    within("answer", autoscaling.make_request(8, "atomic", cpu="1").is_provisioned, clause="a")

    clock.advance(300)
    always(lambda: group.was_increased_by(2), clause="b")
    clock.advance(240)

    within("answer", lambda: group.has_nodes(2) and group.was_increased_by(2), clause="c")


@scenario(
    "PRQ-155",
    "a cloud that is unreachable or does not answer holds up no request for ever",
    requirement="provisioning-request#cloud-failures",
    shows="PR-110 PR-360",
    needs=EXACT,
    clauses={"a": "no condition without an answer of the cloud", "b": "Provisioned when the cloud is back"},
    cases=rows("failure", ("is away",), ("hangs",)),
)
def test_away(autoscaling, clock, failure):
    group = autoscaling.make_group("ng-a")
    autoscaling.start()
    within("answer", autoscaling.make_request(4, "atomic", cpu="1").is_provisioned)
    group.fail_calls(failure)

    request = autoscaling.make_request(4, "atomic", cpu="1")
    clock.advance(120)
    always(lambda: not request.is_provisioned(), clause="a")
    autoscaling.cloud.mend()

    within("recover", request.is_provisioned, clause="b")


@scenario(
    "PRQ-156",
    "a scale-up that took effect without an answer is not requested twice",
    requirement="provisioning-request#cloud-failures",
    shows="PR-114 PR-176",
    needs=EXACT,
    clauses={"a": "Provisioned in the end", "b": "and no node more than is needed"},
)
def test_done_and_not_answered(autoscaling):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("hangs", times=1, method="increase", carried_out=True)
    autoscaling.start()

    request = autoscaling.make_request(12, "atomic", cpu="1")

    within("eventually", request.is_provisioned, clause="a")
    always(lambda: group.has_target(3), clause="b")


@scenario(
    "PRQ-157",
    "machines that the cloud reports and that do not exist are no capacity",
    requirement="provisioning-request#cloud-failures",
    shows="PR-323 PR-358",
    needs=EXACT,
    clauses={"a": "Provisioned once the cloud reports the truth", "b": "the machines register"},
    cases=rows("how", ({"unknown_instances": 2},), ({"size_delta": 1},)),
)
def test_lies(autoscaling, clock, how):
    group = autoscaling.make_group("ng-a")
    group.fail_calls("lies", **how)
    autoscaling.start()
    clock.advance(60)
    autoscaling.cloud.mend()

    request = autoscaling.make_request(12, "atomic", cpu="1")

    within("recover", request.is_provisioned, clause="a")
    within("boot", lambda: group.has_nodes(3), clause="b")


@scenario(
    "PRQ-158",
    "a Node that vanishes is no longer capacity, and written conditions stay",
    requirement="provisioning-request#cloud-failures",
    shows="PR-366 PR-177 CV-34",
    needs=GROUPS,
    clauses={"a": "the answer stays", "b": "the lost capacity is not used"},
)
def test_vanishes(autoscaling):
    group = autoscaling.make_group("ng-a", nodes=2, most=2, cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(4, cpu="1")
    within("answer", request.is_provisioned)
    within("boot", lambda: group.has_nodes(2))

    for node in group.node_names():
        group.remove_machine(node)
    within("answer", lambda: group.has_nodes(0))

    within("answer", autoscaling.make_request(1, cpu="1").is_out_of_capacity, clause="b")
    always(request.is_booked, clause="a")


@scenario(
    "PRQ-159",
    "failures of a node group are reported by events",
    requirement="provisioning-request#events",
    shows="PR-192 PR-359 PR-358",
    needs=EXACT,
    level="may",
    clauses={"a": "the recorded reason"},
    cases=rows(
        "failure how reason",
        ("rejects", {}, "FailedToScaleUpGroup"),
        ("is out of stock", {}, "ScaleUpFailed"),
        ("never registers", {}, "DeleteUnregistered"),
        ("never registers", {"listed": False}, "ScaleUpTimedOut"),
    ),
)
def test_events(autoscaling, clock, failure, how, reason):
    group = autoscaling.make_group("ng-a")
    group.fail_calls(failure, times=1, **how)
    autoscaling.start(max_node_provision_time="60s")
    within("answer", autoscaling.make_request(4, "atomic", cpu="1").is_accepted)

    clock.advance(120)

    within("answer", lambda: autoscaling.has_status_event(reason), clause="a")
