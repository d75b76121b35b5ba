"""The JSON patch from an object as it was sent to the object as Go writes it (C-11)."""

from __future__ import annotations

from collections.abc import Iterator

from ...api.resource import Json


def additions(before: Json, after: Json, path: str = "") -> Iterator[Json]:
    """Return what to add and to replace.

    Nothing is removed: what the types do not know is the server's to prune.
    """
    if isinstance(before, dict) and isinstance(after, dict):
        for name, value in after.items():
            spot = f"{path}/{_escape(name)}"
            if name in before:
                yield from additions(before[name], value, spot)
            else:
                yield {"op": "add", "path": spot, "value": value}
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (old, new) in enumerate(zip(before, after, strict=True)):
            yield from additions(old, new, f"{path}/{index}")
    elif before != after:
        yield {"op": "replace", "path": path, "value": after}


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
