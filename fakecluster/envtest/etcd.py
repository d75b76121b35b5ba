"""What envtest starts as etcd: a listener that says it is healthy.

The fake API server keeps its objects itself.

It imports few modules: a test waits for it before the API server starts, and it stays in memory beside that.
"""

from __future__ import annotations

import selectors
import signal
import socket
import sys

from ..base.numbers.integers import short
from .flags import FlagError, Flags

HELP = """\
A stand-in for etcd that fakecluster's kube-apiserver does not need: it answers GET /health and stores nothing.

Flags (others are accepted and have no effect):
  --listen-client-urls URL   where to listen, such as http://127.0.0.1:2379
  --advertise-client-urls, --listen-peer-urls, --data-dir, --unsafe-no-fsync
"""
DEFAULT = "http://127.0.0.1:2379"
RESPONSES = {
    b"/health": b'{"health":"true","reason":""}',
    b"/version": b'{"etcdserver":"3.6.8","etcdcluster":"3.6.0","storage":"3.6.0"}',
}
READ_BYTES = 64 * 1024


class EtcdConnection:
    """A client that asks over and over; what comes after the head of a request is dropped by its length."""

    def __init__(self, peer: socket.socket) -> None:
        self.peer = peer
        self._head = b""
        self._skip = 0

    def receive(self) -> bool:
        """Answer what has arrived; False when nothing more will come."""
        data = self.peer.recv(READ_BYTES)
        if not data:
            return False
        while data:
            # The body of a request is dropped by its length, so that its bytes are not read as a next head.
            skipped, self._skip = data[self._skip :], max(0, self._skip - len(data))
            head, end, data = (self._head + skipped).partition(b"\r\n\r\n")
            self._head = b"" if end else head
            if end:
                self._skip = _length(head)
                self.peer.sendall(_answer(head))
        return True


def _length(head: bytes) -> int:
    _, header, rest = head.lower().partition(b"\r\ncontent-length:")
    text = rest.partition(b"\r\n")[0].strip()
    return (short(text.decode("latin-1")) or 0) if header else 0


def _answer(head: bytes) -> bytes:
    method, path, *_ = [*head.split(b" ", 2), b""]
    body = RESPONSES.get(path) if method == b"GET" else None
    status = b"200 OK" if body else b"404 Not Found"
    body = body or b"404 page not found\n"
    return b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n%b" % (status, len(body), body)


def main(arguments: list[str]) -> int:
    """Listen until SIGTERM or SIGINT."""
    if {"--help", "-h"} & set(arguments):
        print(HELP)
        return 0
    try:
        listening = socket.create_server(_address(Flags.of(arguments).get("listen-client-urls", DEFAULT)))
    except (FlagError, ValueError, OverflowError, OSError) as error:
        print(f"etcd (fakecluster): cannot listen: {error}", file=sys.stderr)
        return 4 if isinstance(error, FlagError) else 3
    # envtest kills what does not end by itself, after a wait.
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    print("ready to serve client requests", flush=True)
    with listening:
        _serve(listening)
    return 0


def _address(urls: str) -> tuple[str, int]:
    host, _, port = urls.split(",", maxsplit=1)[0].partition("://")[2].strip("/").rpartition(":")
    return host, int(port)


def _serve(listening: socket.socket) -> None:
    with selectors.DefaultSelector() as selector:
        selector.register(listening, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                if key.data is None:
                    peer, _ = listening.accept()
                    selector.register(peer, selectors.EVENT_READ, EtcdConnection(peer))
                elif not _receive(key.data):
                    selector.unregister(key.data.peer)
                    key.data.peer.close()


def _receive(client: EtcdConnection) -> bool:
    try:
        return client.receive()
    except OSError:
        return False
