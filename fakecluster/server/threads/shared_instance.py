"""A class with one instance in a process, which counts its users."""

from __future__ import annotations

from abc import ABC, abstractmethod
from threading import Lock
from typing import ClassVar, Self


class SharedInstance(ABC):
    """Has one instance in a process: `share` returns it, the last `release` ends it."""

    _lock: ClassVar[Lock]
    _shared: ClassVar[Self | None]

    def __init_subclass__(cls) -> None:
        # For each class: two kinds of loops are shared apart.
        cls._lock, cls._shared = Lock(), None

    def __init__(self) -> None:
        self.users = 0

    @classmethod
    def share(cls) -> Self:
        """Return the process's one, made for the first user."""
        with cls._lock:
            shared = cls._shared = cls._shared or cls()
            shared.users += 1
            return shared

    def release(self) -> None:
        """Give it back; it ends with its last user."""
        cls = type(self)
        with cls._lock:
            self.users -= 1
            if self.users:
                return
            cls._shared = None
        self._end()

    @classmethod
    def disown(cls) -> Self | None:
        """In a process that was forked off: forget the other process's one, and return it."""
        # A lock held by another thread at the fork would stay held for ever.
        cls._lock = Lock()
        abandoned, cls._shared = cls._shared, None
        return abandoned

    @abstractmethod
    def _end(self) -> None:
        """Stop what the instance runs, after its last user has released it."""
