"""The table columns of built-in kinds: what `kubectl get` prints of them (FK-425)."""

from __future__ import annotations

from collections.abc import Mapping

from ...api.kind import Column
from . import access, events, networking, objects, pods, scaling, storage, workloads

TABLES: Mapping[tuple[str, str], tuple[Column, ...]] = {
    **access.TABLES, **events.TABLES, **networking.TABLES, **objects.TABLES, **pods.TABLES, **scaling.TABLES,
    **storage.TABLES, **workloads.TABLES,
}  # fmt: skip
"""Columns behind the name, by (group, plural)."""
