"""Printer columns of a CustomResourceDefinition (FK-420…FK-422)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import orjson

from ..api.kind import Column
from ..codec import ages
from .jsonpaths import compile_path

Json = Any
AGE: Json = {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
AGE_DESCRIPTION = "Time since the object was created."


def columns_of(version: Json) -> tuple[Column, ...]:
    """Return the columns after the name; Age when the definition has none."""
    return tuple(_column(one) for one in version.get("additionalPrinterColumns") or [AGE])


def _column(raw: Json) -> Column:
    return Column(
        name=raw["name"],
        type=raw["type"],
        format=raw.get("format", ""),
        description=raw.get("description", AGE_DESCRIPTION if raw is AGE else ""),
        priority=raw.get("priority", 0),
        cell=_cell(CELLS.get(raw["type"], _nothing), compile_path(raw["jsonPath"])),
    )


NO_VALUE = "<no value>"
"""How a text column shows null."""
MISSING = object()
"""What is found where there is nothing."""


def _cell(
    show: Callable[[Json, float], Json], find: Callable[[Json], Iterator[Json]]
) -> Callable[[Json, float], Json]:
    def cell(obj: Json, now: float) -> Json:
        found = next(find(obj), MISSING)
        if found is None:
            return NO_VALUE if show is _string else None
        return None if found is MISSING else show(found, now)

    return cell


def _string(value: Json, now: float) -> Json:
    del now
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _integer(value: Json, now: float) -> Json:
    del now
    return int(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _number(value: Json, now: float) -> Json:
    del now
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _boolean(value: Json, now: float) -> Json:
    del now
    return value if isinstance(value, bool) else None


def _date(value: Json, now: float) -> Json:
    return ages.since(value, now) if isinstance(value, str) else None


def _nothing(value: Json, now: float) -> Json:
    del value, now


CELLS: Mapping[str, Callable[[Json, float], Json]] = {
    "string": _string, "integer": _integer, "number": _number, "boolean": _boolean, "date": _date,
}  # fmt: skip
