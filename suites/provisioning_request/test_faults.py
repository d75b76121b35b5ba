"""PRQ: writes that the API server refuses, fails or loses, and watches that end (PR-090…090b, CV-20)."""

from kueue_conformance import always, cross, rows, scenario, within

NEEDS = ("faults of the autoscaler",)
STATUS = "ProvisioningRequest/status"
GROUPS = ("node groups",)
KINDS = ("check", "atomic")


@scenario(
    "PRQ-210",
    "a request whose condition could not be written has it in the end, and its capacity goes to no other",
    requirement="provisioning-request#fault-tolerant",
    shows="PR-090 PR-090a PR-090b CV-20",
    needs=(*NEEDS, "virtual time"),
    clauses={"a": "Provisioned in the end", "b": "no other request was Provisioned"},
    cases=cross(kind=KINDS, how=(409, 422, 429, 500, 504, "failed after it", "cut after it"), times=(1, 2))
    .without(how="failed after it", times=2)
    .without(how="cut after it", times=2),
)
def test_answer(autoscaling, autoscaler_faults, kind, how, times):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    autoscaler_faults.disturb_writes(STATUS, how, times=times)
    request = autoscaling.make_request(4, kind, cpu="1")

    within("eventually", request.has_found_capacity, clause="a")

    always(lambda: autoscaler_faults.have_struck(1) and request.has_found_capacity(), clause="b")


@scenario(
    "PRQ-211",
    "capacity is booked for one request only, whichever writes fail",
    requirement=("provisioning-request#fault-tolerant", "provisioning-request#booking"),
    shows="PR-090a CV-20",
    needs=(*NEEDS, "virtual time"),
    clauses={"a": "one of them has it", "b": "and one alone at a time"},
    cases=cross(kind=KINDS, how=(409, 500)),
)
def test_given_once(autoscaling, autoscaler_faults, clock, kind, how):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    autoscaler_faults.disturb_writes(STATUS, how, times=3)
    requests = [autoscaling.make_request(4, kind, cpu="1") for _ in range(2)]

    within("eventually", lambda: any(request.has_found_capacity() for request in requests), clause="a")

    always(lambda: not all(request.is_booked() for request in requests), clause="b")


@scenario(
    "PRQ-212",
    "nodes are requested once, also when the condition could not be written",
    requirement=("provisioning-request#fault-tolerant", "provisioning-request#atomic"),
    shows="PR-090 PR-090a CV-20",
    needs=(*NEEDS, *GROUPS),
    clauses={"a": "Provisioned", "b": "requested once"},
    cases=rows(
        "how times",
        (409, 1),
        (422, 3),
        (429, 3),
        (500, 3),
        (504, 3),
        ("failed after it", 1),
        ("cut after it", 1),
    ),
)
def test_asked_once(autoscaling, autoscaler_faults, how, times):
    group = autoscaling.make_group("ng-a", cpu="4")
    autoscaling.start()
    autoscaler_faults.disturb_writes(STATUS, how, times=times)

    request = autoscaling.make_request(12, "atomic", cpu="1")

    within("eventually", request.is_provisioned, clause="a")
    always(lambda: group.was_increased_by(3), clause="b")


@scenario(
    "PRQ-213",
    "an expiry that could not be written is written after the next start at the latest",
    requirement=("provisioning-request#fault-tolerant", "provisioning-request#expiry"),
    shows="PR-090a CV-20",
    needs=(*NEEDS, "virtual time"),
    clauses={"a": "over in the end"},
    cases=rows(
        "how restarted",
        ("failed after it", False),
        ("cut after it", False),
        (409, True),
        (422, True),
        (429, True),
        (500, True),
        (504, True),
    ),
)
def test_end(autoscaling, autoscaler_faults, how, restarted):
    request = autoscaling.make_request(1)
    request.set_foreign_conditions(ago=700, Provisioned=True)
    autoscaler_faults.disturb_writes(STATUS, how, times=1)

    autoscaling.start()
    if restarted:
        within("answer", autoscaler_faults.have_struck)
        autoscaling.restart()

    within("attempt", request.is_booking_expired, clause="a")


