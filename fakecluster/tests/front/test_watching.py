"""Watches through a front, and the faults that hit their events (F-03)."""

from __future__ import annotations

import json

import pytest

from fakecluster.faults import EndWatch, Hold, NoBookmarks, Repeat
from fakecluster.tests import websocket

from .conftest import MAPS, Client, answered, becomes, config_map, scripted

CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


def chunk(event):
    line = json.dumps(event).encode() + b"\n"
    return b"%x\r\n%b\r\n" % (len(line), line)


def open_watch(client, query="", **headers):
    """Begin a watch; what is returned gives the next event as (type, name or code)."""
    answer = client.send("GET", f"{MAPS}?watch=1{query}", **headers)

    def following():
        line = answer.readline()
        event = json.loads(line) if line else {"type": "", "object": {}}
        obj = event["object"]
        return event["type"], obj.get("metadata", {}).get("name") or obj.get("code")

    return following


@pytest.fixture(params=["chunks", "websocket"])
def watch(request, front, behind, client):
    """A watch of new events."""
    since = behind.request("GET", MAPS)["metadata"]["resourceVersion"]
    if request.param == "chunks":
        yield open_watch(client, f"&resourceVersion={since}")
        return
    target = f"{MAPS}?watch=1&resourceVersion={since}"
    with websocket.open_socket(
        front.url, target, "User-Agent: client/1", token=front.token("anna")
    ) as messages:
        yield messages.watch_event


def make(behind, *names):
    for name in names:
        behind.request("POST", MAPS, config_map(name))


def test_events_come_one_by_one(behind, watch):
    for name in ("a", "b"):
        make(behind, name)
        assert watch() == ("ADDED", name)


def test_an_event_comes_twice(front, behind, watch):
    front.faults.add(Repeat(), name="a")
    make(behind, "a", "b")

    assert [watch() for _ in range(3)] == [("ADDED", "a"), ("ADDED", "a"), ("ADDED", "b")]


@pytest.mark.parametrize(
    ("code", "last"), [pytest.param(410, ("ERROR", 410), id="error"), pytest.param(0, ("", None), id="cut")]
)
def test_a_watch_ends_before_an_event(front, behind, watch, code, last):
    front.faults.add(EndWatch(code), nth=2)
    make(behind, "a", "b")

    assert [watch() for _ in range(3)] == [("ADDED", "a"), last, ("", None)]


def test_a_connection_goes_on_after_a_watch_that_ended_in_order(front, behind, client, watch):
    front.faults.add(EndWatch(500), times=1)
    make(behind, "a")
    assert [watch(), watch()] == [("ERROR", 500), ("", None)]

    assert client.ask("GET", f"{MAPS}/a")[0] == 200


@pytest.mark.parametrize(("code", "last"), [(410, ("ERROR", 410)), (0, ("", None))], ids=["error", "cut"])
def test_open_watches_end_at_once(front, behind, watch, code, last):
    make(behind, "a")
    assert watch() == ("ADDED", "a")
    front.end_watches(code, resource="configmaps", actor="anna")

    assert watch() == last


def test_watches_of_others_go_on(front, behind, watch):
    front.end_watches(410, actor="somebody")
    make(behind, "a")

    assert watch() == ("ADDED", "a")


def test_a_held_event_ends_with_its_watch(front, behind, client, watch):
    front.faults.add(Hold(3600.0), name="b")
    make(behind, "a", "b", "c")
    assert watch() == ("ADDED", "a")
    assert becomes(lambda: front.faults.hits)
    front.end_watches(500)

    assert watch() == ("ERROR", 500)


def test_events_wait_in_order(front, behind, watch):
    front.faults.add(Hold(0.01), name="a", times=1)
    make(behind, "a", "b")

    assert [watch(), watch()] == [("ADDED", "a"), ("ADDED", "b")]


@pytest.mark.parametrize("query", ["", "&resourceVersion=0"], ids=["newest", "any"])
def test_the_state_with_which_a_watch_begins_is_no_news(front, behind, client, query):
    make(behind, "a")
    front.faults.add(Repeat(), resource="configmaps")
    watch = open_watch(client, query)
    assert watch() == ("ADDED", "a")
    make(behind, "b")

    assert [watch(), watch()] == [("ADDED", "b"), ("ADDED", "b")]


def test_faults_that_come_later_hit_what_is_new_then(front, behind, client):
    make(behind, "a")
    streamed = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
    watch = open_watch(client, streamed)
    assert [watch(), watch()] == [("ADDED", "a"), ("BOOKMARK", None)]
    front.faults.add(Repeat(), name="b")
    make(behind, "b")

    assert [watch(), watch()] == [("ADDED", "b"), ("ADDED", "b")]


def test_the_end_of_a_streamed_list_is_no_bookmark_that_could_be_withheld(front, behind, client):
    make(behind, "a")
    front.faults.add(NoBookmarks(), resource="configmaps")
    front.faults.add(Repeat(), name="b")
    streamed = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"
    watch = open_watch(client, streamed)
    begun = [watch(), watch()]
    make(behind, "b")

    assert begun == [("ADDED", "a"), ("BOOKMARK", None)]
    assert [watch(), watch()] == [("ADDED", "b"), ("ADDED", "b")]


def test_bookmarks_are_withheld():
    frames = [
        {"type": "BOOKMARK", "object": {"kind": "ConfigMap", "metadata": {"resourceVersion": "5"}}},
        {"type": "ADDED", "object": {"kind": "ConfigMap", "metadata": {"name": "a", "resourceVersion": "6"}}},
    ]
    with scripted() as (listening, front), front:
        front.faults.add(NoBookmarks())
        client = Client(front, "anna")
        client.link.request("GET", f"{MAPS}?watch=1&resourceVersion=4", headers=client.headers)
        link = answered(listening, CHUNKED + b"".join(map(chunk, frames)) + b"0\r\n\r\n")
        shown = [json.loads(line)["type"] for line in client.link.getresponse()]
        client.link.close()
        link.close()

    assert (shown, len(front.faults.hits)) == (["ADDED"], 1)


def test_frames_can_be_read_whatever_is_accepted(front, behind, client):
    both = "application/vnd.kubernetes.protobuf,application/json"
    watch = open_watch(client, Accept=both)
    front.faults.add(Repeat())
    make(behind, "a")

    assert [watch(), watch()] == [("ADDED", "a"), ("ADDED", "a")]


def test_a_table_is_about_the_object_in_it(front, behind, client):
    watch = client.send("GET", f"{MAPS}?watch=1", Accept="application/json;as=Table;v=v1;g=meta.k8s.io")
    front.faults.add(Repeat(), name="a")
    make(behind, "a")
    cells = [json.loads(watch.readline())["object"]["rows"][0]["cells"][0] for _ in range(2)]

    assert cells == ["a", "a"]
