"""Watch streams over a store whose clients read, without sockets."""

import asyncio

from fakecluster.base.clock import VirtualClock
from fakecluster.faults import Faults
from fakecluster.server.watch.streams import WatchStreams
from fakecluster.store import Store

THINGS = ("", "things")


class Transport:
    """Keeps what a stream writes."""

    def __init__(self):
        self.data = b""

    def write(self, data):
        self.data += data

    def get_write_buffer_size(self):
        return 0

    @property
    def names(self):
        """The names that frames were made of."""
        return [line.decode() for line in self.data.split(b"\r\n") if line.isalpha()]


class Channel:
    """A connection whose client reads."""

    def __init__(self, transport):
        self.transport, self.drained = transport, None
        self.writable = asyncio.Event()
        self.writable.set()


class StreamBench:
    """Streams over a store."""

    turns = 1
    """Turns of the loop after which everything is written."""

    def __init__(self):
        self.store, self.clock = Store(), VirtualClock(0.0)
        self.streams = WatchStreams(self.store, self.clock, self.finish, Faults(0, self.clock.now))

    async def finish(self, steps):
        raise AssertionError("nothing here waits for others")

    def read(self, watch, name, transport, ended=lambda: None):
        """Open a stream whose client reads."""
        self.streams.open(watch, name, Channel(transport), on_end=ended, subject=lambda: None)
        return transport

    async def happen(self, *names):
        """Create objects, and let their events be written."""
        for name in names:
            self.store.commit(THINGS, ("", name), {"metadata": {}}, expected=None)
        for _ in range(self.turns):
            await asyncio.sleep(0)
