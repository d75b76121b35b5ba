"""The server that is asked for verdicts takes as many
connections at one moment as a subject makes (harness/H-11).
"""

import asyncio
import socket
import time
from contextlib import ExitStack
from urllib.parse import urlsplit

from kueue_conformance.subject.verdict_server import VerdictServer

CONNECTIONS = 500


class Here:
    """A cluster whose loop stands still between two calls."""

    host_address, now = "127.0.0.1", staticmethod(time.time)

    def __init__(self, loop):
        self._loop = loop

    def run(self, work):
        return self._loop.run_until_complete(work(None))


def test_connections_wait_until_the_loop_has_time_for_them():
    """One that finds no place is tried again by the kernel after 1,
    3, 7, 15 and 31 s, in which virtual time stands still.
    """
    loop = asyncio.new_event_loop()
    server = VerdictServer(None, None)
    server.start(Here(loop))
    at = urlsplit(server.url)

    with ExitStack() as connections:
        sockets = [
            connections.enter_context(socket.create_connection((at.hostname, at.port), timeout=5))
            for _ in range(CONNECTIONS)
        ]

    assert len(sockets) == CONNECTIONS
    server.stop()
    loop.close()
