"""Sends bytes and reads what comes back, without trust in either."""

from __future__ import annotations

import http.client
import socket
from dataclasses import dataclass

ANSWER_TIMEOUT_SECONDS = 20.0


class Hang(Exception):
    """Nothing came back in time."""


@dataclass(frozen=True)
class Reply:
    """An answer; `code` is 0 where the connection was closed without one."""

    code: int
    body: bytes


class Client:
    """One connection at a time to a server on loopback."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._open: socket.socket | None = None

    def send(self, data: bytes, *, keep: bool) -> Reply:
        """Send bytes and read one answer. Raises Hang."""
        connection = self._open or socket.create_connection(
            ("127.0.0.1", self._port), timeout=ANSWER_TIMEOUT_SECONDS
        )
        self._open = None
        try:
            connection.sendall(data)
            if not keep:
                connection.shutdown(socket.SHUT_WR)
            return self._read(connection, data, keep=keep)
        except TimeoutError as problem:
            raise Hang(f"no answer within {ANSWER_TIMEOUT_SECONDS} s") from problem
        except OSError:
            return Reply(0, b"")
        finally:
            if self._open is not connection:
                connection.close()

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open.close()
        self._open = None

    def _read(self, connection: socket.socket, data: bytes, *, keep: bool) -> Reply:
        response = http.client.HTTPResponse(connection, method=data.split(b" ", 1)[0].decode("latin-1"))
        try:
            response.begin()
            streams = response.chunked and b"watch" in data
            reply = Reply(response.status, b"" if streams else response.read())
        except (http.client.HTTPException, ValueError):
            return Reply(0, b"")
        if keep and not streams and not response.will_close:
            self._open = connection
        response.close()
        return reply
