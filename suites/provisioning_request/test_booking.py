"""PRQ: capacity that was found is kept from other requests for ten minutes (PR-380…386, PR-141)."""

from kueue_conformance import always, cross, rows, scenario, within

KINDS = ("check", "atomic")
MINUTES = 600
"""For so many seconds capacity is kept."""


@scenario(
    "PRQ-050",
    "capacity that is booked for one request is not used for another",
    requirement="provisioning-request#booking",
    shows="PR-380 PR-381 PR-382 PR-230d DA-08",
    cases=cross(first=KINDS, second=KINDS).also_drawn(first=KINDS[0], second=KINDS[0]),
    clauses={
        "a": "the first is Provisioned",
        "b": "the second has not",
        "c": "the remaining capacity is for a third",
    },
)
def test_kept(autoscaling, first, second):
    autoscaling.make_nodes(3, cpu="4")
    autoscaling.start()

    within("answer", autoscaling.make_request(8, first, cpu="1").is_provisioned, clause="a")

    within("answer", autoscaling.make_request(8, second, cpu="1").is_out_of_capacity, clause="b")
    within("answer", autoscaling.make_request(4, second, cpu="1").is_provisioned, clause="c")


@scenario(
    "PRQ-051",
    "a booking expires after ten minutes, and not before",
    requirement="provisioning-request#expiry",
    shows="PR-141 PR-098 CV-13",
    revision=2,
    cases=cross(kind=KINDS, answered=("at once", "a minute later")),
    clauses={"a": "not before", "b": "ten minutes after the answer"},
    needs=("virtual time",),
)
def test_ends(autoscaling, clock, kind, answered):
    autoscaling.make_node()
    if answered == "at once":
        autoscaling.start()
    request = autoscaling.make_request(1, kind)
    if answered == "a minute later":
        clock.advance(60)
        autoscaling.start()
    within("answer", request.is_provisioned)

    clock.advance(MINUTES - 5)
    always(request.is_booked, clause="a")

    within(
        "answer",
        lambda: request.had_condition_after(
            "BookingExpired", MINUTES, since="Provisioned", within=autoscaling.times.scan
        ),
        clause="b",
    )


@scenario(
    "PRQ-052",
    "a booking expires in the second in which ten minutes are over",
    requirement="provisioning-request#expiry",
    shows="PR-141 PR-085 CV-13",
    level="should",
    clauses={"a": "600 seconds, to the second"},
    needs=("virtual time",),
)
def test_ends_to_the_second(autoscaling, clock):
    autoscaling.make_node()
    autoscaling.start()
    request = autoscaling.make_request(1)
    within("answer", request.is_provisioned)

    clock.advance(MINUTES + 1)

    within(
        "answer",
        lambda: request.had_condition_after("BookingExpired", MINUTES, since="Provisioned"),
        clause="a",
    )


@scenario(
    "PRQ-053",
    "an expired booking has the recorded condition",
    requirement="provisioning-request#messages",
    shows="PR-085",
    level="may",
    clauses={"a": "the recorded reason and text", "b": "the answer stays"},
    needs=("virtual time",),
)
def test_text(autoscaling, clock):
    autoscaling.make_node()
    autoscaling.start()
    request = autoscaling.make_request(1)
    within("answer", request.is_provisioned)

    clock.advance(MINUTES)

    within("answer", lambda: request.shows_answer("booking over"), clause="a")
    within(
        "answer", lambda: request.has_only_conditions("Accepted", "Provisioned", "BookingExpired"), clause="b"
    )


@scenario(
    "PRQ-054",
    "the capacity of an expired booking is free for another request",
    requirement=("provisioning-request#expiry", "provisioning-request#booking"),
    shows="PR-230d PR-380",
    clauses={"a": "booked until then", "b": "found afterwards"},
    needs=("virtual time",),
    cases=cross(kind=KINDS),
)
def test_free_afterwards(autoscaling, clock, kind):
    autoscaling.make_node(cpu="4")
    autoscaling.start(provisioning_request_max_backoff_time="60s")
    within("answer", autoscaling.make_request(4, kind, cpu="1").is_provisioned)
    second = autoscaling.make_request(4, kind, cpu="1")
    within("answer", second.is_out_of_capacity)

    clock.advance(MINUTES - 60)
    always(second.is_out_of_capacity, clause="a")

    within("attempt", second.is_provisioned, clause="b")


@scenario(
    "PRQ-055",
    "a request whose booking has expired is not tried again",
    requirement="provisioning-request#expiry",
    shows="PR-098 PR-121",
    clauses={"a": "it is over", "b": "and left alone"},
    needs=("virtual time",),
)
def test_not_again(autoscaling, clock):
    autoscaling.make_node()
    autoscaling.start()
    request = autoscaling.make_request(1)
    within("answer", request.is_provisioned)
    clock.advance(MINUTES)
    within("answer", request.is_booking_expired, clause="a")
    before = request.object["metadata"]["resourceVersion"]

    clock.advance(2 * MINUTES)

    always(lambda: request.has_resource_version(before), clause="b")


