"""Watch events as lines of JSON, and the object of a bookmark (FK-140, FK-142)."""

from __future__ import annotations

from typing import Any

Json = Any
INITIAL_END = {"k8s.io/initial-events-end": "true"}


def event(type: str, obj: bytes) -> bytes:  # noqa: A002
    """Return a watch event as a line."""
    return b'{"type":"%b","object":%b}\n' % (type.encode(), obj)


def marker(api_version: str, kind: str, revision: int, *, initial_end: bool) -> Json:
    """Return the object of a bookmark."""
    annotations = {"annotations": INITIAL_END} if initial_end else {}
    return {
        "kind": kind,
        "apiVersion": api_version,
        "metadata": {"resourceVersion": str(revision), **annotations},
    }
