"""Tables of behaviour by release: the value of a member since which version.

A table is a record of the rules whose members are declared by rows; a release selects one value of each.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Final, Generic, TypeAlias, TypeVar, cast

Version: TypeAlias = tuple[int, ...]
Since: TypeAlias = Version | tuple[str, ...]
"""The first release with a change, or the first of each line that has it, such as ("0.19.3", "0.20.0")."""
LINE_PARTS: Final = 2
"""How many numbers name a release line."""
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


# Without slots: a subscripted call, Row[Type](…), sets an attribute, which Python 3.11 ignores
# only where a frozen class has none.
@dataclass(frozen=True)
class Row(Generic[T_co]):
    """The value of a member since a release; `id` names the line of the disagreement table."""

    id: str
    since: Since
    value: T_co


DEVELOPMENT: Final = -2
"""The number of `-devel` in the place of a patch: before all candidates of a release."""
CANDIDATE: Final = -1
"""The same of `-rc.N`, which the number of the candidate follows."""


def parse_version(text: str) -> Version:
    """Return `0.19.3` as numbers; `0.20.0-devel` and `0.21.0-rc.3` are older than their release."""
    release, _, build = text.partition("-")
    numbers = tuple(int(number) for number in release.split("."))
    if not build:
        return numbers
    line = numbers[:LINE_PARTS]
    name, _, candidate = build.partition(".")
    return (*line, CANDIDATE, int(candidate)) if name == "rc" else (*line, DEVELOPMENT)


def version_text(version: Version) -> str:
    """Return the text that `parse_version` reads as this version."""
    line = ".".join(map(str, version[:LINE_PARTS]))
    match version[LINE_PARTS:]:
        case (int(number), candidate) if number == CANDIDATE:
            return f"{line}.0-rc.{candidate}"
        case (int(number),) if number == DEVELOPMENT:
            return f"{line}.0-devel"
        case rest:
            return ".".join((line, *map(str, rest)))


@cache  # a few declarations, asked for by every control plane of every case
def first_releases(since: Since) -> tuple[Version, ...]:
    """Return the first release of each line that has a change, oldest first."""
    lines = [parse_version(item) for item in since if isinstance(item, str)]
    return tuple(sorted(lines)) or (tuple(item for item in since if isinstance(item, int)),)


def has_change(version: Version, since: Since) -> bool:
    """Return whether a release has a change: by the first release of its own line; a line between two others
    that is not named lacks it, and one newer than all has it.
    """
    releases = first_releases(since)
    own = [release for release in releases if release[:LINE_PARTS] == version[:LINE_PARTS]]
    # Tuples compare element by element: (0, 9) is older than (0, 9, 1), as a line is older than its first
    # patch.
    return any(release <= version for release in own or releases[-1:])


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
        rows = (row for row in member.rows if has_change(self.version, row.since))
        return cast("T", max(rows, key=lambda row: first_releases(row.since)).value)
