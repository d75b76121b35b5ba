"""Rows of behaviour by release: what a member of a dialect is since which version."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

Version: TypeAlias = tuple[int, ...]
T_co = TypeVar("T_co", covariant=True)


# Without slots: a subscripted call, Row[Type](…), sets an attribute, which Python 3.11 ignores
# only where a frozen class has none.
@dataclass(frozen=True)
class Row(Generic[T_co]):
    """The value of a member since a release; `id` names the line of the disagreement table."""

    id: str
    since: Version
    value: T_co


@dataclass(frozen=True, slots=True)
class Release:
    """A version, called with the rows of a member."""

    version: Version

    def __call__(self, *rows: Row[T_co]) -> T_co:
        """Return the value of the newest row that the release has; raises ValueError when it has none."""
        return max((row for row in rows if row.since <= self.version), key=lambda row: row.since).value
