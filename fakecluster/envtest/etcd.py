"""What envtest starts as etcd: a listener that says it is healthy. The fake API server keeps its objects itself."""

from __future__ import annotations

import signal
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from .flags import FlagError, Flags

HELP = """\
A stand-in for etcd that fakecluster's kube-apiserver does not need: it answers GET /health and stores nothing.

Flags (others are accepted and have no effect):
  --listen-client-urls URL   where to listen, such as http://127.0.0.1:2379
  --advertise-client-urls, --listen-peer-urls, --data-dir, --unsafe-no-fsync
"""
DEFAULT = "http://127.0.0.1:2379"


class Health(BaseHTTPRequestHandler):
    """Answers /health and /version as etcd does."""

    ANSWERS = {  # noqa: RUF012 - a table, never changed
        "/health": b'{"health":"true","reason":""}',
        "/version": b'{"etcdserver":"3.6.8","etcdcluster":"3.6.0","storage":"3.6.0"}',
    }

    def do_GET(self) -> None:
        """Answer what is known, 404 for the rest."""
        body = self.ANSWERS.get(self.path, b"404 page not found\n")
        self.send_response(200 if self.path in self.ANSWERS else 404)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class names it
        """Say nothing about requests."""


def main(arguments: list[str]) -> int:
    """Listen until SIGTERM or SIGINT."""
    if {"--help", "-h"} & set(arguments):
        print(HELP)
        return 0
    try:
        url = urlsplit(Flags.of(arguments).get("listen-client-urls", DEFAULT).split(",")[0])
        server = ThreadingHTTPServer((url.hostname or "127.0.0.1", url.port or 2379), Health)
    except (FlagError, ValueError, OSError) as error:
        print(f"etcd (fakecluster): cannot listen: {error}", file=sys.stderr)
        return 4 if isinstance(error, FlagError) else 3
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    print("ready to serve client requests", flush=True)
    with server:
        server.serve_forever()
    return 0
