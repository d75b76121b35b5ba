"""How values look inside rules: escaped field names, times, durations and bytes (FK-271, C8).

A node whose rules need none of this hands its values over as they are.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

Json = Any
Presenter_ = Callable[[Any], Any]
RESERVED = frozenset(
    [
        "true",
        "false",
        "null",
        "in",
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "package",
        "namespace",
        "return",
        "var",
        "void",
        "while",
    ]
)
_UNITS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0}
_SYMBOLS = {".": "__dot__", "-": "__dash__", "/": "__slash__"}


def escaped(name: str) -> str:
    """Return the name by which rules reach a field."""
    if name in RESERVED:
        return f"__{name}__"
    return re.sub(r"[./-]", lambda m: _SYMBOLS[m[0]], name.replace("__", "__underscores__"))


def _moment(text: str) -> Json:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return text
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _duration(text: str) -> Json:
    parts = re.findall(r"(\d+(?:\.\d*)?)(ns|us|µs|ms|s|m|h)", text)
    sign = -1 if text.startswith("-") else 1
    return timedelta(seconds=sign * sum(float(count) * _UNITS[unit] for count, unit in parts))


CONVERTED: Mapping[str, Callable[[str], Json]] = {
    "date-time": _moment,
    "date": _moment,
    "duration": _duration,
    "byte": base64.b64decode,
}


class Presenter:
    """Prepares the values of one node for its rules."""

    __slots__ = ("_present",)

    def __init__(self, present: Presenter_ | None) -> None:
        self._present = present

    @classmethod
    def of(cls, raw: Mapping[str, Json], rules: list[str]) -> Presenter:
        """Return what the rules of a node need, judged by the names they mention."""
        text = " ".join(rules)
        return cls(_plan(raw, text) if rules else None)

    def __call__(self, value: Json) -> Json:
        """Return the value as rules see it."""
        return value if self._present is None or value is None else self._present(value)


def _plan(raw: Mapping[str, Json], text: str) -> Presenter_ | None:
    if raw.get("type") == "string" and raw.get("format") in CONVERTED:
        convert = CONVERTED[str(raw["format"])]
        return lambda value: convert(value) if isinstance(value, str) else value
    items = raw.get("items")
    inner = _plan(items, text) if isinstance(items, Mapping) else None
    if inner:
        return lambda value: [inner(one) for one in value] if isinstance(value, list) else value
    extra = raw.get("additionalProperties")
    each = _plan(extra, text) if isinstance(extra, Mapping) else None
    if each:
        return lambda value: {k: each(v) for k, v in value.items()} if isinstance(value, dict) else value
    return _object_plan(raw.get("properties") or {}, text)


def _object_plan(properties: Mapping[str, Json], text: str) -> Presenter_ | None:
    renamed = {name: escaped(name) for name in properties if escaped(name) != name and escaped(name) in text}
    mentioned = {name: _plan(child, text) for name, child in properties.items() if escaped(name) in text}
    plans = {name: plan for name, plan in mentioned.items() if plan}
    if not plans and not renamed:
        return None

    def present(value: Json) -> Json:
        if not isinstance(value, dict):
            return value
        return {
            renamed.get(name, name): plans[name](child) if name in plans and child is not None else child
            for name, child in value.items()
        }

    return present
