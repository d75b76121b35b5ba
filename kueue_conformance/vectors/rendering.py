"""The answer of a peer's script, with the quoted parts of the request."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..base.json_types import Json
from .json_path import pick

QUOTED = re.compile(r"\$\{received\.([^}]+)\}")


def render(template: Json, received: Json) -> Json:
    """Return a scripted body with what it quotes of the request."""
    if isinstance(template, str):
        match = QUOTED.fullmatch(template)
        if match:
            return pick(received, match[1])
        return QUOTED.sub(lambda quoted: str(pick(received, quoted[1])), template)
    if isinstance(template, list):
        return [render(item, received) for item in template]
    if isinstance(template, dict) and "each" in template and template.keys() <= {"each", "merge", "swap"}:
        change = render(template.get("merge", {}), received)
        items = pick(received, template["each"]) or ()
        return [merge_patch(swap_members(item, template.get("swap", {})), change) for item in items]
    if isinstance(template, dict):
        return {key: render(member, received) for key, member in template.items()}
    return template


def swap_members(value: Json, places: Mapping[str, str]) -> Json:
    """Return a value in which pairs of members of one parent are swapped, such as `spec.host: address`."""
    for first_path, other in places.items():
        parent, _, name = first_path.rpartition(".")
        members = pick(value, parent) or {}
        change = {other: members.get(name), name: members.get(other)}
        if name in members or other in members:
            value = merge_patch(value, {parent: change})
    return value


def merge_patch(value: Json, change: Json) -> Json:
    """Return a value after a JSON merge patch."""
    if not isinstance(change, dict):
        return change
    base = value if isinstance(value, dict) else {}
    changed_members = {
        key: merge_patch(base.get(key), member) for key, member in change.items() if member is not None
    }
    return {key: member for key, member in base.items() if key not in change} | changed_members
