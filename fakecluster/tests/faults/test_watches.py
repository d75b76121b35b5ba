"""Watches that a fault disturbs, as clients see it over HTTP (F-03)."""

from __future__ import annotations

import contextlib
import http.client
import json
import socket
import ssl
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster
from fakecluster.faults import EndWatch, Hold, NoBookmarks, Repeat
from fakecluster.tests import websocket
from fakecluster.tests.server.test_streams import OBJECTS as WIDGETS_URL
from fakecluster.tests.server.test_streams import WIDGETS

MAPS = "/api/v1/namespaces/default/configmaps"
DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


@pytest.fixture
def cluster():
    with FakeCluster(tls=False, anonymous=True, controllers="none") as fake_cluster:
        yield fake_cluster


@pytest.fixture(params=["chunks", "websocket"])
def watch(request, cluster):
    """An open watch; `watch()` returns the next event as (type, name)."""
    since = cluster.request("GET", MAPS)["metadata"]["resourceVersion"]
    if request.param == "websocket":
        with websocket.open_socket(
            cluster.url, f"{MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion={since}"
        ) as client:
            yield client.watch_event
        return
    link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)
    link.request("GET", f"{MAPS}?watch=1&allowWatchBookmarks=true&resourceVersion={since}")
    answer = link.getresponse()

    def following():
        line = answer.readline()
        event = json.loads(line) if line else {"type": "", "object": {}}
        return event["type"], event["object"].get("metadata", {}).get("name") or event["object"].get("code")

    yield following
    link.close()


def make(cluster, *names):
    for name in names:
        cluster.request("POST", MAPS, {"metadata": {"name": name}})


def test_an_event_comes_twice(cluster, watch):
    cluster.faults.add(Repeat(), name="a")
    make(cluster, "a", "b")

    assert [watch() for _ in range(3)] == [("ADDED", "a"), ("ADDED", "a"), ("ADDED", "b")]


def test_a_watch_ends_with_an_error(cluster, watch):
    cluster.faults.add(EndWatch(410), nth=2)
    make(cluster, "a", "b")

    assert [watch() for _ in range(3)] == [("ADDED", "a"), ("ERROR", 410), ("", None)]


def test_a_watch_is_cut(cluster, watch):
    cluster.faults.add(EndWatch())
    make(cluster, "a")

    assert watch() == ("", None)


def test_events_wait_in_order(cluster, watch):
    cluster.faults.add(Hold(30.0), name="b", times=1)
    make(cluster, "a", "b", "c")
    assert watch() == ("ADDED", "a")
    assert len(cluster.faults.hits) == 1
    cluster.advance(30)

    assert [watch() for _ in range(2)] == [("ADDED", "b"), ("ADDED", "c")]


def test_bookmarks_are_withheld(cluster, watch):
    cluster.faults.add(NoBookmarks(), times=1)
    cluster.advance(61)
    assert len(cluster.faults.hits) == 1
    make(cluster, "a")
    cluster.advance(60)

    assert [watch() for _ in range(2)] == [("ADDED", "a"), ("BOOKMARK", None)]


def test_a_partitioned_actors_watches_end(cluster, watch):
    with cluster.faults.partition("admin"):
        make(cluster, "a")
    assert watch() == ("ADDED", "a")
    with cluster.faults.partition("system:anonymous"):
        make(cluster, "b")
        assert watch() == ("", None)


def test_open_watches_end_at_once(cluster, watch):
    cluster.end_watches(410, resource="configmaps")

    assert [watch(), watch()] == [("ERROR", 410), ("", None)]


def test_watches_of_others_go_on(cluster, watch):
    cluster.end_watches(410, actor="somebody")
    make(cluster, "a")

    assert watch() == ("ADDED", "a")


def test_definitions_are_served_after_a_restart(cluster):
    cluster.restart()
    cluster.request("POST", DEFINITIONS, WIDGETS)

    assert cluster.request("GET", WIDGETS_URL)["kind"] == "WidgetList"


def test_a_restart_keeps_what_is_stored(cluster):
    make(cluster, "a")
    url = cluster.url
    cluster.restart()

    assert (cluster.url, cluster.request("GET", f"{MAPS}/a")["metadata"]["name"]) == (url, "a")


def test_the_end_of_a_connection_needs_no_answer_of_the_client():
    """Over TLS an orderly end would wait for the client's: one that does not read, as fabric8's between two
    messages, would keep a watch that has ended.
    """
    with FakeCluster(anonymous=True, controllers="none") as cluster:
        url = urlsplit(cluster.url)
        plain = socket.create_connection((url.hostname, url.port), timeout=10)
        below = plain.dup()
        with ssl._create_unverified_context().wrap_socket(plain) as client, below:
            client.sendall(f"GET {MAPS}?watch=1 HTTP/1.1\r\nHost: {url.netloc}\r\n\r\n".encode())
            client.recv(65536)

            cluster.end_watches()

            below.settimeout(10)
            with contextlib.suppress(ConnectionResetError):
                while below.recv(65536):
                    pass
