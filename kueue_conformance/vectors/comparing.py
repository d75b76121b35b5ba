"""The first difference between a recorded answer and another one."""

from __future__ import annotations

import json

from ..base.json_types import Json

SHOWN = 300


def difference(recorded: Json, found: Json, where: str = "") -> str:
    """Return where two answers differ first and how, or "" when they are equal."""
    if type(recorded) is not type(found):
        return _told(where, recorded, found)
    if isinstance(recorded, dict):
        return _of_maps(recorded, found, where)
    if isinstance(recorded, list):
        return _of_lists(recorded, found, where)
    return "" if recorded == found else _told(where, recorded, found)


def _of_maps(recorded: Json, found: Json, where: str) -> str:
    absent = object()
    for key in sorted({*recorded, *found}):
        left, right = recorded.get(key, absent), found.get(key, absent)
        if left is absent or right is absent:
            return _told(
                f"{where}.{key}",
                "nothing" if left is absent else left,
                "nothing" if right is absent else right,
            )
        told = difference(left, right, f"{where}.{key}")
        if told:
            return told
    return ""


def _of_lists(recorded: Json, found: Json, where: str) -> str:
    if len(recorded) != len(found):
        return _told(f"{where} (length)", recorded, found)
    pairs = enumerate(zip(recorded, found, strict=True))
    return next((told for i, (a, b) in pairs if (told := difference(a, b, f"{where}[{i}]"))), "")


def _told(where: str, recorded: Json, found: Json) -> str:
    return f"{where.lstrip('.')}: recorded {_short(recorded)}, found {_short(found)}"


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
