"""PRQ: requests that never found capacity end after seven days;
all go seven days after their last answer (PR-140…146).
"""

from kueue_conformance import always, cross, rows, scenario, within

DAY = 24 * 3600
WEEK = 7 * DAY
HOURLY = {
    "scan_interval": "3600s",
    "provisioning_request_initial_backoff_time": "24h",
    "provisioning_request_max_backoff_time": "24h",
}
"""One loop an hour and one attempt a day: seven days are 168 loops."""
KINDS = ("check", "atomic")


@scenario(
    "PRQ-070",
    "a request that found no capacity for seven days fails, and not before",
    requirement="provisioning-request#expiry",
    shows="PR-142 PR-097 PR-084 CV-15 GT-6",
    cases=cross(kind=KINDS),
    clauses={"a": "not before", "b": "after seven days"},
    needs=("virtual time",),
)
def test_too_old(autoscaling, clock, kind):
    autoscaling.start(**HOURLY)
    request = autoscaling.make_request(1, kind)
    within("hour", request.is_out_of_capacity)
    autoscaling.stop()
    clock.advance(WEEK - 6 * 3600)

    autoscaling.start(**HOURLY)
    clock.advance(3 * 3600)
    always(request.is_out_of_capacity, clause="a")
    clock.advance(3 * 3600)

    within(
        "hour",
        lambda: request.is_failed() and request.had_condition_after("Failed", WEEK, within=3600),
        clause="b",
    )


@scenario(
    "PRQ-071",
    "a request without capacity fails after seven days, in every state",
    requirement="provisioning-request#expiry",
    shows="PR-142 PR-097 PR-099c CV-15",
    clauses={"a": "failed"},
    needs=("virtual time",),
    cases=rows("conditions", ("",), ("Accepted",), ("Provisioned=Unknown",), ("Provisioned=False",)),
)
def test_every_state(autoscaling, clock, conditions):
    request = autoscaling.make_request(1)
    name, _, value = conditions.partition("=")
    clock.advance(WEEK - DAY)
    if name:
        request.set_foreign_conditions(**{name: value or True})
    clock.advance(DAY + 1)

    autoscaling.start(**HOURLY)

    within("hour", lambda: request.shows_answer("too old"), clause="a")


@scenario(
    "PRQ-072",
    "a request with Provisioned=Unknown is not tried",
    requirement="provisioning-request#conditions",
    shows="PR-121 PR-099c CV-18",
    clauses={"a": "left alone", "b": "another one is answered"},
)
def test_unknown(autoscaling, clock):
    autoscaling.make_nodes(2)
    stuck = autoscaling.make_request(1)
    stuck.set_foreign_conditions(Provisioned="Unknown")
    autoscaling.start()

    within("answer", autoscaling.make_request(1).is_provisioned, clause="b")

    clock.advance(2 * autoscaling.times.first)
    always(
        lambda: stuck.has_condition("Provisioned", "Unknown") and stuck.has_no_condition("Accepted"),
        clause="a",
    )


@scenario(
    "PRQ-073",
    "a request that is Provisioned does not fail for its age",
    requirement="provisioning-request#expiry",
    shows="PR-142",
    clauses={"a": "found late", "b": "its booking ends, and it has not failed"},
    needs=("virtual time",),
)
def test_found_late(autoscaling, clock):
    request = autoscaling.make_request(1)
    clock.advance(WEEK - 60)
    autoscaling.make_node()
    autoscaling.start()
    within("answer", request.is_provisioned, clause="a")

    clock.advance(600)

    within("answer", lambda: request.is_booking_expired() and request.is_provisioned(), clause="b")


@scenario(
    "PRQ-074",
    "at most twenty bookings expire in one loop",
    requirement="provisioning-request#expiry",
    shows="PR-140 PR-143 CV-16",
    level="may",
    clauses={"a": "all in the end", "b": "twenty, then one"},
    needs=("virtual time",),
)
def test_twenty(autoscaling):
    requests = [autoscaling.make_request(1) for _ in range(21)]
    for request in requests:
        request.set_foreign_conditions(ago=700, Provisioned=True)

    autoscaling.start(frequent_loops_enabled=False)

    within(
        "attempt",
        lambda: autoscaling.is_true_of_all(requests, lambda request: request.is_booking_expired()),
        clause="a",
    )
    within("answer", lambda: autoscaling.was_set_in_batches(requests, "BookingExpired", 20, 1), clause="b")


