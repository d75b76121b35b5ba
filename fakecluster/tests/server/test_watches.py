"""Watches: where they begin, what they show, how they are refused (FK-136…FK-146)."""

import orjson
import pytest

URL = "/api/v1/namespaces/ns/configmaps"
MERGE = "application/merge-patch+json"


def types(frames):
    return [orjson.loads(frame)["type"] for frame in frames if frame]


def follow(ask, stream, since):
    return [orjson.loads(frame) for event in ask.api.store.events(since) if (frame := stream.frame(event))]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("watch=1", ["ADDED"], id="from nothing fk-140"),
        pytest.param(
            "watch=1&resourceVersion=0&allowWatchBookmarks=true", ["ADDED", "BOOKMARK"], id="from zero fk-140"
        ),
        pytest.param(
            "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true",
            ["ADDED", "BOOKMARK"],
            id="watch-list fk-142",
        ),
        pytest.param(
            "watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan",
            ["ADDED"],
            id="no bookmarks fk-142",
        ),
        pytest.param("watch=1&resourceVersion=1002", [], id="from a revision fk-141"),
    ],
)
def test_a_watch_begins_with_what_was_asked_for(ask, query, expected):
    ask("POST", URL, {"metadata": {"name": "a"}})

    assert types(ask.send("GET", f"{URL}?{query}").initial) == expected


def test_leaving_a_selection_looks_like_a_deletion_fk_145(ask):
    ask("POST", URL, {"metadata": {"name": "a", "labels": {"l": "1"}}, "data": {"k": "old"}})
    since = ask.api.store.revision
    stream = ask.send("GET", f"{URL}?watch=1&labelSelector=l%3D1&resourceVersion={since}")

    ask("PATCH", f"{URL}/a", {"metadata": {"labels": None}, "data": {"k": "new"}}, content_type=MERGE)
    ask("PATCH", f"{URL}/a", {"metadata": {"labels": {"l": "1"}}}, content_type=MERGE)
    remaining, came = follow(ask, stream, since)

    assert (
        remaining["type"],
        remaining["object"]["data"]["k"],
        remaining["object"]["metadata"]["resourceVersion"],
    ) == (
        "DELETED",
        "old",
        str(since + 1),
    )
    assert came["type"] == "ADDED"


def test_a_forgotten_revision_is_an_error_event_fk_141(ask):
    ask.api.store.compact()

    outcome = ask.send("GET", f"{URL}?watch=1&resourceVersion=1000")

    (frame,) = outcome.initial
    assert orjson.loads(frame)["object"]["reason"] == "Expired"
    assert not outcome.served(), "the stream ends behind it"


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("resourceVersion=abc", 500),
        ("continue=x", 422),
        ("sendInitialEvents=true", 422),
        ("resourceVersionMatch=Exact&resourceVersion=1", 422),
    ],
    ids=str,
)
def test_bad_watches_are_refused_fk_137(ask, query, code):
    assert ask("GET", f"{URL}?watch=1&{query}")[0] == code


def test_every_watcher_gets_the_same_bytes(ask):
    streams = [ask.send("GET", f"{URL}?watch=1&resourceVersion=1001") for _ in range(2)]
    ask("POST", URL, {"metadata": {"name": "a"}})
    (event,) = ask.api.store.events(1001)

    assert streams[0].frame(event) is streams[1].frame(event)
