"""Free ports of this machine."""

from __future__ import annotations

import socket
from contextlib import ExitStack
from random import SystemRandom

OURS = range(20_000, 32_768)
"""Below those that operating systems give to outgoing connections, one of which could take a port that was
found free before the program that is to listen on it has started.
"""


def free_ports(amount: int) -> list[int]:
    """Return so many ports on loopback, each another one. Raises OSError where there are not so many."""
    ports: list[int] = []
    with ExitStack() as listeners:
        # Drawn at random: workers that start at once would all try the first one.
        for port in SystemRandom().sample(OURS, len(OURS)):
            if len(ports) == amount:
                break
            try:
                # Each stays open until all are found, so that none is found twice.
                listeners.enter_context(socket.create_server(("127.0.0.1", port)))
            except OSError:
                continue
            ports.append(port)
    if len(ports) < amount:
        raise OSError(
            f"{amount} free ports on 127.0.0.1 are needed between {OURS[0]} and {OURS[-1]}: {len(ports)} are free"
        )
    return ports