@scenario(
    "PRQ-056",
    "conditions that other clients write count: capacity is booked while a request is Provisioned and not expired",
    requirement="provisioning-request#booking",
    shows="PR-380 CV-34",
    clauses={"a": "booked, or free"},
    cases=rows(
        "condition is_kept",
        ("Provisioned", True),
        ("Provisioned,CapacityRevoked", True),
        ("Provisioned,Unheard", True),
        ("Provisioned,Failed", False),
        ("Provisioned,BookingExpired", False),
        ("CapacityRevoked", True),
    ),
)
def test_said_by_others(autoscaling, condition, is_kept):
    autoscaling.make_node(cpu="4")
    request = autoscaling.make_request(4, cpu="1")
    request.set_foreign_conditions(**dict.fromkeys(condition.split(","), True))

    autoscaling.start()
    if "Provisioned" not in condition:
        within("answer", request.is_provisioned)

    other = autoscaling.make_request(4, cpu="1")
    within("answer", other.is_out_of_capacity if is_kept else other.is_provisioned, clause="a")


@scenario(
    "PRQ-057",
    "a request that is BookingExpired and was never Provisioned is tried, and its capacity is not booked",
    requirement="provisioning-request#booking",
    shows="PR-098 PR-121 CV-18",
    level="may",
    clauses={"a": "answered", "b": "not booked"},
    cases=rows("provisioned", ("",), ("False",)),
)
def test_over_before(autoscaling, provisioned):
    autoscaling.make_node(cpu="4")
    request = autoscaling.make_request(4, cpu="1")
    request.set_foreign_conditions(
        ago=3600, BookingExpired=True, **({"Provisioned": False} if provisioned else {})
    )

    autoscaling.start()

    within("answer", lambda: request.shows_answer("found"), clause="a")
    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="b")


@scenario(
    "PRQ-058",
    "a booking survives a restart, and expires in time",
    requirement=("provisioning-request#restart-safe", "provisioning-request#booking"),
    shows="PR-198 PR-380",
    cases=cross(kind=KINDS),
    clauses={"a": "booked", "b": "until ten minutes after the answer"},
    needs=("virtual time",),
)
def test_restart(autoscaling, clock, kind):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    request = autoscaling.make_request(4, kind, cpu="1")
    within("answer", request.is_provisioned)
    clock.advance(MINUTES / 2)

    autoscaling.restart()

    within("answer", autoscaling.make_request(1, cpu="1").is_out_of_capacity, clause="a")
    clock.advance(MINUTES / 2 - 60)
    within(
        "attempt",
        lambda: request.had_condition_after(
            "BookingExpired", MINUTES, since="Provisioned", within=2 * autoscaling.times.scan
        ),
        clause="b",
    )


@scenario(
    "PRQ-059",
    "pods that use the capacity count besides the booking until it expires",
    requirement="provisioning-request#booking",
    shows="PR-384",
    until="1.36",
    level="may",
    clauses={"a": "counted twice", "b": "once it is over"},
    needs=("virtual time",),
)
def test_counted_twice(autoscaling, clock):
    node = autoscaling.make_node(cpu="8")
    autoscaling.start()
    request = autoscaling.make_request(4, cpu="1")
    within("answer", request.is_provisioned)

    for _ in range(4):
        autoscaling.make_consumer(request.name, cpu="1", on=node)

    beside = autoscaling.make_request(1, cpu="1")
    within("answer", beside.is_out_of_capacity, clause="a")
    beside.delete()
    clock.advance(MINUTES)
    within("answer", request.is_booking_expired)
    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="b")


@scenario(
    "PRQ-060",
    "a booking ends when all pods that use it are scheduled",
    requirement="provisioning-request#booking",
    shows="PR-384 PR-099a PR-086 CV-14",
    since="1.37",
    clauses={"a": "over", "b": "the recorded reason"},
    cases=rows(
        "key",
        ("autoscaling.x-k8s.io/consume-provisioning-request",),
        ("cluster-autoscaler.kubernetes.io/consume-provisioning-request",),
    ),
)
def test_used_up(autoscaling, key):
    node = autoscaling.make_node(cpu="8")
    autoscaling.start()
    request = autoscaling.make_request(4, cpu="1")
    within("answer", request.is_provisioned)

    for _ in range(4):
        autoscaling.make_consumer(request.name, cpu="1", on=node, key=key)

    within("answer", request.is_booking_expired, clause="a")
    within("answer", lambda: request.shows_answer("booking used"), clause="b")


@scenario(
    "PRQ-061",
    "a booking lasts while one of the pods that use it is not scheduled",
    requirement="provisioning-request#booking",
    shows="PR-384 CV-14",
    since="1.37",
    clauses={"a": "as long as one is missing", "b": "over with the last"},
)
def test_not_used_up(autoscaling, clock):
    node = autoscaling.make_node(cpu="8")
    autoscaling.start()
    request = autoscaling.make_request(4, cpu="1")
    within("answer", request.is_provisioned)
    for _ in range(3):
        autoscaling.make_consumer(request.name, cpu="1", on=node)

    clock.advance(3 * autoscaling.times.scan)

    always(request.is_booked, clause="a")
    autoscaling.make_consumer(request.name, cpu="1", on=node)
    within("answer", request.is_booking_expired, clause="b")


@scenario(
    "PRQ-062",
    "a request with Provisioned=False books no capacity",
    requirement="provisioning-request#booking",
    shows="PR-380 PR-094",
    clauses={"a": "short", "b": "the capacity is free for a smaller one"},
    cases=cross(kind=KINDS),
)
def test_short_keeps_nothing(autoscaling, kind):
    autoscaling.make_node(cpu="4")
    autoscaling.start()

    within("answer", autoscaling.make_request(5, kind, cpu="1").is_out_of_capacity, clause="a")

    within("answer", autoscaling.make_request(4, kind, cpu="1").is_provisioned, clause="b")
