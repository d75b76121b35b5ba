"""Peers: small servers that a topic brings along, such as a webhook, with scripted answers by path.

A server under test calls them like any external webhook or API server. A vector with `received: true` has in
its answer what they were asked meanwhile, with the headers that the topic names. A scripted body may quote
the request: `${received.request.uid}` is a part of it, and `{each: request.objects, merge: {…}}` is a list of
it with the same change to each item; with `swap: {spec.host: address}` two members of each change places, so
that one script converts there and back. Requests of the topic say `${hook.url}`, `${hook.port}` (as a number:
`"#{hook.port}"`) and `${hook.ca}`, the authority in base64, for a peer `hook`.
"""

from __future__ import annotations

import base64
import contextlib
import json
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from ..base.json_types import Json
from ..wire.certificates import LOOPBACK, Authority
from .rendering import render


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The answer of a peer at one path. Text is sent unchanged, everything else as JSON."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Json = ""
    delay: float = 0.0
    drop: bool = False
    """Close the connection without an answer."""
    echo: bool = False
    """Answer with the request itself: what came through to this peer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A peer as a topic declares it."""

    answers: Mapping[str, Reply]
    names: tuple[str, ...] = LOOPBACK
    """What its certificate is good for; a peer without names speaks plain HTTP."""

    @classmethod
    def of(cls, raw: Mapping[str, Json], where: str) -> Self:
        """Return a script from a file. Raises ValueError for unknown keys."""
        _check(raw, {"answers", "names"}, where)
        allowed = {field_.name for field_ in fields(Reply)}
        for path, answer in raw["answers"].items():
            _check(answer, allowed, f"{where}: {path}")
        answers = {path: Reply(**answer) for path, answer in raw["answers"].items()}
        return cls(answers=answers, names=tuple(raw.get("names", LOOPBACK)))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """A request as it came to a peer; header names are lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: Json


class Peer:
    """A running peer on a loopback port of its own, with an authority of its own."""

    def __init__(self, script: Script) -> None:
        self._received: list[ReceivedRequest] = []
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self.script = script
        authority = Authority.fresh()
        self.ca = base64.b64encode(authority.pem).decode()
        context = authority.context_for(script.names) if script.names else None
        self._server = _Server(self, context)
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop answering."""
        self.closing.set()
        self._server.shutdown()
        self._server.hang_up()
        self._server.server_close()
        self._thread.join()

    def note(self, request: ReceivedRequest) -> None:
        """Remember a request."""
        with self._lock:
            self._received.append(request)

    def take(self) -> tuple[ReceivedRequest, ...]:
        """Return what came since the last time this was asked."""
        with self._lock:
            requests, self._received = tuple(self._received), []
        return requests

    def values(self, name: str) -> dict[str, str]:
        """Return what requests may say of this peer: `${name.port}`, `${name.url}` and `${name.ca}`."""
        scheme = "https" if self.script.names else "http"
        return {
            f"{name}.url": f"{scheme}://127.0.0.1:{self.port}",
            f"{name}.port": str(self.port),
            f"{name}.ca": self.ca,
        }

    def placeholders(self, name: str) -> dict[str, str]:
        """Return what of an answer differs from run to run because of this peer."""
        return {f":{self.port}": f":${{{name}.port}}", self.ca: f"${{{name}.ca}}"}


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 64

    def __init__(self, peer: Peer, context: ssl.SSLContext | None) -> None:
        self.peer = peer
        self._context = context
        self._open: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Handler)

    def finish_request(self, request: Any, client_address: Any) -> None:
        """Shake hands in the connection's own thread."""
        secured = self._context.wrap_socket(request, server_side=True) if self._context else request
        with secured:
            self._open.add(secured)
            try:
                # A connection that came after `hang_up` would never end.
                if not self.peer.closing.is_set():
                    super().finish_request(secured, client_address)
            finally:
                self._open.discard(secured)

    def hang_up(self) -> None:
        """Cut the connections that callers keep for later."""
        for connection in tuple(self._open):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore errors of callers that hang up or do not trust the certificate, which topics test."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def answer(self) -> None:
        """Note the request and answer as the script says."""
        peer = self.server.peer
        request = ReceivedRequest(
            method=self.command,
            target=self.path,
            headers={name.lower(): value for name, value in self.headers.items()},
            body=_json(self._read()),
        )
        peer.note(request)
        reply = peer.script.answers.get(self.path.partition("?")[0], Reply(status=404))
        peer.closing.wait(reply.delay)
        if reply.drop:
            self.close_connection = True
            return
        self._send(reply, self._echo(request) if reply.echo else render(reply.body, request.body))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer  # noqa: N815 - names of the base class

    def _echo(self, request: ReceivedRequest) -> Json:
        """Return a request with every header; those that repeat are joined."""
        names = sorted({name.lower() for name in self.headers})
        headers = {name: ", ".join(self.headers.get_all(name) or ()) for name in names}
        return {"method": request.method, "target": request.target, "headers": headers, "body": request.body}

    def _read(self) -> bytes:
        if self.headers.get("transfer-encoding", "") != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        body = b""
        while size := int(self.rfile.readline(), 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _send(self, reply: Reply, body: Json) -> None:
        content = body.encode() if isinstance(body, str) else json.dumps(body).encode()
        self.send_response(reply.status)
        for name, value in ({"Content-Type": "application/json"} | dict(reply.headers)).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class names it
        """Say nothing."""


def _json(content: bytes) -> Json:
    try:
        return json.loads(content)
    except ValueError:
        return content.decode("utf-8", "replace")


def _check(raw: Mapping[str, Json], allowed: set[str], where: str) -> None:
    unknown = sorted(set(raw) - allowed)
    if unknown:
        raise ValueError(f"{where}: unknown keys {unknown}, expected some of {sorted(allowed)}")
