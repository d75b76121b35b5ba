"""Priority and fairness: who matches which flow, who runs,
who waits, who is refused (FK-052, FK-520, FK-521).
"""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from fakecluster.api.outcome import Call, CallResult, Request, Response, User
from fakecluster.api.steps import begin
from fakecluster.base.clock import VirtualClock
from fakecluster.fairness import Drops, Fairness, QueueSet
from fakecluster.fairness.borrowing import Bounds
from fakecluster.fairness.levels import Level, limits
from fakecluster.fairness.sharding import flow_hash, hand
from fakecluster.server.priority_and_fairness import PriorityAndFairness, QueuedRequest
from fakecluster.store import Store

GROUP = "flowcontrol.apiserver.k8s.io"
LEVEL = Level(name="low", uid="u", exempt=False, queues=8, hand=2, length=2)
PODS = {
    "resources": ["pods", "pods/status"],
    "verbs": ["get", "list"],
    "apiGroups": [""],
    "namespaces": ["a"],
}
EVERYTHING = {
    "resources": ["*"],
    "verbs": ["*"],
    "apiGroups": ["*"],
    "namespaces": ["*"],
    "clusterScope": True,
}
PATHS = {"nonResourceURLs": ["/healthz", "/open/*"], "verbs": ["get"]}


def user(name):
    return {"kind": "User", "user": {"name": name}}


def group(name):
    return {"kind": "Group", "group": {"name": name}}


def account(namespace, name):
    return {"kind": "ServiceAccount", "serviceAccount": {"namespace": namespace, "name": name}}


def schema(name, precedence, subject, resources=(EVERYTHING,), paths=(PATHS,), level="low"):
    rule = {"subjects": [subject], "resourceRules": list(resources), "nonResourceRules": list(paths)}
    spec = {"matchingPrecedence": precedence, "priorityLevelConfiguration": {"name": level}, "rules": [rule]}
    return {"metadata": {"name": name, "uid": f"uid-{name}"}, "spec": spec}


def level(name, kind="Limited", shares=1, **queuing):
    response = {"type": "Queue", "queuing": queuing} if queuing else {"type": "Reject"}
    limited = {"nominalConcurrencyShares": shares, "limitResponse": response}
    spec = {"type": kind, "limited": limited} if kind == "Limited" else {"type": kind}
    return {"metadata": {"name": name, "uid": f"uid-{name}"}, "spec": spec}


def store_of(schemas=(), levels=()):
    """A store with a level `low` unless others are given."""
    store, levels = Store(), levels or (level("low"),)
    for plural, objects in (("flowschemas", schemas), ("prioritylevelconfigurations", levels)):
        for obj in objects:
            store.commit((GROUP, plural), ("", obj["metadata"]["name"]), obj, expected=None)
    return store


def request(name="alice", path="/api/v1/namespaces/a/pods", method="GET", groups=("devs",), **headers):
    return Request(method=method, path=path, user=User(name=name, groups=groups), audit_id="a", **headers)


def schema_of(store, attributes):
    return dict(Fairness(store, 600, VirtualClock(0.0)).flow(attributes).headers).get(
        "X-Kubernetes-Pf-Flowschema-Uid"
    )


@pytest.mark.parametrize(
    ("subject", "attributes", "matches"),
    [
        pytest.param(user("alice"), request(), True, id="a user by name"),
        pytest.param(user("bob"), request(), False, id="another user"),
        pytest.param(user("*"), request(), True, id="every user"),
        pytest.param(group("devs"), request(), True, id="a group"),
        pytest.param(group("ops"), request(), False, id="another group"),
        pytest.param(
            account("a", "*"), request("system:serviceaccount:a:x"), True, id="accounts of a namespace"
        ),
        pytest.param(account("a", "y"), request("system:serviceaccount:a:x"), False, id="another account"),
        pytest.param(
            account("a", "*"),
            request("system:serviceaccount:ab:x"),
            False,
            id="a namespace that begins alike",
        ),
    ],
)
def test_fk_520_a_schema_is_about_subjects(subject, attributes, matches):
    queue_set = schema_of(store_of([schema("one", 1, subject)]), attributes)

    assert queue_set == ("uid-one" if matches else None)


@pytest.mark.parametrize(
    ("attributes", "matches"),
    [
        pytest.param(request(), True, id="a list"),
        pytest.param(
            request(path="/api/v1/namespaces/a/pods/x/status"), True, id="a subresource that is named"
        ),
        pytest.param(request(path="/api/v1/namespaces/a/pods/x/binding"), False, id="one that is not"),
        pytest.param(request(method="POST"), False, id="another verb"),
        pytest.param(request(path="/api/v1/namespaces/b/pods"), False, id="another namespace"),
        pytest.param(request(path="/api/v1/pods"), False, id="all namespaces are cluster scope"),
        pytest.param(request(path="/apis/apps/v1/namespaces/a/pods"), False, id="another group"),
        pytest.param(request(path="/healthz"), True, id="a path"),
        pytest.param(request(path="/open/door"), True, id="below a path"),
        pytest.param(request(path="/openings"), False, id="a path that begins alike"),
        pytest.param(request(path="/api/v1/namespaces/a/pods/x/log"), False, id="what lasts has no flow"),
    ],
)
def test_fk_520_a_schema_is_about_requests(attributes, matches):
    queue_set = schema_of(store_of([schema("one", 1, user("*"), resources=[PODS])]), attributes)

    assert queue_set == ("uid-one" if matches else None)


