"""Watchers who see the same get the same bytes, made once; others get their own (S3)."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest

from fakecluster.api.outcome import Watch
from fakecluster.server.http.message import chunk
from fakecluster.tests.read_streams import StreamBench, Transport


class Bench(StreamBench):
    """Counts the frames that are made and those that are sent."""

    def __init__(self):
        super().__init__()
        self.made, self.sent = Counter(), Counter()

    def open(self, name, view):
        def frame(event):
            self.made[name] += 1
            return event.after.name[1].encode()

        def count(frames):
            self.sent[name] += frames

        watch = Watch(since=self.store.revision, frame=frame, view=view, count=count)
        return self.read(watch, name, Transport())


@pytest.mark.parametrize(
    ("views", "count"),
    [
        pytest.param(("same", "same"), 2, id="equal"),
        pytest.param(("one", "other"), 4, id="different"),
        pytest.param((None, None), 4, id="unknown"),
    ],
)
def test_frames_are_made_once_for_equal_views(views, count):
    async def play():
        bench = Bench()
        ends = [bench.open(str(number), view) for number, view in enumerate(views)]
        await bench.happen("a", "b")
        return bench, [end.data for end in ends]

    bench, data = asyncio.run(play())

    assert data == [chunk(b"a") + chunk(b"b")] * 2
    assert (bench.made.total(), bench.sent) == (count, {"0": 2, "1": 2})


def test_who_comes_between_two_events_of_a_round_sees_the_second_only():
    async def play():
        bench = Bench()
        early = bench.open("early", "same")
        bench.store.commit(("", "things"), ("", "a"), {"metadata": {}}, expected=None)
        late = bench.open("late", "same")
        await bench.happen("b")
        return early.data, late.data

    assert asyncio.run(play()) == (chunk(b"a") + chunk(b"b"), chunk(b"b"))
