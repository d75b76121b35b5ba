"""The finalizer `kueue.x-k8s.io/resource-in-use`: put on an object when it is created, taken off when nothing
uses it any more.
"""

from __future__ import annotations

from ...api.kinds import RESOURCE_IN_USE
from ...api.resource import Json


def is_deleting(obj: Json) -> bool:
    """Tell whether an object waits for its finalizers."""
    return "deletionTimestamp" in obj["metadata"]


def has(obj: Json) -> bool:
    """Tell whether the object carries the finalizer."""
    return RESOURCE_IN_USE in (obj["metadata"].get("finalizers") or ())


def with_finalizer(obj: Json) -> Json:
    """Return the object with the finalizer."""
    return _with(obj, [*(obj["metadata"].get("finalizers") or ()), RESOURCE_IN_USE])


def without_finalizer(obj: Json) -> Json:
    """Return the object without the finalizer."""
    return _with(
        obj, [finalizer for finalizer in obj["metadata"]["finalizers"] if finalizer != RESOURCE_IN_USE]
    )


def _with(obj: Json, finalizers: list[str]) -> Json:
    return {**obj, "metadata": {**obj["metadata"], "finalizers": finalizers}}
