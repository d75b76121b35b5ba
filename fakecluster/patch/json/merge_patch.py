"""JSON merge patch (RFC 7386, FK-164).

Objects on the way of the patch come out with sorted members, as the server's messages show them.
"""

from __future__ import annotations

from ...base.json_types import Json


def apply(document: Json, patch: Json) -> Json:
    """Return the document with the patch merged in: null removes, objects merge, everything else replaces."""
    if not isinstance(patch, dict):
        return patch
    # A patch that is an object replaces what is none, and its own nulls are still left out.
    merged = dict(document) if isinstance(document, dict) else {}
    for name, value in patch.items():
        if value is None:
            merged.pop(name, None)
        else:
            merged[name] = apply(merged.get(name), value)
    return {name: merged[name] for name in sorted(merged)}
