"""Requests that a fault disturbs on their way through a front, as the fake server's own are (F-03)."""

from __future__ import annotations

import http.client

import pytest

from fakecluster.faults import Answer, Delay, Drop, Pages, Stale, Truncate
from fakecluster.front import Front
from fakecluster.recording.upstream import Upstream

from .conftest import MAPS, Client, config_map, names, scripted

MAP = f"{MAPS}/a"


@pytest.fixture
def two(behind):
    """One config map, written twice."""
    behind.request("POST", MAPS, config_map("a", "1"))
    behind.request("POST", MAPS, config_map("b"))
    behind.request(
        "PATCH", MAP, {"data": {"k": "2"}}, headers={"content-type": "application/merge-patch+json"}
    )


def test_a_failure_is_answered_and_nothing_happens(front, behind, client):
    front.faults.add(Answer(429, retry_after=3), verb="create", resource="configmaps")
    answer = client.send("POST", MAPS, config_map("a"))
    answer.read()

    assert (answer.status, answer.headers["Retry-After"], bool(answer.headers["Audit-Id"])) == (
        429,
        "3",
        True,
    )
    assert [(entry.code, entry.user, entry.wrote) for entry in front.journal] == [(429, "anna", False)]
    assert not behind.journal.where(verb="create", resource="configmaps")


def test_a_commit_may_be_answered_with_a_failure(front, client):
    front.faults.add(Answer(500, after_commit=True), verb="create", nth=1)

    assert client.ask("POST", MAPS, config_map("a"))[0] == 500
    assert client.ask("POST", MAPS, config_map("a"))[1]["reason"] == "AlreadyExists"
    assert [(entry.code, entry.wrote) for entry in front.journal] == [(201, True), (409, False)]


@pytest.mark.parametrize(
    ("effect", "written"),
    [
        pytest.param(Drop(), False, id="before"),
        pytest.param(Drop(after_commit=True), True, id="after-the-commit"),
    ],
)
def test_a_connection_is_cut(front, behind, client, effect, written):
    front.faults.add(effect, verb="create")

    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        client.ask("POST", MAPS, config_map("a"))
    assert ("a" in names(behind.request("GET", MAPS))) == written


def test_a_watch_that_is_cut_after_it_began_leaves_nothing_open(front, client):
    front.faults.add(Drop(after_commit=True), verb="watch")

    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        client.send("GET", f"{MAPS}?watch=1&resourceVersion=1")


def test_a_body_breaks_off(front, client):
    front.faults.add(Truncate(10), resource="configmaps")

    with pytest.raises(http.client.IncompleteRead) as broken:
        client.ask("GET", MAPS)
    assert len(broken.value.partial) == 10


def test_an_answer_comes_later(front, client, other):
    front.faults.add(Delay(0.2), actor="anna")
    client.link.request("GET", MAPS, headers=client.headers)
    first = other.ask("GET", MAPS)[0], len(front.journal.all)
    second = client.link.getresponse().status, len(front.journal.all)

    assert (first, second) == ((200, 1), (200, 2))


def test_a_list_shows_an_older_state(front, client, two):
    front.faults.add(Stale(1), verb="list", times=1)
    stale, fresh = client.ask("GET", MAPS)[1], client.ask("GET", MAPS)[1]

    assert [document["items"][0]["data"] for document in (stale, fresh)] == [{"k": "1"}, {"k": "2"}]
    assert int(stale["metadata"]["resourceVersion"]) == int(fresh["metadata"]["resourceVersion"]) - 1


def test_an_object_is_shown_as_it_was(front, client, two):
    front.faults.add(Stale(1), verb="get", times=1)
    stale, fresh = client.ask("GET", MAP)[1], client.ask("GET", MAP)[1]

    assert [
        (document["kind"], document["apiVersion"], document["data"]["k"]) for document in (stale, fresh)
    ] == [
        ("ConfigMap", "v1", "1"),
        ("ConfigMap", "v1", "2"),
    ]


def test_what_was_not_there_yet_is_not_found(front, client, two):
    front.faults.add(Stale(3), verb="get")
    code, status = client.ask("GET", MAP)

    assert (code, status["reason"], status["message"]) == (404, "NotFound", 'configmaps "a" not found')
    assert front.journal.all[-1].message == status["message"]


@pytest.mark.parametrize(("query", "shown"), [("?limit=500", 1), ("", 2)], ids=["pages", "everything"])
def test_pages_are_shorter_than_was_asked_for_fk_136(front, client, two, query, shown):
    front.faults.add(Pages(1), verb="list")

    assert len(client.ask("GET", MAPS + query)[1]["items"]) == shown


def test_others_are_left_alone(front, client, other):
    with front.faults.partition("anna"):
        assert other.ask("GET", MAPS)[0] == 200
        with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
            client.ask("GET", MAPS)


def test_a_restart_cuts_connections_and_comes_back_where_it_was(front, client):
    assert client.ask("POST", MAPS, config_map("a"))[0] == 201
    url = front.url
    front.restart()
    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected, BrokenPipeError)):
        client.ask("GET", MAP)
    second = Client(front, "anna")

    assert (front.url, second.ask("GET", MAP)[0], len(front.journal.all)) == (url, 200, 2)
    second.link.close()


def test_a_write_that_is_under_way_when_it_restarts_is_told():
    """What was passed on is written, whether or not anybody hears of it."""
    body = b'{"kind":"ConfigMap","metadata":{"name":"a","uid":"u","resourceVersion":"5"}}'
    with scripted() as (listening, front), front:
        client = Client(front, "anna")
        client.link.request("POST", MAPS, b"{}", client.headers)
        link, _ = listening.accept()
        link.recv(65536)
        front.restart()
        link.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))
        front.wait_for_writes(10)
        client.link.close()
        link.close()

    assert [(entry.code, entry.wrote) for entry in front.journal] == [(201, True)]


def test_while_it_is_closed_nobody_is_answered(front, client):
    front.call(front._handler.stop)

    with pytest.raises(ConnectionError):
        client.ask("GET", MAPS)


def test_a_rule_that_never_hit_is_told_at_the_end(behind, caplog):
    front = Front(Upstream(url=behind.url, token=lambda: f"Bearer {behind.token()}")).start()
    front.faults.add(Drop(), id="idle", resource="pods")

    front.stop()
    front.stop()

    assert caplog.text.count("fault idle never hit") == 1
