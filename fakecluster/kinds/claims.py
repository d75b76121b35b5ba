"""Where a claim's content comes from, which it says in two fields that the server keeps alike (FK-498)."""

from __future__ import annotations

from typing import Any

Json = Any
KNOWN = (("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot"))
"""What the older field may name."""
MEMBERS = ("apiGroup", "kind", "name")


def sourced(claim: Json) -> Json:
    """Return a new claim with both fields, when one of them is there."""
    spec = claim.get("spec") or {}
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    if source is not None and (source.get("apiGroup") or "", source.get("kind")) not in KNOWN:
        source = None
    if source is not None and reference is None:
        reference = source
    elif source is None and reference is not None and not reference.get("namespace"):
        source = {name: reference.get(name) for name in MEMBERS}
    rest = {name: value for name, value in spec.items() if name not in {"dataSource", "dataSourceRef"}}
    both = {"dataSource": source, "dataSourceRef": reference}
    return {**claim, "spec": {**rest, **{name: one for name, one in both.items() if one is not None}}}
