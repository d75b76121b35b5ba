"""Printer columns of a CustomResourceDefinition (FK-420…FK-422)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..api.kind import Column
from ..base.json_types import Json
from ..codec import ages
from ..codec.json.numbers import whole
from ..codec.tables import NAME_COLUMN
from .jsonpath.comparison import GoInt
from .jsonpath.parser import PathSyntaxError
from .jsonpath.path import Path, compile_path
from .jsonpath.printing import go_text

AGE: Json = {
    "name": "Age",
    "type": "date",
    "jsonPath": ".metadata.creationTimestamp",
    "description": "Time since the object was created.",
}
NO_TIMES = ("null", "0001-01-01T00:00:00Z")
"""Texts that Go reads as the zero time."""
SMALLEST_INTEGER = -(2**63)
"""What Go makes of a fraction that 64 bits do not hold."""


def columns_of(version: Json) -> tuple[Column, ...]:
    """Return the columns: the name, and what the definition has up to the first path that cannot be read; Age
    when it has none.
    """
    # Name comes first even where the definition has columns of its own.
    return (NAME_COLUMN, *_readable(version.get("additionalPrinterColumns") or [AGE]))


def _readable(columns: list[Json]) -> Iterator[Column]:
    for raw in columns:
        try:
            path = compile_path(raw["jsonPath"])
        except PathSyntaxError:
            # The real server stops at the first path that it cannot parse: the columns before it stay.
            return
        yield _column(raw, path)


def _column(raw: Json, path: Path) -> Column:
    return Column(
        name=raw["name"],
        type=raw["type"],
        format=raw.get("format", ""),
        description=raw.get("description")
        or f"Custom resource definition column (in JSONPath format): {raw['jsonPath']}",
        priority=raw.get("priority", 0),
        cell=_cell(CELLS.get(raw["type"], _nothing), path),
    )


def _cell(show: Callable[[Json, float], Json], path: Path) -> Callable[[Json, float], Json]:
    def cell(obj: Json, current_time: float) -> Json:
        # A path may find several values; a cell has the first of them.
        values = path.values(obj)
        return show(values[0], current_time) if values else None

    return cell


def _string(value: Json, current_time: float) -> Json:
    del current_time
    return go_text(value)


def _integer(value: Json, current_time: float) -> Json:
    del current_time
    if not _is_number(value):
        return None
    # Go converts a float that 64 bits do not hold to the smallest integer, on amd64.
    return int(value) if SMALLEST_INTEGER <= value < -SMALLEST_INTEGER else SMALLEST_INTEGER


def _number(value: Json, current_time: float) -> Json:
    del current_time
    # A whole float has no decimal point in Go's JSON.
    return whole(float(value)) if _is_number(value) else None


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool | GoInt)


def _boolean(value: Json, current_time: float) -> Json:
    del current_time
    return value if isinstance(value, bool) else None


def _date(value: Json, current_time: float) -> Json:
    if not isinstance(value, str):
        return None
    # The zero time is unknown and not two thousand years ago.
    return ages.since("" if value in NO_TIMES else value, current_time)


# An unknown type of column has a header, and its cells are empty.
def _nothing(value: Json, current_time: float) -> Json:
    del value, current_time


CELLS: Mapping[str, Callable[[Json, float], Json]] = {
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "date": _date,
}
