"""APIServices: one without a server of its own is available from the start (FK-435)."""

from __future__ import annotations

from typing import Any

Json = Any
REASON, MESSAGE = "Local", "Local APIServices are always available"


def prepared(obj: Json) -> Json:
    """Return a new APIService with the status that goes with it."""
    plain = {**obj, "status": {}}
    if (obj.get("spec") or {}).get("service") is not None:
        return plain
    return {**obj, "status": {"conditions": [local(obj["metadata"].get("creationTimestamp", ""))]}}


def local(now: str) -> Json:
    """Return the condition of an APIService that this server answers itself."""
    return {
        "type": "Available",
        "status": "True",
        "lastTransitionTime": now,
        "reason": REASON,
        "message": MESSAGE,
    }
