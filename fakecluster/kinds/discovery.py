"""EndpointSlices: what the server drops from new ones (FK-462)."""

from __future__ import annotations

from typing import Any

Json = Any


def without_topology(obj: Json) -> Json:
    """Return a slice whose endpoints say nothing in the deprecated map."""
    found = [
        {name: value for name, value in one.items() if name != "deprecatedTopology"}
        for one in obj.get("endpoints") or ()
    ]
    return {**obj, "endpoints": found} if found else obj
