"""PRQ: what was not promised: templates that change late, requests that go at a bad moment, autoscalers that
end, writes that fail, clouds that lie (PR-090, PR-196…198, PR-360…371).
"""

from kueue_conformance import always, rows, scenario, within

GROUPS = ("node groups",)
EXACT = (*GROUPS, "virtual time")
FAULTS = ("faults of the autoscaler",)
STATUS = "ProvisioningRequest/status"
WRITES = (409, 422, 429, 500, 504, "failed after it", "cut after it")
QUICK = {
    "scan_interval": "60s",
    "scale_down_unneeded_time": "60s",
    "scale_down_unready_time": "60s",
    "scale_down_delay_after_add": "10s",
    "scale_down_delay_after_failure": "30s",
    "unremovable_node_recheck_timeout": "10s",
    "max_node_provision_time": "120s",
    "max_node_startup_time": "120s",
    "initial_node_group_backoff_duration": "30s",
}
NONE_LEFT = 1500
"""Seconds after which a booking has ended and all that nothing needs has gone."""


def none_is_left(group):
    """Tell whether a group has neither machines nor Nodes."""
    return group.has_target(0) and group.has_nodes(0)


@scenario(
    "PRQ-029",
    "a template that changes while the nodes of its request boot adds no other nodes",
    requirement=("provisioning-request#templates", "provisioning-request#odd-input"),
    shows="PR-381 PR-385",
    needs=EXACT,
    clauses={"a": "Provisioned", "b": "no other node is requested", "c": "the answer stays"},
    cases=rows("cpu", ("2",), ("100",), ("0",)),
)
def test_template_changes_late(autoscaling, clock, cpu):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start()
    template = autoscaling.make_template(cpu="1")
    request = autoscaling.make_request([(template, 12)], "atomic")
    within("answer", request.is_provisioned, clause="a")

    autoscaling.change_template(template, cpu=cpu)
    clock.advance(300)

    always(lambda: group.was_increased_by(3), clause="b")
    always(request.is_booked, clause="c")


@scenario(
    "PRQ-160",
    "whatever the cloud does wrong, no machine remains that nothing needs",
    requirement="provisioning-request#cloud-failures",
    shows="PR-358 PR-359 PR-361 PR-362 PR-363 PR-364 PR-365 PR-366 PR-371",
    needs=EXACT,
    since="1.32",
    clauses={"a": "answered", "b": "no machine is left, and no Node"},
    cases=rows(
        "failure how",
        ("is out of stock", {"succeed": 1}),
        ("breaks", {"indexes": (0,)}),
        ("is slow", {"extra_seconds": 400}),
        ("never registers", {"indexes": (0,)}),
        ("never registers", {"listed": False}),
        ("stays unready", {"for_seconds": 100_000}),
        ("takes back", {"after_seconds": 30}),
        ("rejects", {}),
        ("is away", {}),
        ("hangs", {}),
        ("hangs", {"method": "increase", "carried_out": True}),
        ("hangs", {"method": "delete_nodes"}),
        ("rejects", {"method": "delete_nodes"}),
        ("lies", {"unknown_instances": 2}),
        ("lies", {"size_delta": 1}),
        ("lies", {"size_delta": -1}),
        ("lies", {"hidden_instances": 1}),
    ),
)
def test_no_leak(autoscaling, clock, failure, how):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start(**QUICK, ok_total_unready_count=10)
    group.fail_calls(failure, times=3, **how)

    request = autoscaling.make_request(12, "atomic", cpu="1")
    clock.advance(150)
    autoscaling.cloud.mend()

    within("attempt", lambda: autoscaling.has_answered([request]), clause="a")
    clock.advance(NONE_LEFT)
    within("recover", lambda: none_is_left(group), clause="b")


