"""Answers are sent in pieces, as fast as clients read; a client that reads nothing is cut off, and above the
limit the one that holds most.
"""

import asyncio
from types import SimpleNamespace

from fakecluster.server.http.request_reader import RequestReader
from fakecluster.server.transport import connection as connections
from fakecluster.server.transport.backpressure import (
    BYTES_PER_TURN,
    MAX_LOOP_BUFFER_BYTES,
    STALLED_SECONDS,
    WRITE_BYTES,
    BackpressureTransport,
)
from fakecluster.server.transport.connection import PHASE_TIMEOUT_SECONDS, READ_AHEAD, Connection
from fakecluster.server.transport.unread_bytes import UnreadBytes
from fakecluster.tests.raw import request

ASKED = request("GET", "/x")


class Below:
    """A transport of the event loop whose client reads when it is told to."""

    def __init__(self):
        self.held = 0
        self.protocol = None
        self.ended = ""
        self.reading = True

    def write(self, data):
        self.held += len(data)
        if self.held > MAX_LOOP_BUFFER_BYTES:
            self.protocol.pause_writing()

    async def take(self):
        """Read all that is there."""
        self.held = 0
        self.protocol.resume_writing()
        await asyncio.sleep(0)

    def get_write_buffer_size(self):
        return self.held

    def is_closing(self):
        return bool(self.ended)

    def close(self):
        self.ended = self.ended or "closed"

    def abort(self):
        self.ended = "cut"

    def is_reading(self):
        return self.reading

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True

    def set_write_buffer_limits(self, high):
        del high

    def get_extra_info(self, name):
        del name


class Server:
    """Answers every request with some bytes, or leaves it unanswered."""

    def __init__(self, size, limit=10**9):
        self.connections = set()
        self.unread = UnreadBytes(limit, grace=0)
        self.stopped = False
        self.asked = 0
        self._answer = b"x" * size

    def respond(self, arrived, connection):
        self.asked += 1
        if self._answer:
            connection.transport.write(self._answer)
            connection.finish(keep_alive=arrived.keep_alive)

    def connected(self):
        """Return a connection and its transport."""
        connection, below = Connection(self), Below()
        below.protocol = connection
        connection.connection_made(below)
        return connection, below


async def turn():
    """Let everything go on that can."""
    for _ in range(10):
        await asyncio.sleep(0)


def stall(connection, *seconds):
    start = asyncio.get_running_loop().time()
    return [connection.overdue(start + chunk) for chunk in seconds]


def test_a_large_answer_is_handed_on_in_pieces():
    async def story():
        connection, below = Server(10 * WRITE_BYTES).connected()
        connection.data_received(ASKED)

        assert below.held == WRITE_BYTES
        assert connection.transport.get_write_buffer_size() == 10 * WRITE_BYTES

    asyncio.run(story())


def test_a_client_that_keeps_up_waits_for_the_next_turn_of_the_loop():
    async def story():
        connection, below = Server(10 * WRITE_BYTES).connected()
        below.write = lambda data: sizes.append(len(data))
        sizes, turns = [], []
        asyncio.get_running_loop().call_soon(lambda: turns.append(sum(sizes)))
        connection.data_received(ASKED)
        assert sum(sizes) == BYTES_PER_TURN
        await turn()

        assert (turns, sum(sizes)) == ([BYTES_PER_TURN], 10 * WRITE_BYTES)

    asyncio.run(story())


def test_pieces_come_whole_and_in_order():
    async def story():
        below = Below()
        below.protocol = SimpleNamespace(pause_writing=lambda: paced.pause())
        paced, written = BackpressureTransport(below, UnreadBytes(), lambda: None), bytearray()
        below.write = written.extend
        sent = [bytes([number]) * (number * 50_000) for number in range(8)]
        paced.pause()
        for chunk in sent:
            paced.write(chunk)
        assert not written
        paced.resume()
        await turn()

        assert bytes(written) == b"".join(sent)
        assert paced.unread == 0

    asyncio.run(story())


def test_the_next_request_waits_until_the_answer_is_taken():
    async def story():
        server = Server(3 * WRITE_BYTES)
        connection, below = server.connected()
        connection.data_received(ASKED * 2)
        for _ in range(2):
            await below.take()
            await turn()
        assert server.asked == 1

        await below.take()
        await turn()

        assert server.asked == 2

    asyncio.run(story())


def test_a_connection_is_closed_when_its_last_answer_is_taken():
    async def story():
        connection, below = Server(3 * WRITE_BYTES).connected()
        connection.data_received(request("GET", "/x", b"Connection: close"))
        assert (below.ended, connection.transport.is_closing()) == ("", True)

        await below.take()
        await below.take()

        assert below.ended == "closed"

    asyncio.run(story())


def test_a_client_that_takes_nothing_is_overdue():
    async def story():
        connection, _ = Server(3 * WRITE_BYTES).connected()
        connection.data_received(ASKED)

        assert stall(connection, 0, STALLED_SECONDS - 1, STALLED_SECONDS + 1) == [False, False, True]

    asyncio.run(story())


