"""PRQ: requests that are cancelled, autoscalers that are
started again, in every state (PR-196…198, CV-21, CV-22).
"""

from kueue_conformance import always, cross, rows, scenario, within

KINDS = ("check", "atomic")
GROUPS = ("node groups",)


@scenario(
    "PRQ-200",
    "the capacity of a booked request is free when the request is deleted",
    requirement="provisioning-request#cancel",
    shows="PR-196 CV-22",
    cases=cross(kind=KINDS),
    clauses={"a": "booked until then", "b": "free afterwards"},
)
def test_booked(autoscaling, kind):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(4, kind, cpu="1")
    within("answer", request.is_provisioned)
    within("answer", autoscaling.make_request(2, cpu="1").is_out_of_capacity, clause="a")

    request.delete()

    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="b")


@scenario(
    "PRQ-201",
    "a request that is deleted before an attempt causes no scale-up",
    requirement="provisioning-request#cancel",
    shows="PR-196 CV-22",
    needs=GROUPS,
    clauses={"a": "no group is scaled up", "b": "another request is served"},
    cases=rows("state", ("new",), ("waiting",)),
)
def test_waiting(autoscaling, clock, state):
    group = autoscaling.make_group("ng-a", most=1, cpu="4")
    if state == "waiting":
        autoscaling.start()
    request = autoscaling.make_request(8, "atomic", cpu="1")
    if state == "waiting":
        within("answer", request.is_out_of_capacity)

    request.delete()
    group.set_max_size(10)

    if state == "new":
        autoscaling.start()
    clock.advance(2 * autoscaling.times.first)
    always(group.was_increased_by, clause="a")
    within("answer", autoscaling.make_request(4, "atomic", cpu="1").is_provisioned, clause="b")


@scenario(
    "PRQ-202",
    "the booting machines of a deleted request serve another request",
    requirement="provisioning-request#cancel",
    shows="PR-196 PR-231h CV-22",
    needs=GROUPS,
    clauses={"a": "Provisioned without another machine"},
    cases=cross(kind=KINDS),
)
def test_booting(autoscaling, kind):
    group = autoscaling.make_group("ng-a", cpu="4", boots=600)
    autoscaling.start()
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", request.is_provisioned)

    request.delete()
    other = autoscaling.make_request(12, kind, cpu="1")

    within("answer", other.is_provisioned)
    always(lambda: other.is_provisioned() and group.was_increased_by(3), clause="a")


@scenario(
    "PRQ-203",
    "a recreated request is another request",
    requirement="provisioning-request#cancel",
    shows="PR-197",
    clauses={"a": "handled again"},
    cases=rows("before", ("Provisioned",), ("Failed",), ("short",)),
)
def test_made_anew(autoscaling, before):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    pods, parameters = (
        (4, {}) if before == "Provisioned" else (5, {"noRetry": "true"} if before == "Failed" else {})
    )
    old = autoscaling.make_request(pods, name="again", cpu="1", parameters=parameters)
    within("answer", lambda: autoscaling.has_answered([old]))

    old.delete()
    new = autoscaling.make_request(4, name="again", cpu="1")

    within("answer", new.is_provisioned, clause="a")


@scenario(
    "PRQ-204",
    "a request with its outcome is not handled again after a restart",
    requirement="provisioning-request#restart-safe",
    shows="PR-198",
    clauses={"a": "nothing is written", "b": "a new request is answered"},
    cases=rows(
        "state kind",
        ("Provisioned", "check"),
        ("Provisioned", "atomic"),
        ("Failed", "check"),
        ("short", "check"),
        ("short", "atomic"),
    ),
)
def test_restart_after(autoscaling, clock, state, kind):
    autoscaling.make_node(cpu="4")
    autoscaling.start(
        provisioning_request_initial_backoff_time="600s", provisioning_request_max_backoff_time="600s"
    )
    parameters = {"noRetry": "true"} if state == "Failed" else {}
    request = autoscaling.make_request(
        2 if state == "Provisioned" else 5, kind, cpu="1", parameters=parameters
    )
    within("answer", lambda: autoscaling.has_answered([request]))
    before = request.object["metadata"]["resourceVersion"]
    clock.tick()

    autoscaling.restart()

    within("answer", autoscaling.make_request(1, cpu="1").is_provisioned, clause="b")
    always(lambda: request.has_resource_version(before), clause="a")


@scenario(
    "PRQ-205",
    "a request without its outcome is handled after a restart",
    requirement="provisioning-request#restart-safe",
    shows="PR-198 PR-092",
    clauses={"a": "answered"},
    cases=rows("kind accepted", ("check", False), ("check", True), ("atomic", False), ("atomic", True)),
)
def test_restart_before(autoscaling, kind, accepted):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    within("answer", autoscaling.make_request(1, kind, cpu="1").is_provisioned)
    autoscaling.stop()
    request = autoscaling.make_request(3, kind, cpu="1")
    if accepted:
        request.set_foreign_conditions(Accepted=True)

    autoscaling.restart()

    within("answer", request.is_provisioned, clause="a")


@scenario(
    "PRQ-206",
    "machines that were booting at a restart are counted, and register",
    requirement="provisioning-request#restart-safe",
    shows="PR-198",
    needs=GROUPS,
    level="should",
    clauses={"a": "they register", "b": "no others are requested"},
)
def test_restart_while_booting(autoscaling, clock):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(12, "atomic", cpu="1")
    within("answer", request.is_provisioned)

    autoscaling.restart()

    within("boot", lambda: group.has_nodes(3), clause="a")
    clock.advance(3 * autoscaling.times.scan)
    always(lambda: group.was_increased_by(3), clause="b")


@scenario(
    "PRQ-207",
    "bookings and requests that expired while no autoscaler was running end at its start",
    requirement=("provisioning-request#restart-safe", "provisioning-request#expiry"),
    shows="PR-198 PR-141",
    clauses={"a": "the booking is over", "b": "its capacity is found by another"},
    needs=("virtual time",),
)
def test_over_meanwhile(autoscaling, clock):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(4, cpu="1")
    within("answer", request.is_provisioned)
    autoscaling.stop()
    clock.advance(700)

    autoscaling.restart()

    within("answer", request.is_booking_expired, clause="a")
    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="b")
