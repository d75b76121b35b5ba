"""Laws of lists, watches, pages, forks and replays over random histories (apiserver.md §4.5; FK-130…148)."""

import orjson
from hypothesis import given
from hypothesis import strategies as st

from .writes import LAWS, VALUES, WRITES, World, by_key, seeded

ALL = "/api/v1/configmaps"


def events(world, since):
    """What a watch over everything shows after a revision."""
    stream = world.ask("GET", f"{ALL}?watch=1&resourceVersion={since}")
    return [
        (event.revision, orjson.loads(frame))
        for event in world.core.store.events(since)
        if (frame := stream.frame(event))
    ]


def rebuilt(state, changes):
    """The state after what a watch showed."""
    current = dict(state)
    for _, change in changes:
        [(key, obj)] = by_key([change["object"]]).items()
        current.pop(key, None)
        current |= {key: obj} if change["type"] != "DELETED" else {}
    return current


@LAWS
@given(WRITES, WRITES)
def test_a_watch_rebuilds_the_list_at_every_revision(before, after):
    world = World.fresh().play(before)
    start, state = world.revision, world.state()
    world.play(after)

    watched = events(world, start)

    for revision in range(start, world.revision + 1):
        listed = by_key(world.read(f"{ALL}?resourceVersion={revision}&resourceVersionMatch=Exact")["items"])
        assert rebuilt(state, [event for event in watched if event[0] <= revision]) == listed


@LAWS
@given(WRITES)
def test_revisions_of_events_grow_and_are_those_of_the_objects(writes):
    world = World.fresh()
    start = world.revision
    watched = events(world.play(writes), start)

    revisions = [revision for revision, _ in watched]

    assert revisions == sorted(set(revisions))
    assert [int(change["object"]["metadata"]["resourceVersion"]) for _, change in watched] == revisions


@LAWS
@given(WRITES, WRITES, st.integers(1, 5))
def test_pages_together_are_the_list_at_their_first_revision(before, between, limit):
    world = World.fresh().play(before)
    snapshot = world.read(ALL)

    page = world.read(f"{ALL}?limit={limit}")
    items, turn = page["items"], iter(between)
    while page["metadata"].get("continue"):
        world.play([event for event in [next(turn, None)] if event])
        page = world.read(f"{ALL}?limit={limit}&continue={page['metadata']['continue']}")
        items = items + page["items"]
        assert page["metadata"]["resourceVersion"] == snapshot["metadata"]["resourceVersion"]

    assert items == snapshot["items"]


@LAWS
@given(WRITES, VALUES)
def test_a_selector_lists_what_has_the_labels(writes, labels):
    world = World.fresh().play(writes)
    selector = ",".join(f"{key}%3D{value}" for key, value in labels.items())

    listed = by_key(world.read(f"{ALL}?labelSelector={selector}")["items"])

    assert listed == {
        key: event
        for key, event in world.state().items()
        if labels.items() <= (event["metadata"].get("labels") or {}).items()
    }


@LAWS
@given(WRITES, WRITES, WRITES)
def test_forks_do_not_see_each_other(shared, own_writes, there):
    world = World.fresh().play(shared)
    fork = World(world.core.fork())
    alone = World(world.core.fork()).play(own_writes).state()
    before = fork.state()

    world.play(own_writes)
    assert fork.state() == before

    fork.play(there)
    assert world.state() == alone


@LAWS
@given(WRITES)
def test_a_restored_cluster_is_as_it_was(writes):
    world = World.fresh()
    snapshot, before = world.core.store.snapshot(), world.state()

    world.play(writes)
    world.core.restore(snapshot)

    assert world.state() == before


@LAWS
@given(st.integers(0, 9), WRITES)
def test_the_same_seed_and_requests_make_the_same_history(seed, writes):
    event, other = seeded(seed), seeded(seed)
    start = event.revision

    assert events(event.play(writes), start) == events(other.play(writes), start)
    assert event.state() == other.state()
