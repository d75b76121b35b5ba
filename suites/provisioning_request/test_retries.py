"""PRQ: when a request that found no capacity is tried again (PR-121, PR-122, GT-1, GT-2)."""

from kueue_conformance import always, cross, rows, scenario, within

KINDS = ("check", "atomic")


@scenario(
    "PRQ-030",
    "the delay before the next attempt doubles up to the longest one",
    requirement=("provisioning-request#retry", "provisioning-request#retry-times"),
    shows="PR-101 PR-102 PR-122 PR-095 GT-1 CV-03",
    since="1.32",
    level="should",
    cases=cross(kind=KINDS),
    clauses={
        "a": "short at first",
        "b": "60, 120, 240, 480, 600 and 600 seconds after another, or as the flags say",
    },
)
def test_delays_double(autoscaling, clock, kind):
    autoscaling.start()
    request = autoscaling.make_request(1, kind)
    within("answer", request.is_out_of_capacity, clause="a")
    delays = autoscaling.times.delays(autoscaling.times.shown)

    clock.advance(sum(delays) + autoscaling.times.scan)

    within("answer", lambda: request.was_tried_after(*delays), clause="b")


@scenario(
    "PRQ-031",
    "a request is never tried again before the first delay is over, and is tried again in the end",
    requirement="provisioning-request#retry",
    shows="PR-121 PR-094",
    since="1.32",
    cases=cross(kind=KINDS),
    clauses={"a": "short", "b": "one attempt so far", "c": "another one"},
)
def test_not_too_early(autoscaling, clock, kind):
    autoscaling.start()
    request = autoscaling.make_request(1, kind)
    within("answer", request.is_out_of_capacity, clause="a")

    clock.advance_almost(autoscaling.times.first)

    always(request.was_tried_after, clause="b")
    within("attempt", lambda: request.was_tried(2), clause="c")


@scenario(
    "PRQ-032",
    "flags say how long the first and the longest delay are",
    requirement="provisioning-request#retry-times",
    shows="PR-101 PR-102",
    since="1.32",
    level="should",
    cases=rows(
        "first most delays_text",
        ("40s", "60s", "40,60,60"),
        ("60s", "40s", "60,40,40"),
        ("2m", "10m", "120,240,480"),
    ),
    clauses={"a": "as they say"},
    needs=("virtual time",),
)
def test_flags(autoscaling, clock, first, most, delays_text):
    autoscaling.start(
        provisioning_request_initial_backoff_time=first, provisioning_request_max_backoff_time=most
    )
    request = autoscaling.make_request(1)
    within("answer", request.is_out_of_capacity)
    delays = [int(word) for word in delays_text.split(",")]

    clock.advance(sum(delays) + autoscaling.times.scan)

    within("answer", lambda: request.was_tried_after(*delays), clause="a")


@scenario(
    "PRQ-033",
    "each request has a delay of its own",
    requirement="provisioning-request#retry-times",
    shows="PR-103 PR-122",
    since="1.32",
    level="should",
    clauses={"a": "the first is long in waiting", "b": "the second is tried after the first delay"},
)
def test_own_delay(autoscaling, clock):
    autoscaling.start()
    first, second, third, *_ = autoscaling.times.delays(4)
    old = autoscaling.make_request(1)
    within("answer", old.is_out_of_capacity)
    clock.advance(first + second + autoscaling.times.scan)

    young = autoscaling.make_request(1)

    within("answer", young.is_out_of_capacity)
    clock.advance(first + autoscaling.times.scan)
    within("answer", lambda: old.was_tried_after(first, second), clause="a")
    within("answer", lambda: young.was_tried_after(first), clause="b")
    assert third > first, "a: it waits longer than the other"


