"""An event loop in a thread, for servers that the harness runs."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any


class BackgroundLoop:
    """An event loop in a thread, started by the first `run`."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        """Run a coroutine on the loop and return its result."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            # A daemon thread: an interrupted run must not wait at exit for servers without end.
            self._thread = threading.Thread(target=self._loop.run_forever, daemon=True, name="control plane")
            self._thread.start()
        # Must not be called on the loop itself: `result` would wait for a loop that waits for it.
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def close(self) -> None:
        """Stop the loop."""
        if self._loop is not None and self._thread is not None:
            # `stop` by itself does not wake a loop that waits for sockets; call_soon_threadsafe
            # does.
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()
            self._loop = self._thread = None
