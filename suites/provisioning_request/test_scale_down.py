"""PRQ: nodes whose capacity is booked stay; unused ones go (PR-194, PR-195, PR-372, PR-373, GT-4, GT-5)."""

from kueue_conformance import always, rows, scenario, within

NEEDS = ("node groups", "virtual time")
TO_BE_DELETED = "ToBeDeletedByClusterAutoscaler"
SOON = {
    "scale_down_unneeded_time": "60s",
    "scale_down_delay_after_add": "10s",
    "unremovable_node_recheck_timeout": "10s",
}


@scenario(
    "PRQ-170",
    "nodes that were added for a request stay while its capacity is booked, and are removed afterwards",
    requirement="provisioning-request#scale-down",
    shows="PR-194 PR-195 PR-382 GT-4",
    needs=NEEDS,
    level="should",
    clauses={"a": "they stay", "b": "they are removed"},
)
def test_booked(autoscaling, clock):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start(**SOON)
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", request.is_provisioned)

    clock.advance(580)
    always(lambda: group.has_nodes(3), clause="a")
    clock.advance(30)
    within("answer", request.is_booking_expired)

    clock.advance(60)
    within("attempt", lambda: group.has_target(0), clause="b")


@scenario(
    "PRQ-171",
    "nodes of a deleted request are removed when they were unneeded for long enough",
    requirement=("provisioning-request#scale-down", "provisioning-request#cancel"),
    shows="PR-196 PR-231h GT-5",
    needs=NEEDS,
    level="should",
    clauses={"a": "no node is removed at once", "b": "they are removed"},
    cases=rows("after", (20,), (180,)),
)
def test_cancelled(autoscaling, clock, after):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start(**SOON)
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", request.is_provisioned)
    clock.advance(after)

    request.delete()

    always(lambda: group.has_target(3), clause="a")
    clock.advance(180)
    within("attempt", lambda: group.has_target(0), clause="b")


@scenario(
    "PRQ-172",
    "nodes that a check-capacity request has booked stay while the booking lasts",
    requirement="provisioning-request#scale-down",
    shows="PR-382 PR-230e",
    needs=NEEDS,
    level="should",
    clauses={"a": "they stay", "b": "they are removed"},
)
def test_checked(autoscaling, clock):
    group = autoscaling.make_group("ng-a", nodes=3, cpu="4")
    autoscaling.start(**SOON)
    within("answer", autoscaling.make_request(12, cpu="1").is_provisioned)

    clock.advance(580)
    always(lambda: group.has_nodes(3), clause="a")

    clock.advance(120)
    within("attempt", lambda: group.has_target(0), clause="b")


@scenario(
    "PRQ-173",
    "a check-capacity request that finds capacity postpones the removal of nodes",
    requirement="provisioning-request#scale-down",
    shows="PR-127",
    needs=NEEDS,
    level="may",
    clauses={"a": "they stay for the delay", "b": "they are removed"},
)
def test_put_off(autoscaling, clock):
    node = autoscaling.make_node(cpu="8")
    group = autoscaling.make_group("ng-a", nodes=2, cpu="4")
    autoscaling.start(**{**SOON, "scale_down_delay_after_add": "200s", "scale_down_unneeded_time": "20s"})
    assert node.exists(), "a: a Node of no group has the room"
    within("answer", autoscaling.make_request(1, cpu="8").is_provisioned)

    clock.advance(150)
    always(lambda: group.has_nodes(2), clause="a")

    clock.advance(60)
    within("attempt", lambda: group.has_target(0), clause="b")


@scenario(
    "PRQ-174",
    "a node that could not be deleted accepts pods again, and is removed later",
    requirement="provisioning-request#scale-down",
    shows="PR-373 PR-371",
    needs=NEEDS,
    level="should",
    clauses={"a": "the deletion taint is removed", "b": "it is removed later"},
    cases=rows("times", (1,), (3,)),
)
def test_not_deleted(autoscaling, clock, times):
    group = autoscaling.make_group("ng-a", nodes=1, cpu="4")
    group.fail_calls("rejects", times=times, method="delete_nodes")
    autoscaling.start(**SOON, scale_down_delay_after_failure="60s")

    clock.advance(100)

    within("answer", lambda: group.has_nodes(1) and group.has_no_taint(TO_BE_DELETED), clause="a")
    clock.advance(300)
    within("attempt", lambda: group.has_target(0), clause="b")


@scenario(
    "PRQ-175",
    "the deletion taint of an earlier run is removed",
    requirement=("provisioning-request#restart-safe", "provisioning-request#scale-down"),
    shows="PR-198 PR-373",
    needs=("node groups",),
    level="should",
    clauses={"a": "its room is found"},
)
def test_left_over(autoscaling):
    group = autoscaling.make_group("ng-a", nodes=1, most=1, cpu="4")
    autoscaling.start(scale_down_enabled=False)
    within("boot", lambda: group.has_nodes(1))
    group.add_taint(TO_BE_DELETED)
    autoscaling.restart()

    request = autoscaling.make_request(4, cpu="1")

    within("attempt", request.is_provisioned, clause="a")


@scenario(
    "PRQ-176",
    "capacity is booked on all nodes in turn, so that none of them is unneeded while it is kept",
    requirement="provisioning-request#scale-down",
    shows="PR-382 PR-384 PR-230e",
    needs=NEEDS,
    level="should",
    clauses={"a": "all stay", "b": "they go afterwards"},
    cases=rows("checks", (1,), (3,)),
)
def test_spread(autoscaling, clock, checks):
    group = autoscaling.make_group("ng-a", nodes=4, cpu="4")
    autoscaling.start(**SOON)
    requests = [autoscaling.make_request(12 // checks, cpu="1") for _ in range(checks)]
    within("attempt", lambda: all(request.is_provisioned() for request in requests))

    clock.advance(570)
    always(lambda: group.has_nodes(4), clause="a")

    clock.advance(180)
    within("attempt", lambda: group.has_target(0), clause="b")
