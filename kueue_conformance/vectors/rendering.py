"""What a peer's script says, with what it quotes of the request."""

from __future__ import annotations

import re
from typing import Any

from .picking import picked

Json = Any
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
    if isinstance(template, dict) and template.keys() == {"each", "merge"}:
        change = rendered(template["merge"], received)
        return [merged(one, change) for one in picked(received, template["each"]) or ()]
    if isinstance(template, dict):
        return {key: rendered(one, received) for key, one in template.items()}
    return template


def merged(value: Json, change: Json) -> Json:
    """Return a value after a JSON merge patch."""
    if not isinstance(change, dict):
        return change
    base = value if isinstance(value, dict) else {}
    made = {key: merged(base.get(key), one) for key, one in change.items() if one is not None}
    return {key: one for key, one in base.items() if key not in change} | made