@scenario(
    "PRQ-075",
    "at most twenty requests fail for their age in one loop",
    requirement="provisioning-request#expiry",
    shows="PR-140 CV-16",
    level="may",
    clauses={"a": "all in the end", "b": "twenty, then one"},
    needs=("virtual time",),
)
def test_twenty_too_old(autoscaling, clock):
    requests = [autoscaling.make_request(1) for _ in range(21)]
    for request in requests:
        request.set_foreign_conditions(Provisioned="Unknown")
    clock.advance(WEEK - DAY)
    for request in requests:
        request.set_foreign_conditions(Provisioned="Unknown")
    clock.advance(DAY)

    autoscaling.start(frequent_loops_enabled=False)

    within(
        "attempt",
        lambda: autoscaling.is_true_of_all(requests, lambda request: request.is_failed()),
        clause="a",
    )
    within("answer", lambda: autoscaling.was_set_in_batches(requests, "Failed", 20, 1), clause="b")


@scenario(
    "PRQ-076",
    "a request is deleted seven days after its outcome, whatever that was",
    requirement="provisioning-request#deletion",
    shows="PR-145 PR-099d CV-17",
    since="1.32",
    level="should",
    clauses={"a": "not before", "b": "then it is deleted"},
    cases=rows(
        "conditions kind",
        ("Failed=True", "check"),
        ("Provisioned=True,BookingExpired=True", "check"),
        ("Failed=True", "atomic"),
        ("Provisioned=True,BookingExpired=True", "atomic"),
    ),
)
def test_deleted(autoscaling, clock, conditions, kind):
    request = autoscaling.make_request(1, kind)
    request.set_foreign_conditions(
        ago=WEEK - 2 * autoscaling.times.first, **dict(word.split("=") for word in conditions.split(","))
    )
    autoscaling.start()

    clock.advance_almost(2 * autoscaling.times.first)
    always(request.exists, clause="a")

    within("attempt", request.is_gone, clause="b")


@scenario(
    "PRQ-077",
    "the class of a request and the status of its condition do not affect its deletion",
    requirement="provisioning-request#deletion",
    shows="PR-146 PR-099d CV-17",
    since="1.32",
    level="may",
    clauses={"a": "it is deleted"},
    cases=rows(
        "conditions kind",
        ("Provisioned=False", "check"),
        ("Failed=False", "check"),
        ("Provisioned=Unknown", "atomic"),
        ("Failed=True", "queued-provisioning.gke.io"),
        ("Provisioned=True", "queued-provisioning.gke.io"),
    ),
)
def test_deleted_all_the_same(autoscaling, conditions, kind):
    request = autoscaling.make_request(1, kind)
    request.set_foreign_conditions(ago=WEEK + 60, **dict([conditions.split("=")]))

    autoscaling.start()

    within("attempt", request.is_gone, clause="a")


@scenario(
    "PRQ-078",
    "other conditions, however old, do not cause the deletion of a request",
    requirement="provisioning-request#deletion",
    shows="PR-146 CV-17",
    since="1.32",
    clauses={"a": "it stays", "b": "one with an outcome is deleted"},
    cases=rows("conditions", ("Accepted",), ("BookingExpired",), ("CapacityRevoked",)),
)
def test_not_deleted(autoscaling, conditions):
    request, other = autoscaling.make_request(1), autoscaling.make_request(1)
    request.set_foreign_conditions(ago=WEEK + 60, **{conditions: True})
    other.set_foreign_conditions(ago=WEEK + 60, Failed=True)

    autoscaling.start()

    within("attempt", other.is_gone, clause="b")
    always(request.exists, clause="a")


@scenario(
    "PRQ-079",
    "the templates of a deleted request stay: their owner deletes them",
    requirement="provisioning-request#deletion",
    shows="PR-146",
    since="1.32",
    clauses={"a": "the request is deleted", "b": "its template stays"},
)
def test_templates_stay(autoscaling):
    template = autoscaling.make_template()
    request = autoscaling.make_request([(template, 1)])
    request.set_foreign_conditions(ago=WEEK + 60, Failed=True)

    autoscaling.start()

    within("attempt", request.is_gone, clause="a")
    always(lambda: autoscaling.has_template(template), clause="b")


@scenario(
    "PRQ-081",
    "bookings that expire at the same time all end",
    requirement="provisioning-request#expiry",
    shows="PR-140 PR-141",
    clauses={"a": "every one of them"},
)
def test_many(autoscaling):
    requests = [autoscaling.make_request(1) for _ in range(25)]
    for request in requests:
        request.set_foreign_conditions(ago=700, Provisioned=True)

    autoscaling.start()

    within(
        "attempt",
        lambda: autoscaling.is_true_of_all(requests, lambda request: request.is_booking_expired()),
        clause="a",
    )


@scenario(
    "PRQ-080",
    "before 1.32 old requests are not deleted",
    requirement="provisioning-request#deletion",
    shows="PR-145 DA-44",
    until="1.31",
    clauses={"a": "another is answered", "b": "it stays"},
)
def test_stay(autoscaling):
    autoscaling.make_node()
    request = autoscaling.make_request(1)
    request.set_foreign_conditions(ago=WEEK + 60, Failed=True)

    autoscaling.start()

    within("answer", autoscaling.make_request(1).is_provisioned, clause="a")
    always(request.exists, clause="b")
