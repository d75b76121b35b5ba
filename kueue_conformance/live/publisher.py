"""Sends what a worker's case looks like to the server of the page, in a thread of its own."""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Mapping
from typing import Any

_PAUSE_SECONDS = 0.2
"""The least time between two updates of a worker."""
_ANSWER_SECONDS = 5.0
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
"""Loopback is asked directly, whatever proxy the environment names."""


class Publisher:
    """Sends the newest view of a worker's case; one that a newer one has replaced is not sent."""

    def __init__(self, address: str, worker: str) -> None:
        self._address = f"{address}cases/{worker}"
        self._newest: Mapping[str, Any] | None = None
        self._offered = threading.Event()
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._send_all, name="live", daemon=True)
        self._thread.start()

    def offer(self, view: Mapping[str, Any]) -> None:
        """Send a view as soon as the last one was sent and the pause is over."""
        with self._lock:
            self._newest = view
        self._offered.set()

    def close(self) -> None:
        """Send the newest view, and end."""
        self._closed.set()
        self._offered.set()
        self._thread.join(_ANSWER_SECONDS)

    def _send_all(self) -> None:
        while not self._closed.is_set():
            self._offered.wait()
            # Before the view is taken: one that is offered meanwhile is sent in the next turn.
            self._offered.clear()
            self._send()
            self._closed.wait(_PAUSE_SECONDS)
        self._send()

    def _send(self) -> None:
        with self._lock:
            view, self._newest = self._newest, None
        if view is None:
            return
        request = urllib.request.Request(  # noqa: S310 - an address of our own, on loopback
            self._address, data=json.dumps(view).encode(), headers={"Content-Type": "application/json"}
        )
        try:
            _DIRECT.open(request, timeout=_ANSWER_SECONDS).close()
        except OSError:
            # The page is beside the run: one that cannot be reached any more changes no verdict.
            self._closed.set()
