"""Free ports of this machine."""

from __future__ import annotations

import socket


def free_ports(amount: int) -> list[int]:
    """Return so many ports on loopback, each another one."""
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(amount)]
    try:
        return [one.getsockname()[1] for one in held]
    finally:
        for one in held:
            one.close()