def test_a_client_that_takes_nothing_is_overdue_at_the_end_of_its_connection_too():
    async def story():
        connection, _ = Server(3 * WRITE_BYTES).connected()
        connection.data_received(request("GET", "/x", b"Connection: close"))

        assert stall(connection, 0, STALLED_SECONDS + 1) == [False, True]

    asyncio.run(story())


def test_a_client_that_takes_little_by_little_has_all_the_time_it_needs():
    async def story():
        connection, below = Server(50 * WRITE_BYTES).connected()
        connection.data_received(ASKED)
        for piece in range(1, 50):
            await below.take()
            assert stall(connection, piece * PHASE_TIMEOUT_SECONDS["idle"]) == [False]

    asyncio.run(story())


def test_a_watch_without_events_has_all_the_time_it_needs():
    async def story():
        connection, _ = Server(0).connected()
        connection.data_received(ASKED)

        assert stall(connection, 0, 3600) == [False, False]

    asyncio.run(story())


def test_who_holds_most_is_cut_when_there_is_too_much_in_all():
    async def story():
        server = Server(10 * WRITE_BYTES, limit=15 * WRITE_BYTES)
        (greedy, most), (modest, less) = server.connected(), server.connected()
        modest.data_received(ASKED)
        await less.take()
        greedy.data_received(ASKED)
        await turn()

        assert (most.ended, less.ended) == ("cut", "")

    asyncio.run(story())


def test_no_answer_is_begun_while_there_is_too_much_in_all():
    async def story():
        server = Server(10 * WRITE_BYTES, limit=5 * WRITE_BYTES)
        (first, below), (other, _) = server.connected(), server.connected()
        first.data_received(ASKED)
        other.data_received(ASKED)
        assert server.asked == 1
        for _ in range(5):
            await below.take()
        await asyncio.sleep(0)
        await asyncio.sleep(0)

        assert server.asked == 2

    asyncio.run(story())


def test_what_a_lost_connection_held_counts_no_more():
    async def story():
        server = Server(10 * WRITE_BYTES, limit=5 * WRITE_BYTES)
        connection, below = server.connected()
        connection.data_received(ASKED)
        assert server.unread.full
        below.ended = "lost"
        connection.connection_lost(None)

        assert not server.unread.full

    asyncio.run(story())


def test_an_answer_that_fails_cuts_its_connection_alone(caplog):
    async def story():
        server = Server(1)
        (connection, below), (_, other) = server.connected(), server.connected()
        server.respond = lambda *_: 1 / 0
        connection.data_received(ASKED * 2)
        await turn()

        assert (below.ended, other.ended) == ("cut", "")

    asyncio.run(story())
    assert "GET /x failed" in caplog.text


def test_a_request_that_is_answered_later_holds_up_those_behind_it():
    async def story():
        server = Server(0)
        connection, below = server.connected()
        connection.data_received(ASKED * 3)
        await turn()
        assert server.asked == 1

        connection.transport.write(b"answer")
        connection.finish(keep_alive=True)
        await turn()

        assert (server.asked, below.held) == (2, len(b"answer"))

    asyncio.run(story())


def test_what_comes_behind_a_request_that_is_answered_later_is_kept_up_to_a_limit():
    async def story():
        connection, below = Server(0).connected()
        connection.data_received(ASKED)
        for _ in range(2 * READ_AHEAD // len(ASKED)):
            if below.reading:
                connection.data_received(ASKED)
        assert not below.reading

        while not below.reading:
            connection.finish(keep_alive=True)
            await turn()

    asyncio.run(story())


def test_there_is_a_limit_after_a_restart_too():
    async def story():
        server = Server(10 * WRITE_BYTES, limit=5 * WRITE_BYTES)
        (before, _), (after, below) = server.connected(), server.connected()
        before.data_received(ASKED)
        before.transport.abort()
        server.unread.stop()
        after.data_received(ASKED)
        await turn()

        assert below.ended == "cut"

    asyncio.run(story())


def test_a_pipeline_is_read_piece_by_piece(monkeypatch):
    read, feed = [], RequestReader.feed
    monkeypatch.setattr(RequestReader, "feed", lambda self, data: read.append(len(data)) or feed(self, data))

    async def story():
        connection, _ = Server(0).connected()
        connection.data_received(ASKED * 10_000)

        assert read == [connections.READ_BYTES]

    asyncio.run(story())


def test_no_connection_is_cut_after_a_stop():
    async def story():
        server = Server(10 * WRITE_BYTES, limit=WRITE_BYTES)
        connection, below = server.connected()
        connection.data_received(ASKED)
        server.unread.change(connection.transport, 1)
        server.unread.stop()
        await turn()

        assert (below.ended, connection.transport.unread > 0) == ("", True)

    asyncio.run(story())
