"""Tables of behaviour by release: the value of a member since which version.

A table is a record of the rules whose members are declared by rows; a release selects one value of each.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Generic, TypeAlias, TypeVar, cast

Version: TypeAlias = tuple[int, ...]
T = TypeVar("T")
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
class Rows:
    """The rows of one member, in the place of its value."""

    rows: tuple[Row[Any], ...]


def by_release(*rows: Row[T]) -> T:
    """Declare a member of a table by its rows."""
    # The result has the type of the value that a release selects, as that of dataclasses.field
    # has: so every value in a table is checked against its member.
    return cast("T", Rows(rows))


@dataclass(frozen=True, slots=True)
class Release:
    """A version, which selects values from tables."""

    version: Version

    def select(self, table: T) -> T:
        """Return the record of this release; raises ValueError when a member has no row old enough."""
        record: Any = table
        values = {member.name: self.value(getattr(record, member.name)) for member in fields(record)}
        return cast("T", replace(record, **values))

    def value(self, member: T) -> T:
        """Return the value of one member: that of the newest row which the release has."""
        # A member that never changed needs no rows: the table holds its value.
        if not isinstance(member, Rows):
            return member
        # Tuples compare element by element: (0, 9) is older than (0, 9, 1), as a line is
        # older than its first patch.
        rows = (row for row in member.rows if row.since <= self.version)
        return cast("T", max(rows, key=lambda row: row.since).value)