@scenario(
    "PRQ-034",
    "a recreated request starts with the first delay",
    requirement=("provisioning-request#retry-times", "provisioning-request#cancel"),
    shows="PR-197",
    since="1.32",
    level="should",
    clauses={"a": "the first delay again"},
)
def test_made_anew(autoscaling, clock):
    autoscaling.start()
    times = autoscaling.times
    first, second, *_ = times.delays(3)
    old = autoscaling.make_request(1, name="again")
    within("answer", old.is_out_of_capacity)
    clock.advance(first + second + times.scan)
    old.delete()
    began = clock.current_time()

    new = autoscaling.make_request(1, name="again")

    within("answer", new.is_out_of_capacity)
    clock.advance(first + times.scan)
    within("answer", lambda: new.was_tried_since(began, 2), clause="a")


@scenario(
    "PRQ-035",
    "after a restart a pending request is tried again after the first delay",
    requirement=("provisioning-request#restart-safe", "provisioning-request#retry-times"),
    shows="PR-198 CV-21",
    since="1.32",
    level="should",
    clauses={"a": "it had waited longer", "b": "the first delay again"},
)
def test_restart_resets(autoscaling, clock):
    autoscaling.start()
    times = autoscaling.times
    first, second, *_ = times.delays(4)
    request = autoscaling.make_request(1)
    within("answer", request.is_out_of_capacity)
    clock.advance(first + second + times.scan)
    within("answer", lambda: request.was_tried_after(first, second), clause="a")

    autoscaling.restart()

    clock.advance(first + 2 * times.scan)
    within("answer", lambda: request.was_tried_after(first, second, first), clause="b")


@scenario(
    "PRQ-036",
    "each attempt writes the condition Accepted again",
    requirement="provisioning-request#conditions",
    shows="PR-087 PR-095",
    level="may",
    since="1.33",
    cases=cross(kind=KINDS),
    clauses={"a": "at the time of each attempt"},
)
def test_accepted_anew(autoscaling, clock, kind):
    autoscaling.start()
    request = autoscaling.make_request(1, kind)
    within("answer", request.is_out_of_capacity)
    first, second, *_ = autoscaling.times.delays(2)

    clock.advance(first + second + autoscaling.times.scan)

    within("answer", lambda: request.has_transition_times("Accepted", 0, first, first + second), clause="a")


@scenario(
    "PRQ-037",
    "the condition Accepted is written on its own, before the outcome of the first attempt",
    requirement="provisioning-request#conditions",
    shows="PR-092 PR-124a",
    level="may",
    cases=cross(kind=KINDS),
    clauses={"a": "first the one, then the other"},
)
def test_accepted_first(autoscaling, kind):
    autoscaling.make_node()
    autoscaling.start()

    request = autoscaling.make_request(1, kind)

    within("answer", request.is_provisioned)
    within("answer", lambda: request.had_conditions_in_order("Accepted", "Provisioned"), clause="a")


@scenario(
    "PRQ-038",
    "the delays of more requests than the cache holds start again",
    requirement="provisioning-request#retry-times",
    shows="PR-103",
    since="1.32",
    level="may",
    clauses={"a": "of one it doubles", "b": "of two it never does"},
    cases=rows("requests", (1,), (2,)),
)
def test_few_are_remembered(autoscaling, clock, requests):
    autoscaling.start(provisioning_request_max_backoff_cache_size=1)
    first = autoscaling.times.first
    created = [autoscaling.make_request(1) for _ in range(requests)]
    within("answer", lambda: autoscaling.has_answered(created))

    clock.advance(3 * first + autoscaling.times.scan)

    if requests == 1:
        within("answer", lambda: created[0].was_tried_after(first, 2 * first), clause="a")
    else:
        within("answer", lambda: created[0].was_tried(4), clause="b")


@scenario(
    "PRQ-039",
    "before 1.32 a request is tried again after ten minutes, always",
    requirement="provisioning-request#retry-times",
    shows="PR-123 DA-44",
    until="1.31",
    level="should",
    clauses={"a": "600 seconds each"},
    needs=("virtual time",),
)
def test_constant(autoscaling, clock):
    autoscaling.start()
    request = autoscaling.make_request(1)
    within("answer", request.is_out_of_capacity)

    clock.advance(1200 + autoscaling.times.scan)

    within("answer", lambda: request.was_tried_after(600, 600), clause="a")
