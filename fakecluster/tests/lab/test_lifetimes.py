"""Clusters that are made from others, stopped and killed while they are at work (issue 16): errors of our
own, and nothing left over.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import Future
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster
from fakecluster.faults import Drop, Faults, Subject
from fakecluster.front import Front
from fakecluster.lab.routing import LabError, LabRequest
from fakecluster.lab.states import SavedStates
from fakecluster.server.threads.errors import NotRunning
from fakecluster.server.threads.loop import LoopThread

MAPS = "/api/v1/namespaces/default/configmaps"


def make_cluster(**options):
    return FakeCluster(tls=False, controllers="none", **options)


def answers(url):
    where = urlsplit(url)
    try:
        socket.create_connection((where.hostname, where.port), timeout=5).close()
    except ConnectionRefusedError:
        return False
    return True


@pytest.mark.parametrize("start", ["fork", "at", "restart"])
def test_a_cluster_that_runs_is_not_started_again_by_its_block(start):
    with make_cluster() as parent:
        users = LoopThread._shared.users
        child = {"fork": parent.fork, "at": parent.at, "restart": lambda **_: parent.restart() or parent}[
            start
        ](**({"revision": parent.snapshot().revision} if start == "at" else {}))
        url, listening = child.url, child.listener
        with child as entered:
            assert (entered.url, entered.listener) == (url, listening)

        assert not answers(url)
        assert LoopThread._shared is None if child is parent else LoopThread._shared.users == users


def test_a_front_that_runs_is_not_started_again_by_its_block(tmp_path):
    with make_cluster() as behind:
        behind.kubeconfig(tmp_path / "behind")
        front = Front.of_kubeconfig(tmp_path / "behind").start()
        url = front.url
        with front:
            assert front.url == url

        assert not answers(url)
        assert LoopThread._shared.users == 1


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda cluster: cluster.fork(), id="fork"),
        pytest.param(lambda cluster: cluster.at(1), id="at"),
        pytest.param(lambda cluster: cluster.snapshot(), id="snapshot"),
        pytest.param(lambda cluster: cluster.settle(), id="settle"),
        pytest.param(lambda cluster: cluster.request("GET", "/version"), id="request"),
        pytest.param(lambda cluster: cluster.end_watches(), id="end of watches"),
    ],
)
def test_a_stopped_cluster_says_so(ask):
    cluster = make_cluster().start()
    cluster.stop()

    with pytest.raises(NotRunning, match="the cluster is not running"):
        ask(cluster)


def test_a_fork_goes_on_when_its_parent_stops():
    parent = make_cluster().start()
    child = parent.fork()
    parent.stop()

    child.request("POST", MAPS, {"metadata": {"name": "a"}})
    with child.fork() as grandchild:
        child.stop()
        assert grandchild.request("GET", f"{MAPS}/a")["metadata"]["name"] == "a"

    assert LoopThread._shared is None


def test_forks_and_restores_at_once_see_whole_states():
    with make_cluster() as parent:
        states = []
        for name in ("a", "b"):
            parent.request("POST", MAPS, {"metadata": {"name": f"{name}-1"}})
            parent.request("POST", MAPS, {"metadata": {"name": f"{name}-2"}})
            states.append(parent.snapshot())
        back = threading.Thread(target=lambda: [parent.restore(states[turn % 2]) for turn in range(40)])
        back.start()
        counts = set()
        for _ in range(12):
            with parent.fork() as child:
                counts.add(
                    sum(
                        config_map["metadata"]["name"][0] in "ab"
                        for config_map in child.request("GET", MAPS)["items"]
                    )
                )
        back.join()

    assert counts <= {2, 4}


def test_a_cluster_that_is_forked_over_http_takes_its_forks_along():
    parent = make_cluster().start()
    link = http.client.HTTPConnection(urlsplit(parent.url).netloc, timeout=10)
    link.request("POST", "/_fakecluster/clusters/fork", headers={"Authorization": f"Bearer {parent.token()}"})
    child = json.loads(link.getresponse().read())
    link.close()
    assert answers(child["url"])

    parent.stop()

    assert not answers(child["url"])
    assert LoopThread._shared is None


def test_a_fork_that_is_ready_after_the_end_is_stopped():
    with make_cluster() as parent:
        states, child = SavedStates(), parent.fork()
        states.stop()

        with pytest.raises(LabError, match="the cluster was stopped before that was done"):
            states._register("fork", child)
        assert not answers(child.url)


def test_what_is_taken_twice_at_once_is_there_once():
    states = SavedStates()
    with make_cluster() as cluster:
        states.take(cluster, LabRequest(body={"name": "x"}))
        states.drop(cluster, LabRequest(parameters={"name": "x"}))
        with pytest.raises(LabError, match="no snapshot 'x'"):
            states.drop(cluster, LabRequest(parameters={"name": "x"}))


@pytest.mark.parametrize("wait", ["run", "call"])
def test_who_waits_for_a_loop_that_ends_is_told(wait):
    thread = LoopThread()
    thread.users = 1
    reached, messages = threading.Event(), []

    async def for_ever():
        reached.set()
        await asyncio.Event().wait()

    def waiting():
        try:
            thread.run(for_ever()) if wait == "run" else thread.call(reached.set) or thread.run(for_ever())
        except NotRunning as error:
            messages.append(str(error))

    other = threading.Thread(target=waiting)
    other.start()
    reached.wait(5)
    LoopThread._shared, states = None, LoopThread._shared
    thread.release()
    LoopThread._shared = states
    other.join(5)

    assert messages == ["the cluster was stopped before that was done"]
    with pytest.raises(NotRunning):
        thread.call(lambda: None)
    with pytest.raises(NotRunning):
        thread.run(for_ever())


def test_what_comes_in_behind_the_last_turn_of_a_loop_is_told():
    thread, late = LoopThread(), Future()
    thread.users = 1
    thread._pending.add(late)
    LoopThread._shared, states = None, LoopThread._shared
    thread.release()
    LoopThread._shared = states

    assert late.cancelled()


def test_rules_change_while_requests_are_judged():
    faults = Faults(0, lambda: 0.0)
    faults.add(Drop(), id="one")

    class Changing(Subject, frozen=True, kw_only=True):
        @property
        def actors(self):
            faults.add(Drop())
            return ("a", "b")

    faults.add(Drop(), id="two", actor="a")

    assert faults.on_request(Changing(verb="get")) == (Drop(), Drop())


def test_a_process_that_is_killed_leaves_nothing(tmp_path):
    program = (
        "from fakecluster import FakeCluster\nimport threading\n"
        "one = FakeCluster().start()\ntwo = one.fork()\nthree = two.at(two.snapshot().revision)\n"
        "print(one.url, two.url, three.url, flush=True)\nthreading.Event().wait()\n"
    )
    killed = subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    urls = killed.stdout.readline().split()
    assert [answers(url) for url in urls] == [True, True, True]

    killed.send_signal(signal.SIGKILL)
    killed.wait(10)
    killed.stdout.close()

    assert [answers(url) for url in urls] == [False, False, False]
    assert list(tmp_path.iterdir()) == []
