"""Watch streams that wait for a call: order, one call for all, another try (FK-330, FK-332)."""

from __future__ import annotations

import asyncio

from fakecluster.api import status
from fakecluster.api.outcome import Call, CallResult, Watch
from fakecluster.api.steps import NeedsSteps
from fakecluster.server.waits import Waits
from fakecluster.tests.read_streams import StreamBench, Transport

GOOD, BAD = CallResult(code=200), CallResult(code=500)
CALL = Call(method="POST", url="https://hook.example.com/convert", timeout=1)


class Bench(StreamBench):
    """The frame of `slow` waits for a call, whose results are given."""

    turns = 5

    def __init__(self, *results):
        super().__init__()
        self.results = list(results)
        self.calls = 0
        self.known = False

    async def finish(self, steps):
        return await Waits(self.perform, self.store, self.clock).finish(steps)

    async def perform(self, call):
        self.calls += 1
        return self.results.pop(0)

    def learn(self):
        (result,) = yield (CALL,)
        if result is BAD:
            raise status.raw("refused")
        self.known = True

    def frame(self, event):
        if event.after.name[1] == "slow" and not self.known:
            raise NeedsSteps("slow", self.learn())
        return event.after.name[1].encode()

    def opening(self):
        if not self.known:
            raise NeedsSteps("slow", self.learn())
        return (b"first",)

    def open(self, **fields):
        watch = Watch(since=self.store.revision, frame=self.frame, **fields)
        return self.read(watch, "a", Transport())


def test_fk_330_events_keep_their_order_behind_a_call():
    async def play():
        bench = Bench(GOOD)
        transport = bench.open()
        await bench.happen("early", "slow", "late")
        return transport.names

    assert asyncio.run(play()) == ["early", "slow", "late"]


def test_fk_330_streams_that_wait_for_the_same_call_make_it_once():
    async def play():
        bench = Bench(GOOD)
        transports = [bench.open() for _ in range(3)]
        await bench.happen("slow", "late")
        return bench.calls, [transport.names for transport in transports]

    assert asyncio.run(play()) == (1, [["slow", "late"]] * 3)


def test_fk_332_a_call_that_brings_nothing_is_made_again_after_a_while():
    async def play():
        bench = Bench(BAD, GOOD)
        transport = bench.open()
        await bench.happen("slow", "late")
        silent = list(transport.names)
        bench.clock.advance_to(1.0)
        await bench.happen()
        return silent, transport.names

    assert asyncio.run(play()) == ([], ["slow", "late"])


def test_fk_332_a_stream_that_cannot_begin_yet_begins_later():
    async def play():
        bench = Bench(GOOD)
        transport = bench.open(opening=bench.opening)
        await bench.happen("late")
        return transport.names

    assert asyncio.run(play()) == ["first", "late"]
