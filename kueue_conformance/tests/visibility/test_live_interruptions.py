"""The visibility server when others go: an API server that is away, a manager that stops in the middle of an
answer, a flood of one user.
"""

import asyncio
import contextlib
import signal
from collections import Counter

import pytest

from .live import SHARED, Pair, showing
from .tenants import fill, narrow_flow

pytestmark = [pytest.mark.xdist_group("visibility-live")]
FLOOD = 320
SEATS, WAITING = 3, 4 * 5
"""What `narrow_flow` leaves to one user: its seats, and its hand of queues."""
SECONDS = 60


@pytest.fixture
def pair(tmp_path):
    with Pair(tmp_path) as pair:
        yield pair
        assert "Traceback" not in pair.logs


def request_bytes(path=SHARED):
    return f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()


def open_connection(pair, context):
    return asyncio.open_connection("127.0.0.1", pair.port, ssl=context, server_hostname="localhost")


def test_an_api_server_that_is_away(pair):
    """VIS-427: told at once, in plain text."""
    alice = pair.certificate("alice")
    pair.serve.process.kill()
    pair.serve.process.wait(SECONDS)

    answer = pair.ask(SHARED, certificate=alice)

    assert answer.code == 500
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    host = f"https://127.0.0.1:{pair.api_port}: Connection refused; is the API server running?"
    assert answer.body == f'Internal Server Error: "{SHARED}": no answer from {host}\n'
    token = pair.ask(SHARED, headers={"Authorization": "Bearer anything"})
    assert (token.code, token.message) == (401, "Unauthorized")


def test_a_manager_that_stops_in_the_middle_of_an_answer(pair):
    """The client is not left waiting, and reads a whole answer or none."""

    async def story():
        reader, writer = await open_connection(pair, showing(pair.certificate("alice")))
        with pair.pause():  # the review has no answer
            writer.write(request_bytes())
            await writer.drain()
            await _asks_the_api_server(pair)
            pair.reference.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(ConnectionError):
                answer = await asyncio.wait_for(reader.read(), SECONDS)
                head, _, body = answer.partition(b"\r\n\r\n")
                assert answer == b"" or f"Content-Length: {len(body)}\r\n".encode() in head + b"\r\n", answer
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()
        return await asyncio.to_thread(pair.reference.process.wait, SECONDS)

    assert asyncio.run(story()) == 0


async def _asks_the_api_server(pair):
    """Return when the request is with the server: another one on the same port has been answered after it."""
    assert (await asyncio.to_thread(pair.ask, "/healthz")).code == 200


def test_a_flood_of_one_user_and_a_second_user_beside(pair):
    """VIS-607, VIS-608: what has neither seat nor place is refused,
    and a second user is answered beside it.
    """
    with pair.admin as client:
        fill(client)
        narrow_flow(client, "flooder", "neighbour")
    flooder, neighbour = (showing(pair.certificate(name)) for name in ("flooder", "neighbour"))

    async def story():
        await _await_schema(pair)
        flood = await asyncio.gather(*(open_connection(pair, flooder) for _ in range(FLOOD)))
        beside = await open_connection(pair, neighbour)
        with pair.pause():  # who has a seat keeps it: the review has no answer
            for _, writer in flood:
                writer.write(request_bytes())
            answers = [asyncio.create_task(reader.read()) for reader, _ in flood]
            pending = set(answers)
            while len(pending) > SEATS + WAITING:
                _, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED, timeout=SECONDS)
            beside[1].write(request_bytes())
            await _asks_the_api_server(pair)
        wait_for = await asyncio.wait_for(asyncio.gather(*answers), SECONDS)
        second = await asyncio.wait_for(beside[0].read(), SECONDS)
        for _, writer in (*flood, beside):
            writer.close()
        return wait_for, second

    answers, second = asyncio.run(story())

    assert second.startswith(b"HTTP/1.1 200")
    codes = Counter(answer[9:12] for answer in answers)
    assert codes == {b"200": SEATS + WAITING, b"429": FLOOD - SEATS - WAITING}
    refused = [answer for answer in answers if answer[9:12] == b"429"]
    assert all(b"\r\nRetry-After: " in item for item in refused)
    assert {item.partition(b"\r\n\r\n")[2] for item in refused} == {
        b"Too many requests, please try again later.\n"
    }


async def _await_schema(pair):
    """Return when the server has heard of the schema: answers name it."""
    with pair.admin as client:
        uid = client.get("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/narrow")["metadata"]["uid"]
    certificate = pair.certificate("neighbour")
    async with asyncio.timeout(SECONDS):
        while True:
            answer = await asyncio.to_thread(pair.ask, "/apis/x.example.com/v1/y", certificate=certificate)
            if answer.headers.get("X-Kubernetes-Pf-Flowschema-Uid") == uid:
                return
