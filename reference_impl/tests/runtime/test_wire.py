"""HTTP/1.1 to one server: what is sent, which connections are kept, what a broken one means."""

import asyncio
import contextlib

import pytest

from reference_impl.runtime.errors import KubeconfigError
from reference_impl.runtime.fence import Fence, NotLeadingError
from reference_impl.runtime.wire import Server

from .clocks import HandClock

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
NO_LENGTH = b"HTTP/1.1 200 OK\r\n\r\nto the end"
CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nAudit-Id: a\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n"
)
CLOSE = None


class Peer:
    """Plays one connection after the other: each a list of answers;
    one that has said all closes when asked again.
    """

    def __init__(self, *connections):
        self.left = [list(answers) for answers in connections]
        self.asked = []

    async def serve(self, reader, writer):
        answers = self.left.pop(0)
        self.asked.append([])
        with contextlib.suppress(asyncio.IncompleteReadError):
            while answers:
                head = await reader.readuntil(b"\r\n\r\n")
                self.asked[-1].append(head.decode())
                if (answer := answers.pop(0)) is CLOSE:
                    break
                writer.write(answer)
        writer.close()


def play(peer, use):
    async def main():
        async with await asyncio.start_server(peer.serve, "127.0.0.1", 0) as listening:
            port = listening.sockets[0].getsockname()[1]
            server = Server(f"http://127.0.0.1:{port}/base", {"User-Agent": "tests"})
            try:
                return await use(server)
            finally:
                server.close()

    return asyncio.run(main())


async def twice(server, method="GET"):
    return [await server.exchange(method, "/x", {}, None) for _ in range(2)]


def test_a_connection_is_used_again():
    peer = Peer([OK, OK])

    assert play(peer, twice) == [(200, b"ok"), (200, b"ok")]
    assert len(peer.asked) == 1


def test_a_request_is_sent_below_the_servers_path_with_the_headers_of_all():
    peer = Peer([OK])

    play(peer, lambda server: server.exchange("PUT", "/x?a=b", {"Content-Type": "text/plain"}, b"body"))

    first, *headers = peer.asked[0][0].split("\r\n")
    assert first == "PUT /base/x?a=b HTTP/1.1"
    assert {"User-Agent: tests", "Content-Type: text/plain", "Content-Length: 4"} <= set(headers)


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_a_request_that_may_be_repeated_is_when_a_kept_connection_was_closed(method):
    peer = Peer([OK, CLOSE], [OK])

    assert play(peer, lambda server: twice(server, method)) == [(200, b"ok"), (200, b"ok")]


@pytest.mark.parametrize("method", ["POST", "PATCH"])
def test_a_request_that_might_act_twice_is_not_repeated(method):
    with pytest.raises(ConnectionResetError):
        play(Peer([OK, CLOSE], [OK]), lambda server: twice(server, method))


def test_a_question_is_repeated_when_a_kept_connection_was_closed():
    async def asked(server):
        return [await server.exchange("POST", "/review", {}, b"{}", repeatable=True) for _ in range(2)]

    assert play(Peer([OK, CLOSE], [OK]), asked) == [(200, b"ok"), (200, b"ok")]


def test_a_first_connection_that_closes_is_an_error():
    with pytest.raises(ConnectionResetError):
        play(Peer([CLOSE], [OK]), lambda server: server.exchange("GET", "/x", {}, None))


def test_an_answer_without_a_length_ends_with_its_connection():
    assert play(Peer([NO_LENGTH]), lambda server: server.exchange("GET", "/x", {}, None)) == (
        200,
        b"to the end",
    )


def test_what_is_no_http_is_told():
    with pytest.raises(ConnectionAbortedError, match="that is no HTTP"):
        play(Peer([b"SSH-2.0-something\r\n\r\n"]), lambda server: server.exchange("GET", "/x", {}, None))


def test_a_stream_is_read_as_it_comes():
    async def read(server):
        async with server.stream("/x") as answer:
            return (
                answer.status,
                answer.headers["audit-id"],
                b"".join([chunk async for chunk in answer.chunks()]),
            )

    assert play(Peer([CHUNKED]), read) == (200, "a", b"abcde")


def test_a_stream_that_breaks_is_an_error():
    async def read(server):
        async with server.stream("/x") as answer:
            return [chunk async for chunk in answer.chunks()]

    with pytest.raises(ConnectionResetError):
        play(Peer([CHUNKED.partition(b"3\r\n")[0]]), read)


def test_a_port_that_is_none_is_told():
    with pytest.raises(KubeconfigError, match="no usable port"):
        Server("http://localhost:http", {})


def test_what_may_not_be_sent_is_not_and_the_connection_is_kept():
    peer = Peer([OK, OK])

    async def refuse(server):
        await server.exchange("GET", "/a", {}, None)
        with pytest.raises(NotLeadingError):
            await server.exchange("PUT", "/b", {}, b"{}", check=Fence(HandClock(), 10.0).check)
        await server.exchange("GET", "/c", {}, None)

    play(peer, refuse)

    assert [head.split()[1] for head in peer.asked[0]] == ["/base/a", "/base/c"]


def test_a_request_is_judged_again_before_it_is_sent_a_second_time():
    peer, clock = Peer([OK, CLOSE], [OK]), HandClock()
    fence = Fence(clock, 10.0)
    fence.renew(clock.elapsed())

    def check():
        fence.check()
        clock.time += 11

    async def use(server):
        await server.exchange("GET", "/a", {}, None)
        with pytest.raises(NotLeadingError):
            await server.exchange("PUT", "/b", {}, b"{}", check=check)
        await server.exchange("GET", "/c", {}, None)

    play(peer, use)

    assert [[head.split()[1] for head in requests] for requests in peer.asked] == [
        ["/base/a", "/base/b"],
        ["/base/c"],
    ]
