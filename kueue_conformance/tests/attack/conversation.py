"""One conversation with a server: what is sent, how it is read, and what came back."""

import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httptools

ANSWER_SECONDS = 20.0
"""How long a server may take for all the answers of one conversation."""
KEPT_BYTES = 1 << 20
"""Bytes of a body that are kept, for a finding to quote."""


@dataclass(frozen=True, kw_only=True)
class Site:
    """Where a server listens, and with which credentials it is asked."""

    name: str
    port: int
    tls: bool = True
    token: str = ""
    certificate: Path | None = None
    """The client's certificate and its key, in one file."""
    pki: Path | None = None
    """The folder with the authorities of the server and their keys."""

    @property
    def credentials(self):
        """The header line with the credentials; empty for an anonymous client."""
        return f"Authorization: Bearer {self.token}\r\n".encode() if self.token else b""


@dataclass(frozen=True, kw_only=True)
class Conversation:
    """What a hostile client does: sends the parts in order, then reads, or stays silent, or leaves."""

    parts: tuple[bytes, ...] | Iterator[bytes]
    reads: bool = True
    """Whether what the server answers is read; a client that does not read holds its connection for `hold`.
    """
    is_whole: bool = True
    """Whether a complete request was sent, so that an answer or the end of the connection must come."""
    hold: float = 0.0
    """Seconds for which the connection is kept open without reading it."""
    pause: float = 0.0
    """Seconds between two parts."""
    half_close: bool = False
    """Whether the client says that it sends no more."""
    tls: bool = True
    """Whether TLS is spoken with a site that does; rubbish is sent without."""
    connections: int = 1
    """How many do the same at the same time."""
    certificate: Path | None = None
    """A client certificate and its key, in one file, instead of the site's."""


@dataclass(frozen=True)
class Reply:
    """One answer."""

    code: int
    body: bytes


@dataclass(frozen=True)
class Outcome:
    """What came of a conversation."""

    replies: tuple[Reply, ...] = ()
    ended: bool = False
    """The server closed the connection."""
    hung: bool = False
    """Neither an answer nor the end came in time."""


def converse(site, conversation):
    """Play a conversation at a site and return its outcome."""
    opened = []
    try:
        opened.extend(
            connect(site, tls=conversation.tls, certificate=conversation.certificate)
            for _ in range(conversation.connections)
        )
        sent = [_send(connection, conversation) for connection in opened]
        if not conversation.reads:
            _rest(conversation.hold)
            return Outcome(ended=not all(sent))
        outcomes = [_read(connection, conversation) for connection in opened]
        return next((outcome for outcome in outcomes if outcome.hung), outcomes[0])
    except TimeoutError:
        return Outcome(hung=True)
    except OSError:
        return Outcome(ended=True)
    finally:
        for connection in opened:
            connection.close()


def connect(site, *, tls=True, certificate=None):
    """Return a connection to a site; raises OSError."""
    plain = socket.create_connection(("127.0.0.1", site.port), timeout=ANSWER_SECONDS)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if not (site.tls and tls):
        return plain
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if shown := certificate or site.certificate:
        context.load_cert_chain(shown)
    return context.wrap_socket(plain)


def _rest(seconds):
    """Let real time pass, as a slow client does."""
    threading.Event().wait(seconds)


def _send(connection, conversation):
    """Send the parts; returns whether the server took them all before it went away or stopped to read."""
    connection.settimeout(conversation.hold + 2.0 if not conversation.reads else ANSWER_SECONDS)
    try:
        for piece in conversation.parts:
            connection.sendall(piece)
            if conversation.pause:
                _rest(conversation.pause)
        if conversation.half_close:
            connection.shutdown(socket.SHUT_WR)
    except OSError:
        return False
    return True


def _read(connection, conversation):
    """Read the answers until the server has no more to say."""
    parser = _Answers()
    deadline = time.monotonic() + (ANSWER_SECONDS if conversation.is_whole else conversation.hold)
    ended = False
    while (remaining := deadline - time.monotonic()) > 0:
        # After the first answer only what is on its way is waited for: how many come is the server's affair.
        connection.settimeout(min(remaining, 0.3) if parser.replies else remaining)
        try:
            data = connection.recv(1 << 16)
        except TimeoutError:
            break
        except OSError:
            ended = True
            break
        if not data:
            ended = True
            break
        parser.feed(data)
    hung = conversation.is_whole and not ended and not parser.replies
    return Outcome(tuple(parser.replies), ended, hung)


class _Answers:
    """Collects the answers on one connection."""

    def __init__(self):
        self.replies = []
        self._parser = httptools.HttpResponseParser(self)
        self._body = b""
        self._broken = False

    def feed(self, data):
        """Parse what came; what follows a switch of protocols is not HTTP and not looked at."""
        if self._broken:
            return
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade):
            self._broken = True

    def on_headers_complete(self):
        self._body = b""
        self.replies.append(Reply(self._parser.get_status_code(), b""))

    def on_body(self, body):
        if len(self._body) < KEPT_BYTES:
            self._body += body[: KEPT_BYTES - len(self._body)]
            self.replies[-1] = Reply(self.replies[-1].code, self._body)
