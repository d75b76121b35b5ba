"""VSB: at the server's own port requests are throttled, fairly between users (VIS-142, VIS-602…612)."""

from kueue_conformance import always, cross, scenario, within

DIRECT = ("pending-workloads API", "the visibility server's own port")
NEEDS = (*DIRECT, "slow access reviews")
CQ_VIEWER = "kueue-pending-workloads-cq-viewer-role"
WIDE = 30
"""Shares that make every request of a scenario be answered at once."""
LONGEST_WAIT = 15
"""Seconds that a request waits for a seat: a quarter of what it may take."""


def make_throttled_user(kueue_cluster, *other_users, groups=(), **queues):
    """Return an account that may see ClusterQueues' lists, and the level of few seats to which its requests
    and those of others go.
    """
    account = kueue_cluster.make_account(direct=True)
    account.bind(CQ_VIEWER)
    level = (
        kueue_cluster.priority_level(**queues).create().add_flow_schema(account, *other_users, groups=groups)
    )
    within("rights", lambda: level.is_used_for(account, kueue_cluster.missing_queue().pending()))
    return account, level


def filling(kueue_cluster, account, level, *, surplus=0):
    """Send as many requests as take every seat and place of an account,
    and some more; none is answered meanwhile.
    """
    kueue_cluster.delay_access_reviews()
    number = level.seats + level.queue_length + surplus
    return account.send_together(*kueue_cluster.missing_queue_lists(number))


@scenario(
    "VSB-130",
    "a request that gets no seat and no place in a queue is refused with 429, and the others are answered",
    requirement="kep-168-2#throttling",
    shows="VIS-601 VIS-604 VIS-605 VIS-606 VIS-607",
    level="should",
    since="0.15",
    needs=NEEDS,
    cases=cross(response=("queue", "reject")),
    clauses={
        "a": "as many are accepted as there are seats and places",
        "b": "the others are refused at once",
        "c": "with 429, and in how many seconds to ask again",
        "d": "classified like all others",
        "e": "the accepted requests are answered",
    },
)
def test_too_many_requests(kueue_cluster, response):
    account, level = make_throttled_user(kueue_cluster, length=1 if response == "queue" else 0)
    let_in = level.seats + level.queue_length

    burst = filling(kueue_cluster, account, level, surplus=5)

    within("prompt", lambda: burst.has_counts(answered=0, throttled=5, under_way=let_in), clause="a")
    for answer in burst.throttled_responses:
        assert answer.header("Retry-After").isdigit(), f"c: {answer.headers}"
        assert int(answer.header("Retry-After")) > 0, f"c: {answer.headers}"
        assert level.is_named_by(answer), f"d: {answer.headers}"
    within("seat", lambda: burst.has_counts(answered=let_in, throttled=5), clause="b")
    assert {answer.code for answer in burst.other_responses} == {404}, f"e: {burst.other_responses}"


@scenario(
    "VSB-131",
    "a flood of requests of one user does not hold up the requests of another",
    requirement="kep-168-2#throttling",
    shows="VIS-602 VIS-608 VIS-R23",
    level="should",
    since="0.15",
    needs=NEEDS,
    clauses={
        "a": "the request of a user is queued where that of another is refused",
        "b": "and answered in turn, before all earlier ones",
        "c": "with the list",
    },
)
def test_two_users(kueue_cluster):
    queue, (workload,) = kueue_cluster.make_queue_with_pending(1)
    neighbour = kueue_cluster.make_account(direct=True)
    neighbour.bind(CQ_VIEWER)
    flooder, level = make_throttled_user(kueue_cluster, neighbour, hand=4, length=2)

    flood = filling(kueue_cluster, flooder, level, surplus=3)
    beside = neighbour.send_together(queue.pending())
    within(
        "prompt",
        lambda: flood.has_counts(answered=0, throttled=3, under_way=level.seats + level.queue_length),
    )
    within("prompt", lambda: beside.has_counts(answered=0, throttled=0, under_way=1), clause="a")

    within("seat", beside.is_answered, clause="b")
    assert flood.pending_count, (
        f"b: all {len(flood.other_responses)} requests of the other user were answered before"
    )
    assert [answer.names for answer in beside.other_responses] == [
        [f"{workload.namespace}/{workload.name}"]
    ], "c"


