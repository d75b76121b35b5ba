"""A server over TLS: what it shows, whose clients it accepts, what it hands on and what it adds."""

import asyncio
import contextlib
import ssl

import pytest

from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.serving.exchange import Response
from reference_impl.runtime.serving.limits import Limits
from reference_impl.runtime.serving.server import Server

from .certified import ENDED, authority, client, der, identity, trusting


class Noting:
    """A handler that keeps what it is asked."""

    def __init__(self, response):
        self.requests, self._response = [], response

    async def __call__(self, request):
        self.requests.append(request)
        return self._response


@contextlib.asynccontextmanager
async def serving(handler, **options):
    server = Server(
        handler, name="test", limits=Limits(stop_seconds=0.5), **{"identity": identity("one"), **options}
    )
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def ask(server, context=None, sent=b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"):
    """Send a request on a connection of its own and return all that comes back; raises ssl.SSLError."""
    reader, writer = await asyncio.open_connection(
        "127.0.0.1", server.port, ssl=context, server_hostname="localhost" if context else None
    )
    try:
        writer.write(sent)
        return await asyncio.wait_for(reader.read(), 5)
    finally:
        writer.close()


@pytest.fixture
def handler():
    return Noting(Response(code=200, headers=(("X-One", "1"),), body=b"hello"))


def test_a_request_is_handed_on_as_it_was_sent(handler, tmp_path):
    async def story():
        async with serving(handler) as server:
            return await ask(
                server,
                trusting(identity("one"), tmp_path),
                b"BREW /a%2Fb/..?x=%41 HTTP/1.1\r\nHost: a\r\nX-B: 1\r\nX-A: 2\r\nx-b: 3\r\nTransfer-Encoding: chunked\r\n"
                b"Connection: close\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: z\r\n\r\n",
            )

    asyncio.run(story())

    (request,) = handler.requests
    assert (request.method, request.target, request.body) == ("BREW", "/a%2Fb/..?x=%41", b"abcde")
    assert [pair for pair in request.headers if pair[0].startswith("x-")] == [
        ("x-b", "1"),
        ("x-a", "2"),
        ("x-b", "3"),
    ]
    assert request.certificate == b""


def test_an_answer_has_its_own_headers_and_what_frames_it(handler, tmp_path):
    async def story():
        async with serving(handler) as server:
            return await ask(server, trusting(identity("one"), tmp_path))

    head, _, body = asyncio.run(story()).partition(b"\r\n\r\n")

    names = [line.partition(b":")[0] for line in head.split(b"\r\n")[1:]]
    assert (names, body) == ([b"X-One", b"Date", b"Content-Length", b"Connection"], b"hello")


def test_requests_on_one_connection_are_answered_in_order(tmp_path):
    async def echo(request):
        return Response(code=200, body=request.target.encode() + b";")

    async def story():
        async with serving(echo) as server:
            request_bytes = b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n"
            last = b"GET /3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
            return await ask(
                server,
                trusting(identity("one"), tmp_path),
                request_bytes % 1 + b"\r\n" + request_bytes % 2 + last,
            )

    answered = asyncio.run(story())

    assert [chunk.rpartition(b"\r\n")[2] for chunk in answered.split(b";")] == [b"/1", b"/2", b"/3", b""]


def test_large_bodies_go_both_ways(tmp_path):
    large = bytes(range(256)) * (8 << 12)

    async def echo(request):
        return Response(code=200, body=request.body)

    async def story():
        async with serving(echo) as server:
            head = b"PUT / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n" % len(
                large
            )
            return await ask(server, trusting(identity("one"), tmp_path), head + large)

    assert asyncio.run(story()).partition(b"\r\n\r\n")[2] == large


def test_another_identity_is_shown_from_the_next_connection_on(handler, tmp_path):
    async def story():
        old, new = trusting(identity("one"), tmp_path), trusting(identity("two"), tmp_path)
        async with serving(handler) as server:
            first = await ask(server, old)
            server.show(identity("two"))
            second = await ask(server, new)
            with pytest.raises(ssl.SSLCertVerificationError):
                await ask(server, old)
            return first[:12], second[:12]

    assert asyncio.run(story()) == (b"HTTP/1.1 200", b"HTTP/1.1 200")


@pytest.mark.parametrize(
    ("shown", "authorities", "subject"),
    [
        pytest.param(client(authority("clients")), authority("clients").certificate, True, id="known"),
        pytest.param(
            client(authority("clients"), ENDED), authority("clients").certificate, True, id="expired"
        ),
        pytest.param(None, authority("clients").certificate, False, id="none"),
        pytest.param(client(authority("clients")), b"", False, id="not asked for"),
        pytest.param(
            client(authority("clients")),
            authority("others").certificate + authority("clients").certificate,
            True,
            id="one of two authorities",
        ),
    ],
)
def test_the_certificate_of_a_client_is_handed_on(handler, tmp_path, shown, authorities, subject):
    async def story():
        async with serving(handler, client_authorities=authorities) as server:
            await ask(server, trusting(identity("one"), tmp_path, shown))

    asyncio.run(story())

    (request,) = handler.requests
    assert request.certificate == (der(shown) if subject else b"")


def test_a_foreign_certificate_is_refused_with_an_alert(handler, tmp_path):
    async def story():
        foreign = client(authority("others"))
        async with serving(handler, client_authorities=authority("clients").certificate) as server:
            await ask(server, trusting(identity("one"), tmp_path, foreign))

    with pytest.raises(ssl.SSLError, match="UNKNOWN_CA"):
        asyncio.run(story())
    assert handler.requests == []


def test_the_authorities_of_clients_can_be_exchanged(handler, tmp_path):
    async def story():
        old, new = (
            trusting(identity("one"), tmp_path, client(authority(name))) for name in ("clients", "others")
        )
        async with serving(handler, client_authorities=authority("clients").certificate) as server:
            await ask(server, old)
            server.accept_clients_of(authority("others").certificate)
            await ask(server, new)
            with pytest.raises(ssl.SSLError, match="UNKNOWN_CA"):
                await ask(server, old)

    asyncio.run(story())

    assert [request_bytes.certificate for request_bytes in handler.requests] == [
        der(client(authority("clients"))),
        der(client(authority("others"))),
    ]


def test_a_bundle_that_cannot_be_used_changes_nothing(handler, tmp_path):
    async def story():
        async with serving(handler) as server:
            with pytest.raises(ssl.SSLError):
                server.accept_clients_of(b"no PEM")
            return await ask(server, trusting(identity("one"), tmp_path))

    assert asyncio.run(story()).startswith(b"HTTP/1.1 200")


def test_without_an_identity_it_serves_plain_http(handler):
    async def story():
        async with serving(handler, identity=None) as server:
            return await ask(server)

    assert asyncio.run(story()).startswith(b"HTTP/1.1 200")


def test_an_address_in_use_is_named_with_the_reason_and_advice(handler):
    async def story():
        async with serving(handler) as first:
            await Server(handler, name="second", port=first.port, advice="choose another --port").start()

    with pytest.raises(
        OutsideError, match=r"cannot listen on 127\.0\.0\.1:\d+: .*in use.*; choose another --port"
    ):
        asyncio.run(story())