def test_fk_520_the_lowest_precedence_decides():
    store = store_of([schema("b", 5, user("*")), schema("a", 9, user("*")), schema("c", 5, user("*"))])

    assert schema_of(store, request()) == "uid-b"


def test_fk_520_a_schema_without_its_level_does_not_count():
    store = store_of([schema("a", 1, user("*"), level="gone"), schema("b", 2, user("*"))])

    assert schema_of(store, request()) == "uid-b"


def test_fk_520_a_changed_schema_counts_from_the_next_request():
    store = store_of([schema("a", 5, user("*"))])
    fairness = Fairness(store, 600, VirtualClock(0.0))
    before = fairness.flow(request())
    store.commit((GROUP, "flowschemas"), ("", "b"), schema("b", 1, user("*")), expected=None)

    assert [
        dict(response.headers)["X-Kubernetes-Pf-Flowschema-Uid"]
        for response in (before, fairness.flow(request()))
    ] == [
        "uid-a",
        "uid-b",
    ]


@pytest.mark.parametrize(
    ("headers", "is_remembered"),
    [({}, 1), ({"groups": ("g" * 10_000,)}, 0), ({"name": "u" * 10_000}, 0)],
    ids=["short", "long group", "long name"],
)
def test_flows_of_long_heads_are_not_remembered(headers, is_remembered):
    fairness = Fairness(store_of([schema("a", 5, user("*"))]), 600, VirtualClock(0.0))

    fairness.flow(request(**headers))

    assert len(fairness._flow_cache) == is_remembered


def test_fk_520_seats_are_shared_out_by_shares():
    levels = [replace(LEVEL, name="a", shares=30), replace(LEVEL, name="b", shares=10)]

    assert {name: limit.nominal for name, limit in limits(levels, 10).items()} == {"a": 8, "b": 3}


def test_fk_520_a_flow_is_dealt_different_queues_and_always_the_same():
    number = flow_hash("workload-low", "alice")

    assert hand(number, 64, 8) == hand(number, 64, 8)
    assert len(set(hand(number, 64, 8))) == 8


def test_fk_520_a_hand_is_a_permutation_when_it_takes_all_queues():
    assert sorted(hand(flow_hash("a", "b"), 8, 8)) == list(range(8))


def ignore(seats):
    """An observer of a level's demand that ignores it."""


def busy(limit=1, **changes):
    queue_set = QueueSet(replace(LEVEL, **changes), Bounds(limit, limit, limit), ignore)
    queue_set.enter(limit)
    return queue_set


def test_fk_520_whoever_finds_no_seat_waits_for_one():
    queues, started = busy(), []
    queues.wait(1, 1, lambda: started.append("waited"))
    queues.leave(1)

    assert (started, queues.in_use, queues.waiting) == (["waited"], 1, 0)


def test_fk_520_flows_take_turns():
    queues, started = busy(queues=64, hand=1, length=9), []
    for flow in ("loud", "loud", "loud", "quiet"):
        queues.wait(flow_hash(flow, ""), 1, lambda flow=flow: started.append(flow))
    for _ in range(4):
        queues.leave(1)

    assert started.index("quiet") < 2


def test_fk_520_a_wide_request_is_not_overtaken():
    queues, started = busy(2, queues=1, hand=1, length=9), []
    queues.wait(1, 2, lambda: started.append("wide"))
    queues.wait(1, 1, lambda: started.append("narrow"))
    queues.leave(1)

    assert started == []


def test_fk_521_a_full_queue_refuses():
    queues = busy(queues=1, hand=1)

    assert [bool(queues.wait(1, 1, list)) for _ in range(3)] == [True, True, False]


def test_fk_521_a_level_without_queues_refuses():
    assert busy(queues=0).wait(1, 1, list) is None


def test_fk_521_who_waits_goes_on_waiting_under_another_configuration():
    queues, started = busy(), []
    queues.wait(1, 1, lambda: started.append("waited"))
    queues.configure(replace(LEVEL, queues=3, hand=1), Bounds(2, 2, 2))
    queues.lend(2)

    assert (started, queues.waiting) == (["waited"], 0)


def test_fk_052_clients_stay_away_longer_while_many_are_refused():
    drops = Drops()

    notes = [drops.note(current_time) for current_time in (0.0, 0.1, 0.2, 1.0, 1.1, 1.2, 2.0, 2.1, 3.0, 60.0)]

    assert (notes[0], max(notes), notes[-1]) == (1, 2, 1)


