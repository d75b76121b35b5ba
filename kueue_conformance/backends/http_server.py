"""An HTTP/1.1 server of the harness itself, on the loop of a cluster.

Connections, framing and offers of other protocols are those of the fake API server (FK-007), so that a client
that can talk to that one can talk to this one: JDK's, which offers h2c with its first request, as well.
"""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from http import HTTPMethod
from typing import TypeAlias

from msgspec import Struct

from fakecluster.server.http.message import ArrivedRequest, head
from fakecluster.server.transport.connection import Connection
from fakecluster.server.transport.port import BACKLOG, Port

from ..base.json_types import Json

HttpRequest: TypeAlias = ArrivedRequest
"""One request, read whole."""


class JsonAnswer(Struct, frozen=True):
    """A status code and a document."""

    code: int
    document: Json


Handler = Callable[[HttpRequest], Awaitable[JsonAnswer]]


class HttpServer(Port):
    """Answers each request by a coroutine, which may take its time; `current_time` is for the header Date."""

    def __init__(self, handler: Handler, current_time: Callable[[], float]) -> None:
        super().__init__()
        self._handler = handler
        self._current_time = current_time
        self._answering: set[asyncio.Task[None]] = set()

    async def listen(self, host: str) -> str:
        """Listen on a free port of an address and return the URL of the server."""
        port = await self.start(socket.create_server((host, 0), backlog=BACKLOG), None)
        return f"http://{host}:{port}"

    def respond(self, arrived: ArrivedRequest, connection: Connection) -> None:
        """Answer a request in a task of its own."""
        task = asyncio.get_running_loop().create_task(self._answer(arrived, connection))
        # The loop holds tasks by weak references only; one without another would be collected.
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, arrived: ArrivedRequest, connection: Connection) -> None:
        try:
            answer = await self._handler(arrived)
        # The client must get an answer, whatever happens meanwhile.
        except Exception as problem:  # noqa: BLE001
            answer = JsonAnswer(500, {"error": f"{type(problem).__name__}: {problem}"})
        if connection.transport.is_closing():
            return
        body = json.dumps(answer.document).encode()
        headers = (("Content-Type", "application/json"), ("Content-Length", str(len(body))))
        written = head(answer.code, headers, current_time=self._current_time(), keep_alive=arrived.keep_alive)
        connection.transport.write(written if arrived.method == HTTPMethod.HEAD else written + body)
        connection.finish(keep_alive=arrived.keep_alive)
