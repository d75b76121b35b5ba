"""A history that one order explains passes; each way in which a server can be wrong is caught by the rule for
it.
"""

import pytest
from msgspec.structs import replace

from fakecluster.histories import Get, History, List, Selector, Span, Watch, WatchEvent, Write, check

X, Y = Selector({"team": "x"}), Selector({"team": "y"})
KEY = ("default", "a")


def item(name, revision, team, data):
    metadata = {
        "namespace": "default",
        "name": name,
        "labels": {"team": team},
        "resourceVersion": str(revision),
    }
    return {"metadata": metadata, "data": {"n": data}}


A1, A3, A5 = item("a", 1, "x", "1"), item("a", 3, "y", "2"), item("a", 5, "x", "3")
B2, B4 = item("b", 2, "x", "1"), item("b", 4, "x", "1")
A6 = item("a", 6, "x", "3")
"""The last state of a, whose removal is revision 6."""


def write(begin, revision, stored, **fields):
    return Write(span=Span("writer", begin, begin + 1), revision=revision, object=stored, **fields)


WRITES = (
    write(2, 1, A1),
    write(4, 2, B2),
    write(6, 3, A3, precondition=1),
    write(8, 4, B4, is_removal=True),
    write(10, 5, A5),
    write(12, 6, A6, is_removal=True),
)
EVENTS = (
    WatchEvent("ADDED", A1),
    WatchEvent("ADDED", B2),
    WatchEvent("DELETED", item("a", 3, "x", "1")),
    WatchEvent("DELETED", B4),
    WatchEvent("ADDED", A5),
    WatchEvent("DELETED", A6),
)
"""What a watch of team x sees."""
HISTORY = History(
    start=0,
    writes=WRITES,
    lists=(
        List(span=Span("reader", 20, 21), revision=6, items=()),
        List(span=Span("reader", 22, 23), revision=2, items=(A1, B2), selector=X, requested=2, match="Exact"),
        List(span=Span("reader", 9, 10), revision=3, items=(A3, B2)),
        List(span=Span("reader", 24, 25), revision=3, items=(A3, B2), requested=0, page_revisions=(3, 3)),
    ),
    gets=(
        Get(span=Span("reader", 8, 9), key=KEY, object=A3),
        Get(span=Span("reader", 26, 27), key=KEY, object=None),
        Get(span=Span("reader", 28, 29), key=KEY, object=A1, requested=0),
    ),
    watches=(
        Watch(client="watcher", since=0, events=EVENTS, selector=X, complete_until=6),
        Watch(client="all", since=2, events=(WatchEvent("MODIFIED", A3), WatchEvent("DELETED", B4))),
        Watch(client="other", since=0, events=(WatchEvent("ADDED", A3),), selector=Y, complete_until=4),
        Watch(client="bookmarks", since=0, events=(*EVENTS[:2], WatchEvent("BOOKMARK", B2)), selector=X),
    ),
)


def with_events(*events, complete_until=6):
    """Return the history with these events in place of what the first watcher saw."""
    watch = replace(HISTORY.watches[0], events=events, complete_until=complete_until)
    return replace(HISTORY, watches=(watch, *HISTORY.watches[1:]))


def with_list(**fields):
    """Return the history with one more list."""
    listed = replace(List(span=Span("late", 30, 31), revision=6, items=()), **fields)
    return replace(HISTORY, lists=(*HISTORY.lists, listed))


def with_get(**fields):
    """Return the history with one more get."""
    get = replace(Get(span=Span("late", 30, 31), key=KEY, object=None), **fields)
    return replace(HISTORY, gets=(*HISTORY.gets, get))


def with_write(index, **fields):
    """Return the history with another write in place of one."""
    writes = list(HISTORY.writes)
    writes[index] = replace(writes[index], **fields)
    return replace(HISTORY, writes=tuple(writes))


def test_a_history_with_an_order_passes():
    assert check(HISTORY) == []


