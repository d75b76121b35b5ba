"""An application within bounds: peers that are silent, slow, many, or say nothing that is HTTP."""

import asyncio
import contextlib

import pytest
from aiohttp import web

from reference_impl.runtime import listening
from reference_impl.runtime.listening import Listening

WHOLE = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
ENDLESS = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nab"


async def _length(request):
    return web.Response(text=str(len(await request.read())))


async def _broken(_request):
    raise ValueError("boom")


@contextlib.asynccontextmanager
async def serving(limit=1000):
    app = web.Application(client_max_size=limit)
    app.router.add_post("/", _length)
    app.router.add_get("/broken", _broken)
    one = Listening(app, "127.0.0.1", 0)
    await one.start()
    try:
        yield one.port
    finally:
        await one.stop()


async def say(port, *pieces):
    """Send pieces on a connection of its own and return all that comes back until it is closed."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        for piece in pieces:
            writer.write(piece)
        with contextlib.suppress(ConnectionError):
            return await asyncio.wait_for(reader.read(), 5)
        return b""
    finally:
        writer.close()


def answer_to(*pieces):
    async def ask():
        async with serving() as port:
            return await say(port, *pieces)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    "pieces",
    [
        pytest.param((), id="nothing"),
        pytest.param((b"POST / HT",), id="half a line"),
        pytest.param((ENDLESS,), id="half a body"),
        pytest.param((ENDLESS.replace(b"Content-Length: 99", b"Transfer-Encoding: chunked"),), id="no chunk"),
    ],
)
def test_a_peer_that_does_not_come_to_an_end_is_cut(monkeypatch, pieces):
    monkeypatch.setattr(listening, "REQUEST_SECONDS", 0.05)

    assert b"200" not in answer_to(*pieces)


def test_one_that_asks_no_more_is_cut_later(monkeypatch):
    monkeypatch.setattr(listening, "REQUEST_SECONDS", 0.05)
    monkeypatch.setattr(listening, "IDLE_SECONDS", 0.1)

    answered = answer_to(WHOLE)

    assert answered.startswith(b"HTTP/1.1 200")
    assert answered.endswith(b"2")


def test_there_are_so_many_places(monkeypatch):
    monkeypatch.setattr(listening, "CONNECTIONS", 2)

    async def crowd():
        async with serving() as port:
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            await asyncio.sleep(0.01)
            refused = await say(port, WHOLE)
            for _, writer in silent:
                writer.close()
            await asyncio.sleep(0.01)
            return refused, await say(port, WHOLE.replace(b"Host", b"Connection: close\r\nHost"))

    refused, served = asyncio.run(crowd())

    assert (refused, served[:12]) == (b"", b"HTTP/1.1 200")


def test_there_is_room_for_so_many_bytes(monkeypatch):
    monkeypatch.setattr(listening, "BODIES", 150)
    monkeypatch.setattr(listening, "STOP_SECONDS", 0.1)

    async def crowd():
        async with serving() as port:
            _, slow = await asyncio.open_connection("127.0.0.1", port)
            slow.write(ENDLESS)
            await asyncio.sleep(0.01)
            refused = await say(port, ENDLESS)
            slow.close()
            return refused

    assert asyncio.run(crowd()).startswith(b"HTTP/1.1 503")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(b"GET /broken HTTP/1.1\r\nHost: a\r\n\r\n", b"500", id="a bug"),
        pytest.param(b"\x16\x03\x01 what\r\n\r\n", b"400", id="no HTTP"),
        pytest.param(
            b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", b"400", id="long head"
        ),
        pytest.param(WHOLE.replace(b"2", b"2000"), b"413", id="large body"),
    ],
)
def test_what_goes_wrong_is_told_without_a_traceback(monkeypatch, capsys, caplog, sent, status):
    monkeypatch.setattr(listening, "REQUEST_SECONDS", 0.5)

    answered = answer_to(sent)

    assert answered.split()[1] == status
    assert b"Traceback" not in answered
    assert b"boom" not in answered
    assert "Traceback" not in capsys.readouterr().err + caplog.text
