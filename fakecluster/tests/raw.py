"""Bytes to a server and back, without a client that would mend them."""

from __future__ import annotations

import re
import socket
import ssl
from contextlib import contextmanager
from urllib.parse import urlsplit

HOST = b"Host: x\r\n"
SECONDS = 10.0


@contextmanager
def connect(url):
    """Yield a connection to the server at a URL, whose certificate is not looked at."""
    url_parts = urlsplit(url)
    with socket.create_connection((url_parts.hostname, url_parts.port), timeout=SECONDS) as plain:
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if url_parts.scheme == "http":
            yield plain
            return
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        with context.wrap_socket(plain) as secure:
            yield secure


def exchange(url, *pieces):
    """Send pieces in separate packets and return everything that comes until the server closes."""
    with connect(url) as client:
        for piece in pieces:
            client.sendall(piece)
        return rest(client)


def rest(client):
    """Everything until the server hangs up."""
    return b"".join(iter(lambda: _receive(client), b""))


def codes(answer):
    """The status of each answer in what came."""
    return [int(code) for code in re.findall(rb"HTTP/1\.1 (\d+) ", answer)]


def request(method, target, *headers, body=b""):
    """A request as bytes; a body has its length, unless a header frames it."""
    framed = any(code.lower().startswith(b"transfer-encoding") for code in headers)
    length = () if framed or not body else (b"Content-Length: %d" % len(body),)
    lines = [f"{method} {target} HTTP/1.1".encode(), HOST.strip(), *headers, *length]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body


def _receive(client):
    try:
        return client.recv(65536)
    except ConnectionError:
        return b""
