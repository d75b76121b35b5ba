"""The table columns of built-in kinds: what `kubectl get` prints of them (FK-425)."""

from __future__ import annotations

from collections.abc import Mapping

from ...kinds import Column, Kind
from . import access, events, networking, objects, pods, scaling, storage, workloads
from .cells import CREATED

TABLES: Mapping[tuple[str, str], tuple[Column, ...]] = {
    **access.TABLES, **events.TABLES, **networking.TABLES, **objects.TABLES, **pods.TABLES, **scaling.TABLES,
    **storage.TABLES, **workloads.TABLES,
}  # fmt: skip
"""Columns behind the name, by (group, plural)."""


def has_table(kind: Kind) -> bool:
    """Whether a built-in kind is shown by more than when it was created."""
    return (kind.group, kind.plural) in TABLES


def columns_of(kind: Kind) -> tuple[Column, ...]:
    """Return the columns behind the name; when an object was created for kinds that show nothing else."""
    return kind.columns or TABLES.get((kind.group, kind.plural), (CREATED,))