@pytest.mark.parametrize(
    ("history", "rule"),
    [
        pytest.param(with_events(*EVENTS[:1], *EVENTS[2:]), "no event is lost", id="an event in the middle"),
        pytest.param(with_events(*EVENTS[:5]), "no event is lost", id="the last event, at rest"),
        pytest.param(with_events(EVENTS[0], WatchEvent("BOOKMARK", B2), complete_until=0), "no event is lost", id="an event before a bookmark"),
        pytest.param(with_events(*EVENTS[:2], EVENTS[1], *EVENTS[2:]), "no event comes twice", id="an event twice"),
        pytest.param(with_events(EVENTS[1], EVENTS[0], *EVENTS[2:]), "events come in order", id="two events in another order"),
        pytest.param(with_events(*EVENTS, WatchEvent("BOOKMARK", B2)), "events come in order", id="a bookmark that goes back"),
        pytest.param(with_events(*EVENTS[:2], WatchEvent("MODIFIED", A3), *EVENTS[3:]), "an event has the type that its selector makes", id="no DELETED when the selector stops to match"),
        pytest.param(with_events(*EVENTS[:4], WatchEvent("MODIFIED", A5), EVENTS[5]), "an event has the type that its selector makes", id="no ADDED when the selector matches again"),
        pytest.param(with_events(*EVENTS[:2], WatchEvent("DELETED", A3), *EVENTS[3:]), "an event has the object of its revision", id="the new object when the selector stops to match"),
        pytest.param(with_events(*EVENTS[:4], WatchEvent("ADDED", item("a", 5, "x", "9")), EVENTS[5]), "one revision, one state", id="another object"),
        pytest.param(with_list(items=(A5,)), "a list has one revision", id="a removed object is listed"),
        pytest.param(with_list(revision=4, items=(A5,), requested=0), "a list has one revision", id="a later object is listed"),
        pytest.param(with_list(revision=3, items=(A3,), requested=0), "a list has one revision", id="an object is missing"),
        pytest.param(with_list(revision=3, items=(A1, B2), requested=0), "a list has one revision", id="an older object is listed"),
        pytest.param(with_list(revision=3, items=(B2, A3), requested=0), "a list has one revision", id="items in another order"),
        pytest.param(with_list(revision=3, items=(A3, B2), selector=X, requested=0), "a list has one revision", id="an object that does not match"),
        pytest.param(with_list(page_revisions=(6, 7)), "a list has one revision", id="pages of two revisions"),
        pytest.param(with_list(revision=5, items=(A5,)), "no read goes back", id="a list that goes back"),
        pytest.param(with_list(revision=5, items=(A5,), requested=4, match="Exact"), "a read has the revision that was asked for", id="another revision than the exact one"),
        pytest.param(with_list(revision=3, items=(A3, B2), requested=4), "a read has the revision that was asked for", id="an older revision than was asked for"),
        pytest.param(with_list(span=Span("early", 4, 5), revision=3, items=(A3, B2), requested=0), "no read is ahead of its time", id="a list from the future"),
        pytest.param(with_get(object=A3), "no read goes back", id="a get that goes back"),
        pytest.param(with_get(span=Span("late", 7, 8)), "no read goes back", id="an object that is there is not found"),
        pytest.param(with_get(object=A1, requested=4), "no read goes back", id="a get that is older than was asked for"),
        pytest.param(with_get(span=Span("early", 0, 1), object=A1), "no read is ahead of its time", id="a get from the future"),
        pytest.param(with_write(2, precondition=2), "no update is lost", id="a write over another state"),
        pytest.param(with_write(1, span=Span("writer", 14, 15)), "a write is newer than what was known before it", id="an old revision for a new write"),
        pytest.param(with_write(1, revision=1), "one revision, one state", id="one revision twice"),
    ],
)  # fmt: skip
def test_what_has_no_order_is_caught(history, rule):
    violations = check(history)

    assert rule in {violation.rule for violation in violations}, violations


def test_a_violation_shows_its_evidence():
    (violation,) = check(with_events(*EVENTS[:5]))

    assert str(violation) == (
        "no event is lost: watcher, from revision 0: DELETED of revision 6 is missing\n"
        "  default/a at 6 removed labels {'team': 'x'} data {'n': '3'}\n"
        "  the next event that it saw is None; it must have seen everything until 6"
    )
