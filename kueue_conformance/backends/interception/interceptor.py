"""The interface that a fake server and a front before a real one share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from fakecluster.faults import Faults
from fakecluster.journal import Journal

T = TypeVar("T")


class Interceptor(Protocol):
    """Records requests by user, and injects faults."""

    faults: Faults

    @property
    def journal(self) -> Journal:
        """Every request with its user and the change that it made."""

    def call(self, action: Callable[[], T]) -> T:
        """Call a function on the server's event loop, where fault rules are read, and wait for its result."""

    def end_watches(self, code: int = 0, **match: Any) -> None:
        """End the open watches that a match fits."""
