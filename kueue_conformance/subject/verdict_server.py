"""Answers questions for verdicts over HTTP, on the loop
of the cluster that the subject works on (harness/H-11).

So a question takes no virtual time and wakes no other thread.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httptools

from ..backends.cluster import Cluster
from .verdicts import Answer, PlannedAnswer, Verdicts

BACKLOG = 1024
"""Connections that wait to be accepted: one beyond them is tried again only after a second of real time, and
later and later.
"""


class VerdictServer:
    """Listens from `start` to `stop`."""

    def __init__(self, verdicts: Verdicts) -> None:
        self._verdicts = verdicts
        self._cluster: Cluster | None = None
        self._server: asyncio.Server | None = None
        self._open: set[_Connection] = set()
        self.url = ""

    def start(self, cluster: Cluster) -> None:
        """Listen on a port of its own; nothing when that is so already."""
        # A second replica asks at the same address.
        if self._cluster is None:
            self._cluster = cluster
            cluster.run(partial(self._listen, cluster.now, cluster.host_address))

    def stop(self) -> None:
        """Close the port."""
        if self._cluster is not None:
            self._cluster.run(self._close)
            self._cluster = None

    async def _listen(self, current_time: Callable[[], float], host: str, clock: Any) -> None:
        del clock

        def ask(namespace: str, workload: str, check: str) -> PlannedAnswer:
            return self._verdicts.ask(current_time(), namespace, workload, check)

        protocol_factory = partial(_Connection, ask, self._open)
        self._server = await asyncio.get_running_loop().create_server(
            protocol_factory, host, 0, backlog=BACKLOG
        )
        self.url = f"http://{host}:{self._server.sockets[0].getsockname()[1]}/verdict"

    async def _close(self, clock: Any) -> None:
        del clock
        if self._server is not None:
            self._server.close()
        for connection in tuple(self._open):
            connection.close()


class _Connection(asyncio.Protocol):
    """One client, one question at a time."""

    def __init__(self, ask: Callable[[str, str, str], PlannedAnswer], everybody: set[_Connection]) -> None:
        self._ask = ask
        self._everybody = everybody
        self._parser: Any = httptools.HttpRequestParser(self)
        self._transport: Any = None
        self._answering: set[asyncio.Task[None]] = set()
        self._target = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to read a connection."""
        self._transport = transport
        self._everybody.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """End."""
        del exc
        self._everybody.discard(self)
        # It knows this connection, which knows it.
        self._parser = None

    def close(self) -> None:
        """Close the connection."""
        # `close` would first send what is buffered to a subject that may read no more.
        self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Feed the parser, which calls back when a question is whole."""
        try:
            self._parser.feed_data(data)
        except httptools.HttpParserError as error:
            self._send(400, {"error": f"that is no HTTP request: {error}"})
            self._transport.close()

    # What the parser calls.

    def on_message_begin(self) -> None:
        """Expect a new question."""
        self._target = b""

    def on_url(self, chunk: bytes) -> None:
        """Take a part of the target."""
        self._target += chunk

    def on_message_complete(self) -> None:
        """Answer."""
        # Asked now: the parser forgets it with the next message.
        last = not self._parser.should_keep_alive()
        task = asyncio.get_running_loop().create_task(self._answer(self._target.decode("latin-1"), last))
        # The loop holds tasks by weak references only; one without another would be collected.
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, target: str, last: bool) -> None:
        try:
            self._send(*await self._look_up(target))
        # The subject must get an answer, whatever the scenario does meanwhile.
        except Exception as problem:  # noqa: BLE001
            self._send(500, {"error": f"{type(problem).__name__}: {problem}"})
        if last:
            self._transport.close()

    async def _look_up(self, target: str) -> tuple[int, Answer]:
        query = dict(parse_qsl(urlsplit(target).query))
        missing = [name for name in ("namespace", "workload", "check") if not query.get(name)]
        if missing:
            return 400, {"error": f"the query lacks {', '.join(missing)}"}
        planned = self._ask(query["namespace"], query["workload"], query["check"])
        if planned.meanwhile is not None:
            # It asks the API server, and waits for it.
            # The loop that serves the API server must not wait for itself.
            await asyncio.get_running_loop().run_in_executor(None, planned.meanwhile)
        return planned.code, planned.answer

    def _send(self, code: int, answer: Answer) -> None:
        body = json.dumps(dict(answer)).encode()
        head = f"HTTP/1.1 {code} {HTTPStatus(code).phrase}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        self._transport.write(head.encode() + body)
