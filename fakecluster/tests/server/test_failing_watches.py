"""A watch that cannot be served ends with an error behind what came before;
no other watch notices (FK-141).
"""

from __future__ import annotations

import asyncio

import pytest

from fakecluster.api.outcome import Watch
from fakecluster.base.work_budget import TooMuchWork
from fakecluster.server.http.message import LAST_CHUNK, chunk
from fakecluster.tests.read_streams import THINGS, StreamBench, Transport

ERROR = chunk(b"500") + LAST_CHUNK


class Broken(Transport):
    """Takes nothing, as when the connection is gone."""

    closed = False

    def write(self, data):
        raise OSError

    def abort(self):
        self.closed = True


class Bench(StreamBench):
    """The frame of an object named `odd` cannot be made for watchers that do not accept it."""

    turns = 3

    def __init__(self):
        super().__init__()
        self.ended = []

    def open(self, name, view, transport=None, **options):
        def frame(event):
            if event.after.name[1] == "odd" and not name.startswith("bears"):
                raise RecursionError
            return event.after.name[1].encode()

        watch = Watch(
            since=self.store.revision,
            frame=frame,
            view=view,
            error=lambda error: b"%d" % error["code"],
            **options,
        )
        return self.read(watch, name, transport or Transport(), ended=lambda: self.ended.append(name))


def frames(*names):
    return b"".join(chunk(name.encode()) for name in names)


@pytest.mark.parametrize("view", ["same", None], ids=["shared", "its own"])
def test_what_came_before_is_written_then_an_error(view, caplog):
    async def play():
        bench = Bench()
        failing, other = bench.open("a", view), bench.open("bears", "other")
        await bench.happen("first", "odd", "last")
        return failing.data, other.data, bench.ended

    failing, other, ended = asyncio.run(play())

    assert (failing, ended) == (frames("first") + ERROR, ["a"])
    assert other == frames("first", "odd", "last")
    assert "a watch fails at revision" in caplog.text


def test_a_connection_that_takes_nothing_is_cut_and_the_others_go_on(caplog):
    async def play():
        bench = Bench()
        broken, other = bench.open("bears", None, Broken()), bench.open("bears too", None)
        await bench.happen("a")
        return broken.closed, other.data

    assert asyncio.run(play()) == (True, frames("a"))
    assert caplog.records


def test_a_first_frame_that_cannot_be_made_ends_the_watch(caplog):
    def initial():
        yield b"first"
        raise RecursionError

    async def play():
        bench = Bench()
        return bench.open("a", None, initial=initial()).data

    assert asyncio.run(play()).endswith(ERROR)
    assert "a watch fails at revision" in caplog.text


def test_a_first_frame_that_costs_too_much_ends_the_watch_with_413():
    def initial():
        yield b"first"
        raise TooMuchWork

    async def play():
        return Bench().open("a", None, initial=initial()).data

    assert asyncio.run(play()).endswith(chunk(b"413") + LAST_CHUNK)


def test_a_watch_whose_history_is_gone_ends_with_410():
    async def play():
        bench = Bench()
        watcher = bench.open("bears", None)
        bench.store.commit(THINGS, ("", "a"), {"metadata": {}}, expected=None)
        bench.store.compact()
        await bench.happen()
        return watcher.data

    assert asyncio.run(play()) == chunk(b"410") + LAST_CHUNK