@scenario(
    "VSB-132",
    "a request that waits in a queue for a quarter of a minute is refused",
    requirement="kep-168-2#throttling",
    shows="VIS-606 VIS-607 VIS-608",
    level="should",
    since="0.15",
    needs=NEEDS,
    clauses={
        "a": "no request is refused before",
        "b": "429 for those without a seat then",
        "c": "and an answer for those with one",
    },
)
def test_waits_too_long(kueue_cluster, clock):
    account, level = make_throttled_user(kueue_cluster, length=20)
    seats = level.seats
    burst = filling(kueue_cluster, account, level)
    number = burst.pending_count

    clock.advance(LONGEST_WAIT - 1)
    assert not burst.throttled_responses, f"a: {burst.throttled_responses}"
    turns = len(burst.other_responses) // seats

    within("seat", burst.is_over)
    assert len(burst.throttled_responses) == number - (turns + 1) * seats, (
        f"b: {len(burst.throttled_responses)} of {number}"
    )
    assert {answer.code for answer in burst.other_responses} == {404}, f"c: {burst.other_responses}"


@scenario(
    "VSB-133",
    "a request takes a seat before its rights are checked",
    requirement=("kep-168-2#throttling", "visibility-api#precedence"),
    shows="VIS-140 VIS-142",
    level="should",
    since="0.15",
    needs=NEEDS,
    cases=cross(fault=("no-rights", "missing-queue", "bad-limit", "delete")),
    clauses={
        "a": "429 and no other code while there is no seat",
        "b": "no 429 without good credentials, and for no bad timeout",
    },
)
def test_before_rights(kueue_cluster, fault):
    account, level = make_throttled_user(kueue_cluster, length=0)
    queue = kueue_cluster.missing_queue() if fault == "missing-queue" else kueue_cluster.make_queue(cpu="0")
    pending = queue.pending_locally() if fault == "no-rights" else queue.pending()
    path, method = pending.path, "DELETE" if fault == "delete" else "GET"
    burst = filling(kueue_cluster, account, level)
    within("prompt", lambda: burst.has_counts(answered=0, throttled=0, under_way=level.seats))

    late = account.send_together(path + ("?limit=x" if fault == "bad-limit" else ""), method=method)
    hurried = account.send_together(f"{path}?timeout=abc")
    unknown = kueue_cluster.bearer_client("nonsense", direct=True).send_together(path)

    within("prompt", lambda: late.has_counts(answered=0, throttled=1), clause="a")
    within("prompt", lambda: hurried.is_answered() and unknown.is_answered(), clause="b")
    codes = [burst.other_responses[0].code for burst in (hurried, unknown)]
    assert codes == [400, 401], f"b: {codes}"
    assert burst.pending_count == level.seats, f"a: {burst.other_responses}"


@scenario(
    "VSB-134",
    "administrators of the whole cluster need no seat",
    requirement="kep-168-2#throttling",
    shows="VIS-609",
    level="should",
    since="0.15",
    needs=NEEDS,
    clauses={"a": "they are answered while no seat is free", "b": "and take no seat"},
)
def test_masters(kueue_cluster):
    queue, (workload,) = kueue_cluster.make_queue_with_pending(1)
    account, level = make_throttled_user(kueue_cluster, groups=("system:masters",), length=0)
    burst = filling(kueue_cluster, account, level)
    within("prompt", lambda: burst.has_counts(answered=0, throttled=0, under_way=level.seats))

    theirs = kueue_cluster.administrator(direct=True).send_together(*[queue.pending()] * 9)

    within("prompt", theirs.is_answered, clause="a")
    listed = [f"{workload.namespace}/{workload.name}"]
    assert [answer.names for answer in theirs.other_responses] == [listed] * 9, f"a: {theirs.other_responses}"
    assert not any(level.is_named_by(answer) for answer in theirs.other_responses), (
        f"b: {theirs.other_responses[0].headers}"
    )


