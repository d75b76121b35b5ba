"""The JSON merge patch that leads from one object to another (RFC 7386): how Kueue changes Jobs."""

from __future__ import annotations

from reference_impl.api.resource import Json


def merge_patch(old: Json, new: Json) -> Json:
    """Return the patch, empty when nothing differs; lists are replaced whole."""
    patch: Json = {name: None for name in old if name not in new}
    for name, value in new.items():
        before = old.get(name)
        if isinstance(value, dict) and isinstance(before, dict):
            below = merge_patch(before, value)
            patch |= {name: below} if below else {}
        elif name not in old or before != value:
            patch[name] = value
    return patch
