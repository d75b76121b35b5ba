"""Printer columns of a CustomResourceDefinition (FK-420, FK-421)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..kinds import Column
from .jsonpaths import compile_path

Json = Any
AGE: Json = {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}


def columns_of(version: Json) -> tuple[Column, ...]:
    """Return the columns after the name; Age when the definition has none."""
    return tuple(_column(one) for one in version.get("additionalPrinterColumns") or [AGE])


def _column(raw: Json) -> Column:
    return Column(
        name=raw["name"],
        type=raw["type"],
        format=raw.get("format", ""),
        description=raw.get("description", ""),
        priority=raw.get("priority", 0),
        cell=_cell(compile_path(raw["jsonPath"])),
    )


def _cell(find: Callable[[Json], list[Json]]) -> Callable[[Json, float], Json]:
    def cell(obj: Json, _now: float) -> Json:
        found = find(obj)
        return found[0] if found else None

    return cell