@scenario(
    "VSB-135",
    "a seat is free again when its request is answered, refused or cancelled",
    requirement="kep-168-2#throttling",
    shows="VIS-605 VIS-606",
    level="should",
    since="0.15",
    needs=NEEDS,
    cases=cross(end=("answered", "given-up")),
    clauses={"a": "as many are accepted each time", "b": "and a last one is answered"},
)
def test_seats_come_back(kueue_cluster, end):
    account, level = make_throttled_user(kueue_cluster)
    let_in = level.seats + level.queue_length

    for _ in range(3):
        burst = filling(kueue_cluster, account, level, surplus=2)
        within(
            "prompt",
            lambda flood=burst: flood.has_counts(answered=0, throttled=2, under_way=let_in),
            clause="a",
        )
        if end == "given-up":
            burst.cancel()
        else:
            within("seat", burst.is_over)
    last = account.send_together(kueue_cluster.missing_queue().pending())
    within("seat", last.is_answered, clause="b")


@scenario(
    "VSB-136",
    "a priority level that gets more seats gives them to waiting requests",
    requirement="kep-168-2#throttling",
    shows="VIS-604 VIS-605",
    level="should",
    since="0.15",
    needs=NEEDS,
    clauses={"a": "all of them are answered at one time"},
)
def test_more_seats(kueue_cluster):
    account, level = make_throttled_user(kueue_cluster, hand=4, length=3)
    burst = filling(kueue_cluster, account, level)
    within(
        "prompt",
        lambda: burst.has_counts(answered=0, throttled=0, under_way=level.seats + level.queue_length),
    )

    level.set_shares(WIDE)

    within("seat", lambda: burst.other_responses)
    within("prompt", burst.is_answered, clause="a")


@scenario(
    "VSB-137",
    "a flow schema takes effect as soon as its priority level exists, and not before",
    requirement="kep-168-2#throttling",
    shows="VIS-229 VIS-602 VIS-604 VIS-612 VK-12 VIS-R31",
    level="should",
    since="0.15",
    needs=DIRECT,
    cases=cross(route=("through the API server", "at the server's own port")),
    clauses={"a": "without its level it is passed over", "b": "with it, it is named by every answer"},
)
def test_dangling(kueue_cluster, route):
    queue = kueue_cluster.make_queue(cpu="0")
    account = kueue_cluster.make_account(direct=route != "through the API server")
    account.bind(CQ_VIEWER)
    within("rights", lambda: account.is_allowed_to_list(queue))

    level = kueue_cluster.priority_level().add_flow_schema(account)
    always(lambda: account.is_allowed_to_list(queue), clause="a")
    before = account.send(queue.pending())
    assert not level.is_named_by(before), f"a: {before.headers}"
    level.create()

    within("settle", lambda: level.is_used_for(account, queue.pending()), clause="b")
    within("settle", lambda: level.is_used_for(account, queue.pending_locally()), clause="b")


@scenario(
    "VSB-138",
    "the server's metrics count the answered and the refused requests of a priority level",
    requirement="kep-168-2#throttling",
    shows="VIS-316 VIS-605 VIS-610",
    level="may",
    since="0.15",
    needs=NEEDS,
    clauses={
        "a": "the seats of its share",
        "b": "the seats in use",
        "c": "and the released ones",
        "d": "refused requests, and why",
        "e": "accepted requests",
    },
)
def test_metrics(kueue_cluster):
    account, level = make_throttled_user(kueue_cluster)
    admin, seats = kueue_cluster.administrator(direct=True), level.seats
    within("prompt", lambda: level.shows_metric(admin, "nominal_limit_seats", seats), clause="a")
    within("prompt", lambda: level.shows_metric(admin, "current_executing_requests", 0), clause="c")

    burst = filling(kueue_cluster, account, level, surplus=4)

    within("prompt", lambda: level.shows_metric(admin, "current_executing_requests", seats), clause="b")
    within(
        "prompt",
        lambda: level.shows_metric(admin, "rejected_requests_total", 4, reason="queue-full"),
        clause="d",
    )
    within("seat", burst.is_over)
    within("prompt", lambda: level.shows_metric(admin, "current_executing_requests", 0), clause="c")
    # The one by which the level was tried is among them.
    within(
        "prompt",
        lambda: level.shows_metric(admin, "dispatched_requests_total", 1 + seats + level.queue_length),
        clause="e",
    )
