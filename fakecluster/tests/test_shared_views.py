"""Watchers who see the same get the same bytes, made once; others get their own (S3)."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from fakecluster.api.outcome import Watch
from fakecluster.clock import VirtualClock
from fakecluster.faults import Faults
from fakecluster.server.http.message import chunk
from fakecluster.server.watch.streams import Streams
from fakecluster.store import Store


class Transport:
    """Keeps what a stream writes."""

    def __init__(self):
        self.data = b""

    def write(self, data):
        self.data += data

    def get_write_buffer_size(self):
        return 0


class Channel:
    """A connection whose client reads."""

    def __init__(self, transport):
        self.transport, self.drained = transport, None
        self.writable = asyncio.Event()
        self.writable.set()


class Bench:
    """Streams over a store; counts the frames that are made and those that are sent."""

    def __init__(self):
        self.store, self.clock = Store(), VirtualClock(0.0)
        self.streams = Streams(self.store, self.clock, None, Faults(0, self.clock.now))
        self.made, self.sent = Counter(), Counter()

    def open(self, name, view):
        def frame(event):
            self.made[name] += 1
            return event.after.name[1].encode()

        def count(frames):
            self.sent[name] += frames

        transport = Transport()
        watch = Watch(since=self.store.revision, frame=frame, view=view, count=count)
        self.streams.open(watch, name, Channel(transport), ended=lambda: None, subject=lambda: None)
        return transport

    async def happen(self, *names):
        for name in names:
            self.store.commit(("", "things"), ("", name), {"metadata": {}}, expected=None)
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("views", "made"),
    [
        pytest.param(("same", "same"), 2, id="equal"),
        pytest.param(("one", "other"), 4, id="different"),
        pytest.param((None, None), 4, id="unknown"),
    ],
)
def test_frames_are_made_once_for_equal_views(views, made):
    async def play():
        bench = Bench()
        ends = [bench.open(str(number), view) for number, view in enumerate(views)]
        await bench.happen("a", "b")
        return bench, [one.data for one in ends]

    bench, seen = asyncio.run(play())

    assert seen == [chunk(b"a") + chunk(b"b")] * 2
    assert (bench.made.total(), bench.sent) == (made, {"0": 2, "1": 2})


def test_who_comes_between_two_events_of_a_round_sees_the_second_only():
    async def play():
        bench = Bench()
        early = bench.open("early", "same")
        bench.store.commit(("", "things"), ("", "a"), {"metadata": {}}, expected=None)
        late = bench.open("late", "same")
        await bench.happen("b")
        return early.data, late.data

    assert asyncio.run(play()) == (chunk(b"a") + chunk(b"b"), chunk(b"b"))
