"""The first difference between a recorded answer and another one."""

from __future__ import annotations

import json

from ..base.json_types import Json

SHOWN = 300


def difference(recorded: Json, observed: Json, where: str = "") -> str:
    """Return where two answers differ first and how, or "" when they are equal."""
    if type(recorded) is not type(observed):
        return _describe(where, recorded, observed)
    if isinstance(recorded, dict):
        return _of_maps(recorded, observed, where)
    if isinstance(recorded, list):
        return _of_lists(recorded, observed, where)
    return "" if recorded == observed else _describe(where, recorded, observed)


def _of_maps(recorded: Json, observed: Json, where: str) -> str:
    absent = object()
    for key in sorted({*recorded, *observed}):
        recorded_value, observed_value = recorded.get(key, absent), observed.get(key, absent)
        if recorded_value is absent or observed_value is absent:
            return _describe(
                f"{where}.{key}",
                "nothing" if recorded_value is absent else recorded_value,
                "nothing" if observed_value is absent else observed_value,
            )
        first_difference = difference(recorded_value, observed_value, f"{where}.{key}")
        if first_difference:
            return first_difference
    return ""


def _of_lists(recorded: Json, observed: Json, where: str) -> str:
    if len(recorded) != len(observed):
        return _describe(f"{where} (length)", recorded, observed)
    pairs = enumerate(zip(recorded, observed, strict=True))
    return next(
        (first_difference for i, (a, b) in pairs if (first_difference := difference(a, b, f"{where}[{i}]"))),
        "",
    )


def _describe(where: str, recorded: Json, observed: Json) -> str:
    return f"{where.lstrip('.')}: recorded {_short(recorded)}, found {_short(observed)}"


def _short(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
