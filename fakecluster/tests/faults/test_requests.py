"""Requests that a fault disturbs, as clients see it over HTTP (F-03)."""

from __future__ import annotations

import asyncio
import http.client
import json
from urllib.parse import urlsplit

import aiohttp
import pytest

from fakecluster import FakeCluster
from fakecluster.faults import Answer, Delay, Drop, Pages, Stale, Truncate

MAPS = "/api/v1/namespaces/default/configmaps"


@pytest.fixture
def cluster():
    with FakeCluster(tls=False, anonymous=True, controllers="none") as cluster:
        yield cluster


@pytest.fixture
def ask(cluster):
    """Send one request on a connection of its own; return code, headers and JSON."""
    connection = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)

    def asked(method, path, body=None, agent="client/1"):
        connection.request(
            method, path, body and json.dumps(body), {"User-Agent": agent, "Content-Type": "application/json"}
        )
        answer = connection.getresponse()
        return answer.status, answer.headers, json.loads(answer.read())

    yield asked
    connection.close()


def config_map(name):
    return {"metadata": {"name": name}}


def names(listed):
    return [
        config_map["metadata"]["name"]
        for config_map in listed["items"]
        if config_map["metadata"]["name"] != "kube-root-ca.crt"
    ]


@pytest.mark.parametrize(
    ("effect", "reason", "retry_after"),
    [
        pytest.param(Answer(409), "Conflict", None, id="conflict"),
        pytest.param(Answer(429, retry_after=3), "TooManyRequests", "3", id="throttled"),
        pytest.param(
            Answer(500, reason="ServerTimeout", retry_after=1),
            "ServerTimeout",
            "1",
            id="server-timeout-fk-053",
        ),
        pytest.param(Answer(503, reason="Tired", message="come back"), "Tired", None, id="own-words"),
    ],
)
def test_a_failure_is_answered_and_nothing_happens(cluster, ask, effect, reason, retry_after):
    cluster.faults.add(effect, verb="create", resource="configmaps")
    code, headers, status = ask("POST", MAPS, config_map("a"))

    assert (code, status["code"], status["reason"]) == (effect.code, effect.code, reason)
    assert headers["Retry-After"] == retry_after
    assert names(ask("GET", MAPS)[2]) == []


def test_a_commit_may_be_answered_with_a_failure(cluster, ask):
    cluster.faults.add(Answer(500, after_commit=True), verb="create", nth=1)

    assert ask("POST", MAPS, config_map("a"))[0] == 500
    assert ask("POST", MAPS, config_map("a"))[2]["reason"] == "AlreadyExists"


@pytest.mark.parametrize(
    ("effect", "written"),
    [
        pytest.param(Drop(), [], id="before"),
        pytest.param(Drop(after_commit=True), ["a"], id="after-the-commit"),
    ],
)
def test_a_connection_is_cut(cluster, ask, effect, written):
    cluster.faults.add(effect, verb="create")

    with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
        ask("POST", MAPS, config_map("a"))
    assert names(cluster.request("GET", MAPS)) == written


def test_a_body_breaks_off(cluster, ask):
    cluster.faults.add(Truncate(10), resource="configmaps")

    with pytest.raises(http.client.IncompleteRead) as broken:
        ask("GET", MAPS)
    assert len(broken.value.partial) == 10


def test_a_reader_sees_an_older_state(cluster, ask):
    for name in ("a", "b", "c"):
        ask("POST", MAPS, config_map(name))
    cluster.faults.add(Stale(1), verb="list", times=1)

    stale, fresh = ask("GET", MAPS)[2], ask("GET", MAPS)[2]
    assert (names(stale), names(fresh)) == (["a", "b"], ["a", "b", "c"])
    assert int(stale["metadata"]["resourceVersion"]) == int(fresh["metadata"]["resourceVersion"]) - 1


def test_only_a_read_that_allows_it_comes_from_a_cache_that_lags(cluster, ask):
    cluster.request("POST", MAPS, config_map("old"))
    cluster.request("POST", MAPS, config_map("new"))
    cluster.faults.add(Stale(1, only_from_cache=True))

    assert names(ask("GET", MAPS)[2]) == ["new", "old"]
    assert names(ask("GET", f"{MAPS}?resourceVersion=0")[2]) == ["old"]
    assert ask("GET", f"{MAPS}/new")[0] == 200
    assert ask("GET", f"{MAPS}/new?resourceVersion=0")[0] == 404


def test_a_delay_passes_in_the_clusters_time(cluster):
    cluster.faults.add(Delay(60.0), actor="slow")
    connection = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)
    connection.request("GET", "/version", headers={"User-Agent": "slow/1"})
    while not cluster.faults.hits:
        cluster.settle()
    before = cluster.clock.now()
    cluster.advance(60)

    assert connection.getresponse().status == 200
    assert cluster.clock.now() == before + 60
    connection.close()


def test_others_are_left_alone(cluster, ask):
    with cluster.faults.partition("unlucky"):
        assert ask("GET", "/version", agent="lucky/1")[0] == 200
        with pytest.raises((ConnectionResetError, http.client.RemoteDisconnected)):
            ask("GET", "/version", agent="unlucky/1")


def test_the_same_seed_disturbs_the_same_requests(ask, cluster):
    def codes(seed):
        with FakeCluster(tls=False, anonymous=True, controllers="none", seed=seed) as cluster:
            cluster.faults.add(Answer(503), probability=0.5)
            link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)
            codes = [is_answered(link) for _ in range(20)]
            link.close()
            return codes

    assert codes(3) == codes(3) != codes(4)


def is_answered(link):
    link.request("GET", "/version")
    answer = link.getresponse()
    answer.read()
    return answer.status


def test_who_waits_for_a_late_answer_does_not_hold_virtual_time_up():
    async def asks(clock, url):
        with clock.busy():
            async with aiohttp.ClientSession() as session, session.get(f"{url}/version") as answer:
                return answer.status

    with FakeCluster(tls=False, anonymous=True, controllers="none") as cluster:
        cluster.faults.add(Delay(60))
        asking = asyncio.run_coroutine_threadsafe(asks(cluster.clock, cluster.url), cluster.loop)
        cluster.advance(61)

        assert asking.result(5) in (200, 401)


@pytest.mark.parametrize(
    ("query", "shown"),
    [("?limit=500", 2), ("?limit=1", 1), ("", 3)],
    ids=["pages", "smaller-ones", "everything"],
)
def test_pages_are_shorter_than_was_asked_for_fk_136(cluster, ask, query, shown):
    for name in ("a", "b", "c"):
        ask("POST", MAPS, config_map(name))
    cluster.faults.add(Pages(2), verb="list")

    listed = ask("GET", MAPS + query)[2]

    assert len(listed["items"]) == shown
    assert ("continue" in listed["metadata"]) == (shown < 3)
