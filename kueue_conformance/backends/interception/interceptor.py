"""What is the same of a fake server and of a front before a real one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from fakecluster.faults import Faults
from fakecluster.journal import Journal

T = TypeVar("T")


class Interceptor(Protocol):
    """Knows who asks for what, and can be told to disturb it."""

    faults: Faults

    @property
    def journal(self) -> Journal:
        """Every request with who made it and what it changed."""

    def call(self, action: Callable[[], T]) -> T:
        """Do something on the loop on which rules are read, and wait for its result."""

    def end_watches(self, code: int = 0, **match: Any) -> None:
        """End the open watches that a match fits."""
