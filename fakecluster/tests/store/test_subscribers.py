"""Subscribers of a store: what one of them raises reaches
neither the write nor another subscriber (AR-02).
"""

import pytest

from fakecluster.store import Store

THINGS = ("", "things")


def write(store, name):
    return store.commit(THINGS, ("", name), {"metadata": {}}, expected=None)


def names(store):
    return [obj.name[1] for obj in store.list(THINGS)]


class Failing:
    """A subscriber that fails at one object, and counts how often it resyncs."""

    def __init__(self, name):
        self.name, self.seen, self.resyncs = name, [], 0

    def handle(self, event):
        if event.after.name[1] == self.name:
            raise RecursionError
        self.seen.append(event.after.name[1])

    def resync(self):
        self.resyncs += 1


def test_a_subscriber_that_fails_resyncs_and_the_others_are_notified(caplog):
    store, failing, events = Store(), Failing("b"), []
    store.subscribe(failing.handle, failing.resync)
    store.subscribe(lambda event: events.append(event.after.name[1]))

    for name in "abc":
        write(store, name)

    assert (events, names(store)) == (["a", "b", "c"], ["a", "b", "c"])
    assert (failing.seen, failing.resyncs) == (["a", "c"], 1)
    assert "a subscriber of the store failed at revision" in caplog.text


def test_a_subscriber_that_cannot_resync_tries_again_at_the_next_event():
    store, failing = Store(), Failing("b")
    store.subscribe(failing.handle, lambda: names(store)[2] and failing.resync())

    for name in "abc":
        write(store, name)

    assert (failing.seen, failing.resyncs) == (["a"], 1)


def test_a_write_of_a_subscriber_is_notified_after_the_one_that_caused_it():
    store, events = Store(), []
    store.subscribe(lambda event: event.after.name[1] == "a" and write(store, "b"))
    store.subscribe(lambda event: events.append(event.after.name[1]))

    write(store, "a")

    assert events == ["a", "b"]


def test_a_subscriber_of_some_resources_hears_of_no_other():
    store, events = Store(), []
    store.subscribe(lambda event: events.append(event.after.name[1]), resources=[("", "others")])

    write(store, "a")
    store.commit(("", "others"), ("", "b"), {"metadata": {}}, expected=None)

    assert events == ["b"]


def test_a_subscriber_of_some_resources_that_failed_resyncs_at_the_next_event_of_any():
    store, resyncs = Store(), []

    def resync():
        resyncs.append(len(names(store)))
        if len(resyncs) == 1:
            raise RecursionError

    store.subscribe(Failing("a").handle, resync, [THINGS])

    write(store, "a")
    store.commit(("", "others"), ("", "b"), {"metadata": {}}, expected=None)

    assert len(resyncs) == 2


def deep(levels=400):
    tree = {}
    for _ in range(levels):
        tree = {"a": tree}
    return tree


@pytest.mark.parametrize(
    ("prepare", "content"),
    [
        pytest.param(lambda store: store.before_writes(lambda: 1 // 0), {}, id="a hook that raises"),
        pytest.param(lambda store: None, {"x": deep()}, id="deeper than an encoding"),
        pytest.param(lambda store: None, {"x": "\ud800"}, id="no text"),
    ],
)
def test_what_fails_before_a_write_leaves_nothing_behind(prepare, content):
    store, events = Store(), []
    store.subscribe(lambda event: events.append(event.after.name[1]))
    write(store, "a")
    before = store.snapshot()
    prepare(store)

    with pytest.raises((ZeroDivisionError, TypeError)):
        store.commit(THINGS, ("", "b"), {"metadata": {}, **content}, expected=None)

    assert (events, names(store), store.snapshot()) == (["a"], ["a"], before)