CALL = Call(method="POST", url="https://hook.example.com", timeout=1)
DONE = Response(code=200, body=b"")


def calling():
    yield (CALL,)
    return DONE


def asks():
    return begin(calling())


def failing():
    yield (CALL,)
    raise RuntimeError


class Bench:
    """The filter with one seat at one level, taken by a request that waits for a webhook."""

    def __init__(self, steps=calling, **queuing):
        store = store_of([schema("one", 1, user("*"))], [level("low", **queuing)])
        self.clock = VirtualClock(0.0)
        self.turns = PriorityAndFairness(Fairness(store, 1, self.clock), self.clock)
        self.blocker = self.take(lambda: begin(steps()))

    def take(self, answer=lambda: DONE, **headers):
        attributes = request(**headers)
        return self.turns.take(self.turns.flow(attributes), attributes, answer)

    def unblock(self):
        return self.blocker.resume((CallResult(code=200),))


def test_fk_520_a_request_waits_while_another_waits_for_a_webhook():
    async def play():
        bench = Bench(queues=1, handSize=1, queueLengthLimit=1)
        waits = bench.take()
        assert isinstance(waits, QueuedRequest)
        bench.unblock()
        return await waits.turn, bench.take()

    assert asyncio.run(play()) == (DONE, DONE)


def test_fk_521_a_request_without_a_place_is_refused():
    async def play():
        bench = Bench(queues=1, handSize=1, queueLengthLimit=1)
        bench.take()
        return bench.take()

    refused = asyncio.run(play())

    assert (refused.code, refused.body) == (429, b"Too many requests, please try again later.\n")
    assert dict(refused.headers)["Retry-After"] == "1"


@pytest.mark.parametrize(
    ("query", "seconds"),
    [
        pytest.param((), 15.0, id="a quarter of a minute"),
        pytest.param((("timeout", "8s"),), 2.0, id="a quarter of what the client allows"),
        pytest.param((("timeout", "1h"),), 15.0, id="of a minute at most"),
        pytest.param((("timeout", "soon"),), 15.0, id="what is no duration does not count"),
    ],
)
def test_fk_521_a_request_waits_no_longer_than_it_may(query, seconds):
    async def play():
        bench = Bench(queues=1, handSize=1, queueLengthLimit=1)
        waits = bench.take(query=query)
        bench.clock.advance_to(seconds - 0.01)
        early = waits.turn.done()
        bench.clock.advance_to(seconds)
        return early, (await waits.turn).code

    assert asyncio.run(play()) == (False, 429)


def test_fk_520_a_request_that_fails_gives_its_seat_back():
    async def play():
        bench = Bench(failing)
        with pytest.raises(RuntimeError):
            bench.unblock()
        return bench.take()

    assert asyncio.run(play()) is DONE


def test_fk_520_a_request_that_is_given_up_while_it_waits_is_not_answered():
    async def play():
        bench, answered = Bench(queues=1, handSize=1, queueLengthLimit=1), []
        bench.take(lambda: answered.append(True) or DONE).turn.cancel()
        bench.unblock()
        return answered, bench.take()

    assert asyncio.run(play()) == ([], DONE)


def test_fk_520_a_request_that_is_given_up_while_it_is_answered_gives_its_seat_back():
    async def play():
        bench = Bench()
        bench.blocker.steps.close()
        return bench.take()

    assert asyncio.run(play()) is DONE


def test_fk_520_the_exempt_never_wait():
    store = store_of([schema("one", 1, user("*"))], [level("low", "Exempt")])
    clock = VirtualClock(0.0)
    turns, attributes = PriorityAndFairness(Fairness(store, 1, clock), clock), request()

    for _ in range(3):
        turns.take(turns.flow(attributes), attributes, asks)

    assert turns.take(turns.flow(attributes), attributes, lambda: DONE) is DONE


@pytest.mark.parametrize(
    ("attributes", "seats"),
    [
        pytest.param(request(), 3, id="a list of 250"),
        pytest.param(request(path="/api/v1/namespaces/a/pods/x"), 1, id="one object"),
        pytest.param(request(query=(("watch", "1"),)), 3, id="a watch that begins with all"),
        pytest.param(
            request(query=(("watch", "1"), ("resourceVersion", "9"))), 1, id="a watch from a revision"
        ),
        pytest.param(request(method="POST"), 1, id="a write"),
    ],
)
def test_fk_520_a_long_list_takes_several_seats(attributes, seats):
    store = store_of([schema("one", 1, user("*"))], [level("low", queues=8, handSize=2, queueLengthLimit=9)])
    for number in range(250):
        store.commit(("", "pods"), ("a", f"p{number}"), {"metadata": {}}, expected=None)
    fairness = Fairness(store, 100, VirtualClock(0.0))

    assert fairness.seats(fairness.flow(attributes), attributes) == seats
