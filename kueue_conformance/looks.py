"""What a case was answered when it asked who waits: the lists that it saw, each with the newest revision of its story."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class Look(NamedTuple):
    """One answer to one question."""

    revision: int
    asked: str
    """The path, and the query if there was one."""
    places: tuple[tuple[str, str], ...]
    """Workload and positions, such as `("default/job-1", "3/0")`, in their order."""
    refusal: str
    """What was said instead of a list, empty where there was one."""


class Looks:
    """Keeps an answer when it is another one than the last to the same question."""

    def __init__(self) -> None:
        self._seen: list[Look] = []
        self._newest: dict[str, Look] = {}

    def note(self, look: Look) -> None:
        """Remember an answer."""
        known = self._newest.get(look.asked)
        if known is None or known[2:] != look[2:]:
            self._newest[look.asked] = look
            self._seen.append(look)

    def __iter__(self) -> Iterator[Look]:
        return iter(self._seen)
