"""Watch streams over the wire: replay, order, sharing, bookmarks, ends (FK-140…143, FK-149, S3, S10)."""

from __future__ import annotations

import http.client
import json

import pytest

from fakecluster import FakeCluster

MAPS = "/api/v1/namespaces/default/configmaps"
OBJECTS = "/apis/demo.example.com/v1/namespaces/default/widgets"
VERSION = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": {"type": "object"}}}
WIDGETS = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.demo.example.com"},
    "spec": {
        "group": "demo.example.com",
        "scope": "Namespaced",
        "names": {"plural": "widgets", "kind": "Widget"},
        "versions": [VERSION],
    },
}


@pytest.fixture
def cluster():
    with FakeCluster(tls=False, anonymous=True, controllers="none") as running:
        yield running


class Watcher:
    """An open watch whose events are read one at a time."""

    def __init__(self, cluster, query="", path=MAPS):
        self.connection = http.client.HTTPConnection(cluster.url.removeprefix("http://"), timeout=10)
        self.connection.request("GET", f"{path}?watch=1{query}")
        self.response = self.connection.getresponse()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.connection.close()

    def next(self):
        event = json.loads(self.response.readline())
        return event["type"], event["object"]["metadata"].get("name", "")

    def rest(self):
        return self.response.read()


def create(cluster, name):
    return cluster.request("POST", MAPS, {"metadata": {"name": name}})


def test_a_watch_tells_what_happens(cluster):
    with Watcher(cluster) as watcher:
        create(cluster, "a")
        cluster.request("DELETE", f"{MAPS}/a")

        assert [watcher.next(), watcher.next()] == [("ADDED", "a"), ("DELETED", "a")]


def test_a_watch_from_a_revision_begins_behind_it(cluster):
    revision = create(cluster, "a")["metadata"]["resourceVersion"]
    create(cluster, "b")

    with Watcher(cluster, f"&resourceVersion={revision}") as watcher:
        create(cluster, "c")

        assert [watcher.next(), watcher.next()] == [("ADDED", "b"), ("ADDED", "c")]


def test_a_watch_list_ends_its_first_part_with_a_bookmark(cluster):
    create(cluster, "a")
    query = "&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true"

    with Watcher(cluster, query) as watcher:
        assert [watcher.next(), watcher.next()] == [("ADDED", "a"), ("BOOKMARK", "")]


def test_every_watcher_sees_every_event(cluster):
    watchers = [Watcher(cluster) for _ in range(20)]
    for number in range(5):
        create(cluster, f"m{number}")

    expected = [("ADDED", f"m{number}") for number in range(5)]
    assert [[watcher.next() for _ in expected] for watcher in watchers] == [expected] * 20
    assert [watcher.__exit__() for watcher in watchers] == [None] * 20


def test_a_watch_ends_at_its_deadline(cluster):
    with Watcher(cluster, "&timeoutSeconds=30") as watcher:
        cluster.advance(31)

        assert watcher.rest() == b""


def test_a_connection_serves_on_after_its_watch_ended(cluster):
    with Watcher(cluster, "&timeoutSeconds=30") as watcher:
        cluster.advance(31)
        watcher.rest()

        watcher.connection.request("GET", "/readyz")
        assert watcher.connection.getresponse().read() == b"ok"


def test_bookmarks_come_each_minute(cluster):
    with Watcher(cluster, "&allowWatchBookmarks=true") as watcher:
        cluster.advance(61)

        assert watcher.next() == ("BOOKMARK", "")


def test_restoring_ends_the_watches(cluster):
    before = cluster.snapshot()
    with Watcher(cluster) as watcher:
        cluster.restore(before)

        assert watcher.rest() == b""


def test_stopping_cuts_the_watches(cluster):
    watcher = Watcher(cluster)
    cluster.stop()

    assert watcher.connection.sock.recv(1) == b""
    watcher.connection.close()


def test_settling_waits_for_readers_that_report(cluster):
    with Watcher(cluster) as watcher:
        stream = watcher.response.headers["Audit-Id"]
        cluster.clock.saw(stream, 0)
        revision = int(create(cluster, "a")["metadata"]["resourceVersion"])
        watcher.next()
        cluster.clock.saw(stream, revision)

        cluster.settle()


def test_settling_gives_up_and_says_why(cluster):
    from fakecluster.server.quiescence import NotQuiet

    with Watcher(cluster) as watcher:
        cluster.clock.saw(watcher.response.headers["Audit-Id"], 0)
        create(cluster, "a")

        with pytest.raises(NotQuiet, match="a watcher has not seen everything"):
            cluster.settle(budget=0.1)


def test_a_watch_ends_with_its_kind_after_the_objects_went_fk_149(cluster):
    definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
    cluster.request("POST", definitions, WIDGETS)
    cluster.request(
        "POST",
        OBJECTS,
        {"apiVersion": "demo.example.com/v1", "kind": "Widget", "metadata": {"name": "a"}},
    )
    with Watcher(cluster, path=OBJECTS) as watcher:
        cluster.request("DELETE", f"{definitions}/widgets.demo.example.com")

        assert [watcher.next(), watcher.next()] == [("ADDED", "a"), ("DELETED", "a")]
        assert watcher.rest() == b""
