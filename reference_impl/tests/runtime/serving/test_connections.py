"""A server within limits: peers that are silent, slow, many, or say nothing that is HTTP."""

import asyncio
import contextlib

import pytest

from reference_impl.runtime.serving.exchange import Response
from reference_impl.runtime.serving.limits import Limits
from reference_impl.runtime.serving.server import Server

WHOLE = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab"
ENDLESS = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99\r\n\r\nab"
CHUNKED = b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
LAST = WHOLE.replace(b"Host", b"Connection: close\r\nHost")


async def _length(request):
    if request.target == "/broken":
        raise ValueError("boom")
    return Response(code=200, body=str(len(request.body)).encode())


@contextlib.asynccontextmanager
async def serving(handler=_length, **limits):
    server = Server(
        handler, name="test", limits=Limits(**{"body_bytes": 1000, "stop_seconds": 0.1, **limits})
    )
    await server.start()
    try:
        yield server.port
    finally:
        await server.stop()


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


def answer_to(*pieces, **limits):
    async def ask():
        async with serving(**limits) as port:
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
def test_a_peer_that_does_not_come_to_an_end_is_cut(pieces):
    assert b"200" not in answer_to(*pieces, request_seconds=0.05)


def test_a_client_that_asks_no_more_is_cut_later():
    answered = answer_to(WHOLE, request_seconds=0.05, idle_seconds=0.1)

    assert answered.startswith(b"HTTP/1.1 200")
    assert answered.endswith(b"2")


class Slow:
    """A handler that waits with every answer to `/slow` until it may go on."""

    def __init__(self):
        self.asked, self.goes_on = asyncio.Semaphore(0), asyncio.Event()

    async def __call__(self, request):
        if request.target == "/slow":
            self.asked.release()
            await self.goes_on.wait()
        return Response(code=200)


SLOW = LAST.replace(b"POST /", b"POST /slow")


def test_there_are_so_many_places_for_requests():
    async def crowd():
        slow = Slow()
        async with serving(slow, connections=2) as port:
            asking = [asyncio.create_task(say(port, SLOW)) for _ in range(2)]
            for _ in asking:
                await slow.asked.acquire()
            refused = await say(port, LAST)
            slow.goes_on.set()
            answered = await asyncio.gather(*asking)
            return refused, answered, await say(port, LAST)

    refused, answered, served = asyncio.run(crowd())

    assert refused == b""
    assert {response[:12] for response in (*answered, served)} == {b"HTTP/1.1 200"}


def test_a_client_that_asks_nothing_gives_up_its_place():
    """The silent one before the one that has asked, the longest silent one first."""

    async def crowd():
        async with serving(connections=3) as port:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(WHOLE)
            await reader.readuntil(b"\r\n\r\n2")
            silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
            served = await say(port, LAST)
            first = await silent[0][0].read()
            still_open = not silent[1][0].at_eof()
            writer.write(LAST)
            rest = await reader.read()
            for _, response in (*silent, (reader, writer)):
                response.close()
            return served[:12], first, still_open, rest[:12]

    assert asyncio.run(crowd()) == (b"HTTP/1.1 200", b"", True, b"HTTP/1.1 200")


def test_requests_in_one_piece_leave_turns_to_others():
    async def story():
        turns, answered = [], []

        async def noting(_request):
            answered.append(len(turns))
            return Response(code=200)

        async def other():
            while True:
                turns.append(1)
                await asyncio.sleep(0)

        async with serving(noting) as port:
            beside = asyncio.create_task(other())
            await say(port, WHOLE * 20 + LAST)
            beside.cancel()
        return answered

    answered = asyncio.run(story())

    assert len(set(answered)) == 21


