"""The answer of a peer's script, with the quoted parts of the request."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..base.json_types import Json
from .picking import picked

QUOTED = re.compile(r"\$\{received\.([^}]+)\}")


def rendered(template: Json, received: Json) -> Json:
    """Return a scripted body with what it quotes of the request."""
    if isinstance(template, str):
        whole = QUOTED.fullmatch(template)
        if whole:
            return picked(received, whole[1])
        return QUOTED.sub(lambda found: str(picked(received, found[1])), template)
    if isinstance(template, list):
        return [rendered(one, received) for one in template]
    if isinstance(template, dict) and "each" in template and template.keys() <= {"each", "merge", "swap"}:
        change = rendered(template.get("merge", {}), received)
        found = picked(received, template["each"]) or ()
        return [merged(swapped(one, template.get("swap", {})), change) for one in found]
    if isinstance(template, dict):
        return {key: rendered(one, received) for key, one in template.items()}
    return template


def swapped(value: Json, places: Mapping[str, str]) -> Json:
    """Return a value whose members `place` and `other` of one
    parent have changed places, such as `spec.host: address`.
    """
    for place, other in places.items():
        parent, _, name = place.rpartition(".")
        found = picked(value, parent) or {}
        change = {other: found.get(name), name: found.get(other)}
        if name in found or other in found:
            value = merged(value, {parent: change})
    return value


def merged(value: Json, change: Json) -> Json:
    """Return a value after a JSON merge patch."""
    if not isinstance(change, dict):
        return change
    base = value if isinstance(value, dict) else {}
    made = {key: merged(base.get(key), one) for key, one in change.items() if one is not None}
    return {key: one for key, one in base.items() if key not in change} | made
