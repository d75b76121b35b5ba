"""What the client of a WebSocket sends, by turns of the loop (S10)."""

from __future__ import annotations

import asyncio

import pytest
from wsproto.connection import CLIENT, Connection
from wsproto.events import BytesMessage, Ping

from fakecluster.server.websocket import client as websocket_client
from fakecluster.server.websocket.client import FRAMES_A_TURN, WebSocketClient
from fakecluster.tests.read_streams import Transport


class Wire:
    """A connection whose client may stop reading."""

    def __init__(self):
        self.transport, self.drained = ReadingTransport(), None
        self.writable = asyncio.Event()
        self.writable.set()
        self.feed = None

    def give_to(self, taker, hung_up):
        self.feed, self.hung_up = taker, hung_up


class ReadingTransport(Transport):
    """A transport that tells whether it reads."""

    def __init__(self):
        super().__init__()
        self.reading, self.closing = True, False

    def is_closing(self):
        return self.closing

    def is_reading(self):
        return self.reading

    def pause_reading(self):
        self.reading = False

    def resume_reading(self):
        self.reading = True


@pytest.fixture
def wire():
    return Wire()


@pytest.fixture
def closes(wire):
    """What happened when the watch ended: its transport closes."""
    times = []

    def close():
        times.append("closed")
        wire.transport.closing = True

    WebSocketClient(wire).follow(close)
    return times


def send(*events):
    peer = Connection(CLIENT)
    return b"".join(bytes(peer.send(event)) for event in events)


def test_a_client_that_does_not_read_gets_one_answer_to_all_its_pings(wire, closes):
    wire.writable.clear()
    wire.feed(send(*(Ping(b"%d" % number) for number in range(50))))
    assert wire.transport.data == b""

    wire.writable.set()
    wire.drained()
    assert (wire.transport.data, closes) == (b"\x8a\x0249", [])


def test_others_have_their_turn_between_many_frames(wire, closes):
    async def feed():
        wire.feed(send(*(Ping(b"%d" % (number % 10)) for number in range(FRAMES_A_TURN + 1))))
        first = (len(wire.transport.data) // 3, wire.transport.reading)
        await asyncio.sleep(0)
        return first, (len(wire.transport.data) // 3, wire.transport.reading)

    assert asyncio.run(feed()) == ((FRAMES_A_TURN, False), (FRAMES_A_TURN + 1, True))
    assert not closes


def test_a_frame_that_is_too_large_ends_the_watch(wire, closes, monkeypatch):
    monkeypatch.setattr(websocket_client, "MESSAGE_BYTES", 100)
    wire.feed(send(BytesMessage(data=bytes(60), message_finished=False), BytesMessage(data=bytes(60))))
    assert not closes

    wire.feed(send(BytesMessage(data=bytes(101))))
    assert closes == ["closed"]


def test_nothing_is_read_behind_the_end(wire, closes):
    wire.hung_up()
    wire.hung_up()
    wire.feed(send(Ping(b"?")))

    assert (closes, wire.transport.data) == (["closed"], b"")
