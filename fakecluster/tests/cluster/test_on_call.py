"""A fork that works only while one of its methods is called: nothing happens between two calls."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.request import Request, urlopen
from weakref import ref

import pytest

from fakecluster import FakeCluster
from fakecluster.server.threads.callers_loop import CallersLoop
from fakecluster.server.threads.errors import NotRunning
from fakecluster.server.threads.interrupts import Interrupts

PATH = "/api/v1/namespaces"


def make(cluster: FakeCluster, name: str = "one") -> Any:
    return cluster.request(
        "POST", PATH, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    )


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Have SIGINT interrupt, which a process in the background of a shell may ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def cluster() -> Iterator[FakeCluster]:
    with FakeCluster(clock="virtual", tls=False) as base:
        fork = base.fork(on_call=True)
        yield fork
        fork.stop()


def test_it_answers_like_any_other(cluster: FakeCluster) -> None:
    make(cluster)
    assert cluster.request("GET", PATH + "/one")["status"] == {"phase": "Active"}


def test_nothing_happens_between_two_calls(cluster: FakeCluster) -> None:
    turned: list[str] = []
    cluster.call(lambda: cluster.loop.call_soon(turned.append, "turned"))
    cluster.call(lambda: None)
    assert turned == []
    cluster.settle()
    assert turned == ["turned"]


def test_time_passes_in_calls(cluster: FakeCluster) -> None:
    rang: list[float] = []
    current_time = cluster.clock.now()
    cluster.call(lambda: cluster.clock.call_at(current_time + 900, lambda: rang.append(cluster.clock.now())))
    cluster.advance(899)
    assert rang == []
    cluster.advance(1)
    assert rang == [current_time + 900]


def test_a_client_with_a_connection_is_answered_during_a_call(cluster: FakeCluster) -> None:
    request = Request(
        f"{cluster.url}/api/v1/namespaces/one", headers={"Authorization": f"Bearer {cluster.token()}"}
    )
    make(cluster)

    async def call() -> int:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(None, lambda: int(urlopen(request, timeout=30).status))

    assert cluster.run(call()) == 200


def test_other_threads_wait_for_their_turn(cluster: FakeCluster) -> None:
    with ThreadPoolExecutor(4) as threads:
        submits = [threads.submit(make, cluster, f"n{number}") for number in range(20)]
    names = [future.result()["metadata"]["name"] for future in submits]
    assert names == [f"n{number}" for number in range(20)]


def test_a_call_on_the_loop_is_made_at_once_and_may_not_wait(cluster: FakeCluster) -> None:
    async def inside() -> str:
        assert cluster.call(lambda: 7) == 7
        with pytest.raises(RuntimeError, match="await the coroutine"):
            cluster.settle()
        return "inside"

    assert cluster.run(inside()) == "inside"


def test_a_wait_has_an_end(cluster: FakeCluster) -> None:
    with pytest.raises(TimeoutError):
        cluster.run(asyncio.Event().wait(), 0.01)


def test_an_error_comes_to_the_caller_and_the_next_call_works(cluster: FakeCluster) -> None:
    def fails() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        cluster.call(fails)
    make(cluster)


def test_an_interruption_waits_for_the_end_of_the_call(cluster: FakeCluster) -> None:
    done: list[str] = []

    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        done.append("done")

    with pytest.raises(KeyboardInterrupt):
        cluster.call(interrupted)
    assert done == ["done"]
    make(cluster)


def test_an_interruption_before_the_call_leaves_the_loop_free(
    cluster: FakeCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: Interrupts) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Interrupts, "__enter__", interrupted)
        with pytest.raises(KeyboardInterrupt):
            cluster.call(lambda: None)
    make(cluster)


class OutOfTime(BaseException):
    """What pytest-timeout raises is no Exception either."""


@pytest.fixture
def time_limit() -> Iterator[None]:
    def handler(*_: object) -> None:
        raise OutOfTime

    before = signal.signal(signal.SIGALRM, handler)
    yield
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("time_limit")
def test_a_time_limit_ends_the_call(cluster: FakeCluster) -> None:
    async def never_done() -> None:
        asyncio.get_running_loop().call_soon(signal.raise_signal, signal.SIGALRM)
        await asyncio.Event().wait()

    with pytest.raises(OutOfTime):
        cluster.run(never_done())
    make(cluster)


@pytest.mark.usefixtures("time_limit")
def test_a_time_limit_that_a_task_takes_for_a_failure_ends_the_call(cluster: FakeCluster) -> None:
    async def fails() -> None:
        signal.raise_signal(signal.SIGALRM)

    async def waits_for_all() -> None:
        await asyncio.gather(asyncio.create_task(fails()), return_exceptions=True)

    with pytest.raises(OutOfTime):
        cluster.run(waits_for_all())
    make(cluster)


@pytest.mark.usefixtures("time_limit")
def test_an_interruption_is_not_lost_in_a_call_that_a_time_limit_ends(cluster: FakeCluster) -> None:
    async def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGALRM)

    with pytest.raises(KeyboardInterrupt):
        cluster.run(interrupted())
    make(cluster)


def test_a_second_interruption_does_not_wait(cluster: FakeCluster) -> None:
    def interrupted() -> None:
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        raise AssertionError("never reached")

    with pytest.raises(KeyboardInterrupt):
        cluster.call(interrupted)


def test_a_stopped_one_says_so(cluster: FakeCluster) -> None:
    cluster.stop()
    with pytest.raises(NotRunning):
        cluster.settle()


def test_a_fork_of_it_has_a_thread_again(cluster: FakeCluster) -> None:
    make(cluster)
    fork = cluster.fork()
    request = Request(
        f"{fork.url}/api/v1/namespaces/one", headers={"Authorization": f"Bearer {fork.token()}"}
    )
    assert urlopen(request, timeout=30).status == 200
    fork.stop()


def test_it_restarts(cluster: FakeCluster) -> None:
    make(cluster)
    cluster.restart()
    assert cluster.request("GET", PATH + "/one")["metadata"]["name"] == "one"


def test_its_past_is_seen(cluster: FakeCluster) -> None:
    created = make(cluster)
    at = cluster.at(int(created["metadata"]["resourceVersion"]))
    assert at.request("GET", PATH + "/one")["metadata"]["name"] == "one"
    at.stop()


def test_the_loop_goes_on_from_fork_to_fork_and_ends_with_their_parent() -> None:
    with FakeCluster(clock="virtual", tls=False) as base:
        loops = []
        for _ in range(2):
            fork = base.fork(on_call=True)
            loops.append(fork.loop)
            fork.stop()
        assert loops[0] is loops[1]
        assert not loops[0].is_closed()
    assert loops[0].is_closed()


def test_it_can_be_stopped_on_its_own_loop() -> None:
    base = FakeCluster(clock="virtual", tls=False).start()
    fork = base.fork(on_call=True)

    async def stops() -> str:
        fork.stop()
        base.stop()
        return "stopped"

    assert fork.run(stops()) == "stopped"


def test_what_is_under_way_at_the_end_is_cancelled() -> None:
    with FakeCluster(clock="virtual", tls=False) as base:
        fork = base.fork(on_call=True)
        task = fork.call(lambda: fork.loop.create_task(asyncio.Event().wait()))
        fork.stop()
    assert task.cancelled()


def test_a_process_that_was_forked_off_has_a_loop_of_its_own() -> None:
    with FakeCluster(clock="virtual", tls=False) as base:
        fork = base.fork(on_call=True)
        child = os.fork()
        if child == 0:
            os._exit(0 if CallersLoop._shared is None else 1)
        assert os.waitpid(child, 0)[1] == 0
        assert fork.request("GET", PATH + "/default")["metadata"]["name"] == "default"
        fork.stop()


def test_a_stopped_one_is_freed_without_a_search_for_cycles() -> None:
    with FakeCluster(clock="virtual", tls=False) as base:
        gc.disable()
        try:
            fork = base.fork(on_call=True)
            make(fork)
            api, listener = ref(fork._core.api), ref(fork.listener)
            fork.stop()
            fork = base.fork(on_call=True)  # what is left to the loop is done in calls to the next one
            fork.settle()
            assert (api(), listener()) == (None, None)
            fork.stop()
        finally:
            gc.enable()
