"""How values look inside rules: escaped field names, times, durations and bytes (FK-271, C8).

A node whose rules need none of this hands its values over as they are.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ....base.json_types import Json

Present = Callable[[Any], Any]
RESERVED_WORDS = frozenset(
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
_SYMBOLS = {".": "__dot__", "-": "__dash__", "/": "__slash__"}


def escape(name: str) -> str:
    """Return the name by which rules reach a field."""
    # A keyword as a whole is wrapped; within other names the symbols are replaced.
    if name in RESERVED_WORDS:
        return f"__{name}__"
    # `__` is escaped first, else the escapes of the symbols would be escaped again.
    return re.sub(r"[./-]", lambda m: _SYMBOLS[m[0]], name.replace("__", "__underscores__"))


TIME_CONVERSIONS = {
    "date-time": "timestamp({})",
    "datetime": "timestamp({})",
    # A date alone is no timestamp of CEL, which wants the time of the day as well.
    "date": "timestamp({} + 'T00:00:00Z')",
    "duration": "duration({})",
}
"""The engine takes no times in values of dynamic type, so a rule reads them from the text it is given."""
_VARIABLE = r"(?<![\w.])(?P<path>{})(?![\w(])"
_MEMBER = r"(?<![\w.\])])(?P<path>[A-Za-z_]\w*(?:\.\w+|\[[^\]]*\])*\.{})(?![\w(.])"
# `has(self.at)` asks for the field, and a call around it would not compile.
_HAS = re.compile(r"\bhas\(\s*$")


def convert_times(raw: Mapping[str, Json], rule: str, *, optional_old: bool) -> str:
    """Return the rule with times and durations made out of the texts that hold them."""
    for pattern, wrapper in _reads_of_times(raw, rule, optional_old=optional_old):
        rule = _wrap(rule, re.compile(pattern), wrapper)
    return rule


def _reads_of_times(raw: Mapping[str, Json], rule: str, *, optional_old: bool) -> Iterator[tuple[str, str]]:
    own = _wrapper(raw)
    if own:
        # A node that is a time itself has no members.
        yield _VARIABLE.format("self" if optional_old else "self|oldSelf"), own
        return
    for name, wrapper in _members_with_times(raw, rule):
        yield _MEMBER.format(re.escape(name)), wrapper


def _members_with_times(raw: Mapping[str, Json], rule: str) -> Iterator[tuple[str, str]]:
    """Yield the members with times below a node that a rule names."""
    for child in (raw.get("items"), raw.get("additionalProperties")):
        if isinstance(child, dict):
            yield from _members_with_times(child, rule)
    for name, child in (raw.get("properties") or {}).items():
        # Skipping by the name keeps the walk short: a definition has thousands of fields, a rule names a few.
        if escape(name) not in rule:
            continue
        wrapper = _wrapper(child)
        if wrapper:
            yield escape(name), wrapper
        yield from _members_with_times(child, rule)


def _wrapper(raw: Mapping[str, Json]) -> str:
    return TIME_CONVERSIONS.get(str(raw.get("format") or ""), "") if raw.get("type") == "string" else ""


def _wrap(rule: str, pattern: re.Pattern[str], wrapper: str) -> str:
    def wrap(match: re.Match[str]) -> str:
        return match[0] if _HAS.search(rule, 0, match.start()) else wrapper.format(match["path"])

    return pattern.sub(wrap, rule)


class Presenter:
    """Prepares the values of one node for its rules."""

    __slots__ = ("_present",)

    def __init__(self, present: Present | None) -> None:
        self._present = present

    @classmethod
    def of(cls, raw: Mapping[str, Json], rules: list[str]) -> Presenter:
        """Return what the rules of a node need, judged by the names they mention."""
        text = " ".join(rules)
        return cls(_plan(raw, text) if rules else None)

    def __call__(self, value: Json) -> Json:
        """Return the value as rules see it."""
        return value if self._present is None or value is None else self._present(value)


def _plan(raw: Mapping[str, Json], text: str) -> Present | None:
    # CEL sees bytes where JSON has base64.
    if raw.get("type") == "string" and raw.get("format") == "byte":
        return lambda value: base64.b64decode(value) if isinstance(value, str) else value
    items = raw.get("items")
    inner = _plan(items, text) if isinstance(items, dict) else None
    if inner:
        return lambda value: [inner(item) for item in value] if isinstance(value, list) else value
    extra = raw.get("additionalProperties")
    item_plan = _plan(extra, text) if isinstance(extra, dict) else None
    if item_plan:
        return lambda value: {k: item_plan(v) for k, v in value.items()} if isinstance(value, dict) else value
    return _object_plan(raw.get("properties") or {}, text)


def _object_plan(properties: Mapping[str, Json], text: str) -> Present | None:
    # Only fields that the rules mention are renamed; all others keep their objects, so nothing is copied.
    renamed = {name: escape(name) for name in properties if escape(name) != name and escape(name) in text}
    mentioned = {name: _plan(child, text) for name, child in properties.items() if escape(name) in text}
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
