"""PATCH: a change to an object (FK-160…FK-175)."""

from __future__ import annotations

from typing import Any

import orjson

from . import options, status, updating
from .action import Action
from .decode import media_type
from .outcome import Outcome
from .versions import served

Json = Any


def patch(action: Action) -> Outcome:
    """Change an object by one of the patch formats."""
    media = media_type(action.request.headers.get("content-type", ""))
    wanted = options.of_write(action.request, "PatchOptions", apply=media == "application/apply-patch+yaml")
    action.encoder()
    current = action.existing()
    if media != "application/merge-patch+json":
        raise status.unsupported_media_type(["application/merge-patch+json"])
    new = _merge(served(action.kind, current.object), orjson.loads(action.request.body))
    return updating.replace_object(action, current, new, wanted)


def _merge(target: Json, change: Json) -> Json:
    if not isinstance(change, dict):
        return change
    base = target if isinstance(target, dict) else {}
    kept = {key: value for key, value in base.items() if key not in change}
    return {
        **kept,
        **{key: _merge(base.get(key), value) for key, value in change.items() if value is not None},
    }
