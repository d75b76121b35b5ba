"""Asking others: a Call goes out, its answer is fed back (design.md §5)."""

from __future__ import annotations

import socket
from random import Random

import orjson
import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import Call, Response
from fakecluster.api.steps import begin
from fakecluster.auth.security import Security, Settings
from fakecluster.base.clock import WallClock
from fakecluster.fairness import Fairness
from fakecluster.faults import Faults
from fakecluster.server.gate import Gate
from fakecluster.server.listener import Listener
from fakecluster.server.outgoing.calls import Caller
from fakecluster.server.outgoing.relay import Relay
from fakecluster.server.priority_and_fairness import PriorityAndFairness
from fakecluster.store import Store


def call(url, timeout=5.0):
    return Call(method="GET", url=url, timeout=timeout)


async def perform(request):
    caller = Caller()
    try:
        return await caller.perform(request)
    finally:
        caller.close()


@pytest.fixture
def other():
    with FakeCluster(tls=False, anonymous=True, controllers="none") as running:
        yield running


def test_an_answer_comes_back(other):
    response = other.run(perform(call(f"{other.url}/readyz")))

    assert (response.code, response.body, response.error) == (200, b"ok", "")


def test_nobody_there_is_a_text(other):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]

    result = other.run(perform(call(f"http://127.0.0.1:{port}/")))

    assert (result.code, result.error) == (
        0,
        f'Get "http://127.0.0.1:{port}/": dial tcp 127.0.0.1:{port}: connect: connection refused',
    )


def test_silence_is_a_text(other):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/"

        assert other.run(perform(call(url, timeout=0.05))).error == f'Get "{url}": context deadline exceeded'


def test_the_server_goes_on_with_the_answer(other):
    def steps():
        (result,) = yield (call(f"{other.url}/version"),)
        return Response(code=201, body=orjson.loads(result.body)["major"].encode())

    def handle(_):
        return begin(steps())

    store, clock = Store(), WallClock()
    gate = Gate(
        handle,
        lambda request, _: handle(request),
        lambda _: handle,
        Security.of(Settings(anonymous=True), store, clock, Random(0)),
        PriorityAndFairness(Fairness(store, 1, clock), clock),
        Random(0),
    )
    listener = Listener(gate, store, clock, Faults(0, clock.now), Relay(lambda _: None))
    port = other.run(listener.start(0, None))
    try:
        result = other.run(perform(call(f"http://127.0.0.1:{port}/anything")))
    finally:
        other.loop.call_soon_threadsafe(listener.stop)

    assert (result.code, result.body) == (201, b"1")
