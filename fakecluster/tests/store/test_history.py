"""The past of a store: every state of the window can be read,
whether it was kept or has to be made again (FK-130).
"""

from __future__ import annotations

import pytest

from fakecluster.store import REVISIONS_PER_STATE, Expired, Store

MAPS = ("", "configmaps")
WINDOW = 4 * REVISIONS_PER_STATE


def play(writes):
    """A store after so many writes to three names, and the revisions of its objects after each of them."""
    store, states = Store(window=WINDOW), {}
    for number in range(writes):
        name = ("ns", f"n{number % 3}")
        there = store.get(MAPS, name)
        if there and number % 5 == 0:
            store.remove(there)
        else:
            store.commit(MAPS, name, {"metadata": {"name": name[1]}}, expected=there)
        states[store.revision] = [obj.revision for obj in store.list(MAPS)]
    return store, states


@pytest.mark.parametrize(
    "writes",
    [pytest.param(3 * REVISIONS_PER_STATE + 7, id="all-kept"), pytest.param(2 * WINDOW, id="shortened")],
)
def test_every_state_of_the_window_can_be_read(writes):
    store, states = play(writes)
    states_kept = {revision: state for revision, state in states.items() if revision >= store.oldest}

    read = {
        revision: [obj.revision for obj in store.list(MAPS, revision=revision)] for revision in states_kept
    }

    assert read == states_kept
    assert len(states_kept) >= WINDOW // 2


def test_a_fork_of_the_past_starts_from_its_state():
    store, states = play(REVISIONS_PER_STATE)
    past = store.revision - 5

    assert [obj.revision for obj in store.fork(past).list(MAPS)] == states[past]


def test_what_has_left_the_window_is_expired():
    store, _ = play(2 * WINDOW)

    with pytest.raises(Expired):
        store.list(MAPS, revision=store.oldest - 1)


@pytest.mark.parametrize("owner", [pytest.param("a", id="same"), pytest.param("b", id="another")])
def test_objects_with_the_same_owners_share_them(owner):
    store = Store()
    first, second = (
        store.commit(
            MAPS, ("ns", name), {"metadata": {"managedFields": [{"manager": owner_}]}}, expected=None
        )
        for name, owner_ in (("x", "a"), ("y", owner))
    )
    obj, other = (event.after.object["metadata"]["managedFields"] for event in (first, second))

    assert (obj is other) == (owner == "a")
