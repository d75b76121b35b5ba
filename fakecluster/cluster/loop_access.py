"""The way to a running cluster for callers in other threads:
functions, coroutines and requests on its loop (design.md §6).
"""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from ..api.outcome import Response
from ..base.clock import Clock
from ..journal import Journal
from ..server.http.message import ArrivedRequest
from ..server.listener import Listener
from ..server.quiescence import QUIET_BUDGET_SECONDS
from ..server.threads.errors import NotRunning
from .core import Core
from .running_cluster import RunningCluster

T = TypeVar("T")


class LoopAccess:
    """A cluster, started or not, as seen from outside its loop."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._started: RunningCluster | None = None

    @property
    def clock(self) -> Clock:
        """The cluster's time."""
        return self._core.clock

    @property
    def journal(self) -> Journal:
        """Every request with its user and what it changed."""
        return self._core.journal

    @property
    def loop(self) -> Any:
        """The event loop on which the cluster runs."""
        return self._running.thread.loop

    @property
    def listener(self) -> Listener:
        """The running server. Raises NotRunning."""
        return self._running.listener

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run a coroutine on the cluster's loop and wait for its result. Raises NotRunning, TimeoutError."""
        if self._started is None:
            # A coroutine that never ran would be warned of, in a place that has nothing to do with it.
            coroutine.close()
        return self._running.thread.run(coroutine, timeout)

    def call(self, action: Callable[[], T]) -> T:
        """Call a function on the cluster's loop and wait for its result. Raises NotRunning."""
        return self._running.thread.call(action)

    def dial(self, client: asyncio.Protocol) -> None:
        """Connect a client that lives on the cluster's loop without a socket.

        Raises ConnectionRefusedError when the cluster is stopped.
        """
        if self._started is None:
            raise ConnectionRefusedError(errno.ECONNREFUSED, "the cluster is stopped")
        self.listener.dial(client)

    def exchange(self, arrived: ArrivedRequest, timeout_seconds: float = QUIET_BUDGET_SECONDS) -> Response:
        """Authenticate and answer a request as if it had come over a connection that no fault disturbs.

        Raises NotRunning, TimeoutError after `patience` real seconds,
        TypeError for a watch, which needs a connection.
        """
        outcome = self.call(lambda: self.listener.outcome(arrived))
        response = (
            outcome
            if isinstance(outcome, Response)
            else self.run(self.listener.complete_whole(outcome), timeout_seconds)
        )
        if not isinstance(response, Response):
            raise TypeError(f"{arrived.method} {arrived.target} opens a watch, which needs a connection")
        return response

    @property
    def _running(self) -> RunningCluster:
        if self._started is None:
            raise NotRunning("the cluster is not running: call start() or use it in a with block")
        return self._started