@scenario(
    "PRQ-208",
    "a deleted request leaves nothing behind, in any state",
    requirement="provisioning-request#cancel",
    shows="PR-196 PR-197 CV-22",
    needs=(*FAULTS, "virtual time"),
    since="1.32",
    clauses={"a": "it stays away", "b": "its room is found"},
    cases=rows("state", ("taken up",), ("its answer is not written",), ("short",), ("given up",), ("over",)),
)
def test_deleted(autoscaling, autoscaler_faults, clock, state):
    autoscaling.make_node(cpu="4")
    parameters = {"noRetry": "true"} if state == "given up" else None
    request = autoscaling.make_request(
        5 if state in {"short", "given up"} else 4, cpu="1", parameters=parameters
    )
    if state == "taken up":
        request.set_foreign_conditions(Accepted=True)
        request.delete()
    if state == "over":
        request.set_foreign_conditions(ago=700, Provisioned=True)
    if state == "its answer is not written":
        autoscaler_faults.disturb_writes(STATUS, 500, times=1)
    autoscaling.start(check_capacity_batch_processing=True)
    reached = {
        "its answer is not written": autoscaler_faults.have_struck,
        "short": request.is_out_of_capacity,
        "given up": request.is_failed,
        "over": request.is_booking_expired,
    }
    if state != "taken up":
        within("answer", reached[state])
        request.delete()
    clock.advance(2 * autoscaling.times.scan)

    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="b")
    always(request.is_gone, clause="a")


@scenario(
    "PRQ-209",
    "wherever an autoscaler ends, the next one handles the request, and no machine remains",
    requirement=("provisioning-request#restart-safe", "provisioning-request#atomic"),
    shows="PR-198 PR-092 CV-21",
    needs=(*FAULTS, *EXACT),
    since="1.32",
    clauses={"a": "Provisioned", "b": "no machine is left, and no Node"},
    cases=rows(
        "step",
        ("taken up",),
        ("refused",),
        ("asked for",),
        ("answered",),
        ("boots",),
        ("ready",),
        ("booking over",),
        ("not deleted",),
    ),
)
def test_ends(autoscaling, autoscaler_faults, clock, step):
    group = autoscaling.make_group("ng-a", cpu="4")
    if step == "taken up":
        autoscaler_faults.disturb_writes(STATUS, "cut after it", times=1)
    if step == "refused":
        group.fail_calls("rejects", times=1)
    if step == "asked for":
        group.fail_calls("hangs", times=1, method="increase", carried_out=True)
    autoscaling.start(**QUICK)
    request = autoscaling.make_request(12, "atomic", cpu="1")
    clock.advance({"boots": 40, "ready": 100, "booking over": 640, "not deleted": 640}.get(step, 0))
    if step == "not deleted":
        group.fail_calls("hangs", times=1, method="delete_nodes")
        clock.advance(120)
    autoscaler_faults.remove_all()

    autoscaling.restart()

    within("attempt", request.is_provisioned, clause="a")
    clock.advance(NONE_LEFT)
    within("recover", lambda: none_is_left(group), clause="b")


@scenario(
    "PRQ-219",
    "a failed write beside the requests holds up no request, and no node that nothing needs remains",
    requirement=("provisioning-request#fault-tolerant", "provisioning-request#scale-down"),
    shows="PR-090 PR-373 PR-194",
    needs=(*FAULTS, *EXACT),
    clauses={"a": "answered", "b": "the node is removed"},
    cases=rows(
        "kind how",
        *(("Node", how) for how in WRITES),
        ("ConfigMap", 409),
        ("ConfigMap", 500),
        ("ConfigMap", "cut after it"),
        ("Event", 429),
        ("Event", "failed after it"),
    ),
)
def test_other_writes(autoscaling, autoscaler_faults, clock, kind, how):
    autoscaling.make_node(cpu="1")
    group = autoscaling.make_group("ng-a", nodes=1, cpu="4")
    autoscaler_faults.disturb_writes(kind, how, times=3)
    autoscaling.start(**QUICK, write_status_configmap=True)

    within("answer", autoscaling.make_request(1, cpu="1").is_provisioned, clause="a")
    clock.advance(NONE_LEFT)

    within("recover", lambda: none_is_left(group), clause="b")