@scenario(
    "PRQ-214",
    "a failed deletion is repeated",
    requirement=("provisioning-request#fault-tolerant", "provisioning-request#deletion"),
    shows="PR-145 CV-20",
    since="1.32",
    needs=NEEDS,
    level="should",
    clauses={"a": "deleted in the end"},
    cases=rows("how", (409,), (422,), (429,), (500,), (504,), ("failed after it",), ("cut after it",)),
)
def test_deletion(autoscaling, autoscaler_faults, how):
    request = autoscaling.make_request(1)
    request.set_foreign_conditions(ago=8 * 24 * 3600, Failed=True)
    autoscaler_faults.disturb_deletions("ProvisioningRequest", how, times=1)

    autoscaling.start()

    within("attempt", request.is_gone, clause="a")


@scenario(
    "PRQ-215",
    "requests that are created while a watch is broken are handled",
    requirement="provisioning-request#fault-tolerant",
    shows="PR-090",
    needs=NEEDS,
    clauses={"a": "before", "b": "afterwards"},
    cases=rows("code", (410,), (0,), (500,)),
)
def test_watches(autoscaling, autoscaler_faults, code):
    autoscaling.make_node()
    autoscaling.start()
    within("answer", autoscaling.make_request(1).is_provisioned, clause="a")

    autoscaler_faults.lose_events_of("ProvisioningRequest", code)

    within("recover", autoscaling.make_request(1, cpu="2").is_provisioned, clause="b")


@scenario(
    "PRQ-216",
    "requests are handled as before when the API server is restarted",
    requirement="provisioning-request#fault-tolerant",
    shows="PR-090",
    needs=(*NEEDS, "server restart"),
    clauses={"a": "before", "b": "afterwards", "c": "booked capacity is still booked"},
)
def test_server_restart(autoscaling, autoscaler_faults):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    within("answer", autoscaling.make_request(3, cpu="1").is_provisioned, clause="a")

    autoscaler_faults.restart_server()

    within("recover", autoscaling.make_request(1, cpu="1").is_provisioned, clause="b")
    within("recover", autoscaling.make_request(1, cpu="1").is_out_of_capacity, clause="c")


@scenario(
    "PRQ-217",
    "requests are handled after a time in which no write succeeds",
    requirement="provisioning-request#fault-tolerant",
    shows="PR-090 PR-106 PR-304",
    needs=(*NEEDS, "virtual time"),
    revision=2,
    clauses={"a": "answered afterwards"},
    cases=cross(kind=KINDS, frequent=(False, True)),
)
def test_outage(autoscaling, autoscaler_faults, clock, kind, frequent):
    autoscaling.make_node()
    autoscaling.start(frequent_loops_enabled=frequent)
    autoscaler_faults.refuse_everything(500)
    request = autoscaling.make_request(1, kind)
    clock.advance(3 * autoscaling.times.scan)

    autoscaler_faults.remove_all()

    within("eventually", request.has_found_capacity, clause="a")


@scenario(
    "PRQ-218",
    "an event that cannot be written holds up no request",
    requirement="provisioning-request#fault-tolerant",
    shows="PR-187",
    needs=(*NEEDS, *GROUPS),
    clauses={"a": "answered"},
)
def test_no_events(autoscaling, autoscaler_faults):
    autoscaling.make_group("ng-a")
    autoscaling.start()
    autoscaler_faults.refuse_writes("Event", 500)

    within("answer", autoscaling.make_request(4, "atomic", cpu="1").is_provisioned, clause="a")


@scenario(
    "PRQ-228",
    "requests are answered while the answer of one is refused again and again",
    requirement=("provisioning-request#order", "provisioning-request#fault-tolerant"),
    shows="PR-090a PR-120",
    since="1.33",
    needs=NEEDS,
    clauses={"a": "the others are answered meanwhile", "b": "and that one when it may be"},
    cases=cross(kind=KINDS, code=(422, 500)),
)
def test_one_refused(autoscaling, autoscaler_faults, kind, code):
    autoscaling.make_nodes(2, cpu="4")
    refused = autoscaling.make_request(1, "atomic", cpu="1")
    autoscaler_faults.refuse_answers_to(refused, code)
    requests = [autoscaling.make_request(1, kind, cpu="1") for _ in range(6)]

    autoscaling.start()

    within("attempt", lambda: autoscaling.has_answered(requests), clause="a")
    autoscaler_faults.end()
    within("attempt", refused.has_found_capacity, clause="b")
