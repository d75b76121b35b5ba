"""Addresses to listen on, as the command line and the configuration file write them."""

from __future__ import annotations


def parse_address(text: str) -> tuple[str, int]:
    """Split `HOST:PORT` (the host may be empty: all addresses); raises ValueError."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise ValueError(f"{text!r} is no address; expected HOST:PORT or :PORT, for example 127.0.0.1:8081")
    return host.strip("[]"), int(port)
