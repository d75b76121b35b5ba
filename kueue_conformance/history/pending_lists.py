"""The answers of the visibility API in a case:
lists of pending Workloads, each with the newest revision of the story.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple


class ListAnswer(NamedTuple):
    """One answer to one question."""

    revision: int
    request: str
    """The path, and the query if there was one."""
    places: tuple[tuple[str, str], ...]
    """Workload and positions, such as `("default/job-1", "3/0")`, in their order."""
    refusal: str
    """The message of a refusal, empty for a list."""


class PendingLists:
    """Keeps an answer when it differs from the previous one to the same question."""

    def __init__(self) -> None:
        self._seen: list[ListAnswer] = []
        self._newest: dict[str, ListAnswer] = {}

    def note(self, look: ListAnswer) -> None:
        """Record an answer."""
        newest = self._newest.get(look.request)
        # Equal but for the revision: Kueue's answer did not change while the story went on.
        if newest is None or newest[2:] != look[2:]:
            self._newest[look.request] = look
            self._seen.append(look)

    def __iter__(self) -> Iterator[ListAnswer]:
        return iter(self._seen)