def test_answers_that_are_not_read_have_so_much_room():
    """The one that is read for longest goes; the next one is sent."""

    async def story():
        async def large(_request):
            return Response(code=200, body=b"x" * (16 << 20))

        async with serving(large, unsent=(40 << 20)) as port:
            lazy = []
            for _ in range(2):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
                lazy.append((reader, writer))
                writer.write(WHOLE)
                await reader.readuntil(b"\r\n\r\n")
            response = await say(port, LAST)
            cut = []
            for reader, writer in lazy:
                with contextlib.suppress(ConnectionError):
                    remaining = (16 << 20) - len(await reader.read(1 << 10))
                    while remaining and (chunk := await asyncio.wait_for(reader.read(1 << 20), 5)):
                        remaining -= len(chunk)
                cut.append(remaining > 0)
                writer.close()
            return len(response) > 16 << 20, cut

    assert asyncio.run(story()) == (True, [True, False])


def test_a_client_that_does_not_read_its_answer_loses_its_place():
    async def story():
        async def large(request):
            return Response(code=200, body=b"x" * (64 << 20) if request.target == "/large" else b"")

        async with serving(large, connections=1, idle_seconds=0.05) as port:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.transport.pause_reading()
            writer.write(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
            while not (served := await say(port, LAST)):
                pass
            writer.close()
            return served

    assert asyncio.run(story()).startswith(b"HTTP/1.1 200")


def test_there_is_room_for_so_many_bytes():
    async def crowd():
        async with serving(bodies=150) as port:
            slow, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(ENDLESS.replace(b"Host", b"Expect: 100-continue\r\nHost"))
            continued = await slow.readuntil(b"\r\n\r\n")
            refused = await say(port, ENDLESS)
            writer.close()
            return continued, refused

    continued, refused = asyncio.run(crowd())

    assert continued == b"HTTP/1.1 100 Continue\r\n\r\n"
    assert refused.startswith(b"HTTP/1.1 503")


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        pytest.param(b"GET /broken HTTP/1.1\r\nHost: a\r\n\r\n", b"500", id="a bug"),
        pytest.param(b"\x16\x03\x01 what\r\n\r\n", b"400", id="no HTTP"),
        pytest.param(
            b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 200_000 + b"\r\n\r\n", b"431", id="long head"
        ),
        pytest.param(WHOLE.replace(b"2", b"2000"), b"413", id="large body"),
        pytest.param(
            CHUNKED + b"7d0\r\n",
            b"413",
            id="large chunk",
        ),
        pytest.param(CHUNKED + b"1\r\nabc", b"400", id="chunk longer than it says"),
        pytest.param(
            CHUNKED + b"0\r\n" + (b"T: " + b"x" * 60_000 + b"\r\n") * 2, b"431", id="large trailers"
        ),
    ],
)
def test_what_goes_wrong_is_told_without_a_traceback(capsys, caplog, sent, status):
    answered = answer_to(sent)

    assert answered.split()[1] == status
    assert b"Traceback" not in answered
    assert b"boom" not in answered
    assert "Traceback" not in capsys.readouterr().err + caplog.text


def test_an_answer_under_way_is_sent_when_the_server_stops():
    async def story():
        arrived, goes_on = asyncio.Event(), asyncio.Event()

        async def slowly(_request):
            arrived.set()
            await goes_on.wait()
            return Response(code=200, body=b"late")

        async with serving(slowly, stop_seconds=5) as port:
            client = asyncio.create_task(say(port, WHOLE))
            idle = asyncio.create_task(say(port))
            await arrived.wait()
            asyncio.get_running_loop().call_soon(goes_on.set)
        return await client, await idle

    answered, idle = asyncio.run(story())

    assert (answered[-4:], b"Connection: close" in answered, idle) == (b"late", True, b"")


def test_an_answer_that_does_not_come_is_cut_when_the_server_stops():
    async def story():
        arrived = asyncio.Event()

        async def never(_request):
            arrived.set()
            await asyncio.Event().wait()

        async with serving(never, stop_seconds=0.01) as port:
            client = asyncio.create_task(say(port, WHOLE))
            await arrived.wait()
        return await client

    assert asyncio.run(story()) == b""
