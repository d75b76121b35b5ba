"""Places in texts and lists, counted and refused as Go does it: `substring`, `charAt`, `indexOf`,
`lastIndexOf` (FK-275).

The engine's own ones refuse an end that is the length and know no lists, and those that walk through long
texts count no cost (FK-274), so rules call these, under names of ours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import ceil
from typing import Any

from ....base.json_types import Json
from ...patterns import has_match
from ..limits import budget
from ..model.ranges import REGEX_COST, TRAVERSAL_COST

ENGINE_NAMES = {
    "substring": "Substring",
    "charAt": "CharAt",
    "indexOf": "IndexOf",
    "lastIndexOf": "LastIndexOf",
    "replace": "Replace",
    "matches": "Matches",
    "split": "Split",
    "join": "Join",
}
"""Names as long as the others, which keeps the places in messages."""
ITEMS = ("int", "string", "double", "bool", "object")
"""What can be looked for in a list; the engine tells overloads apart by types that it knows."""
_SPACE = r"(?:\s|//[^\n]*\n)*"
_CALL = re.compile(
    rf"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')"""
    rf"""|(?P<range>(?<![\w.])lists{_SPACE}\.{_SPACE})range(?={_SPACE}\()"""
    rf"""|(?<=\.)(?P<name>{"|".join(ENGINE_NAMES)})(?=\s*\()"""
)


def mark(rule: str) -> str:
    """Return a rule that calls our functions."""
    return _CALL.sub(_own_call, rule)


def _own_call(match: re.Match[str]) -> str:
    if match["range"]:
        return f"{match['range']}Range"
    return match[1] or ENGINE_NAMES[match["name"]]


def unmark(text: str) -> str:
    """Return a message with the names that the rule has."""
    for name, own in ENGINE_NAMES.items():
        text = text.replace(own, name)
    return text.replace("lists.Range", "lists.range")


def substring(text: str, start: int, end: int | None = None) -> str:
    """Return a part of a text. Raises ValueError."""
    end = len(text) if end is None else end
    for position in (start, end):
        _check(position, len(text))
    if start > end:
        raise ValueError(f"invalid substring range. start: {start}, end: {end}")
    return text[start:end]


def char_at(text: str, position: int) -> str:
    """Return one character, none behind the last. Raises ValueError."""
    _check(position, len(text))
    return text[position : position + 1]


def index_of(text: str, substring: str, start: int = 0) -> int:
    """Return the first place of a part, -1 when there is none. Raises ValueError."""
    if not substring:
        return start
    _check(start, None)
    return text.find(substring, start)


def last_index_of(text: str, substring: str, start: int | None = None) -> int:
    """Return the last place of a part that begins no later than `start`. Raises ValueError."""
    if not substring:
        return len(text) if start is None else start
    if start is None:
        return text.rfind(substring)
    _check(start, None)
    return text.rfind(substring, 0, start + len(substring)) if start < len(text) else -1


def _check(position: int, limit: int | None) -> None:
    if position < 0 or (limit is not None and position > limit):
        raise ValueError(f"index out of range: {position}")


def item_index(values: list[Json], sought: Json) -> int:
    """Return the first place of an item, -1 when there is none."""
    return next((at for at, value in enumerate(values) if value == sought), -1)


def last_item_index(values: list[Json], sought: Json) -> int:
    """Return the last place of an item, -1 when there is none."""
    return next((at for at in reversed(range(len(values))) if values[at] == sought), -1)


def replace(text: str, old: str, new: str, limit: int = -1) -> str:
    """Return a text with all occurrences of a part replaced, or the first `limit`."""
    count = text.count(old) if limit < 0 else min(limit, text.count(old))
    budget.spend(2 * _walk_cost(text) + ceil(count * max(len(new) - len(old), 0) * TRAVERSAL_COST))
    return text.replace(old, new, limit)


def matches(text: str, pattern: str) -> bool:
    """Tell whether there is a match in a text. Raises ValueError."""
    budget.spend(ceil((len(text) + 1) * TRAVERSAL_COST) * ceil(len(pattern) * REGEX_COST))
    return has_match(pattern, text)


def split(text: str, separator: str, limit: int = -1) -> list[str]:
    """Return the parts between separators, `limit` at most; without a separator the characters."""
    budget.spend(_walk_cost(text))
    count = (text.count(separator) if separator else len(text)) + 1
    budget.spend_items(count if limit < 0 else min(count, limit))
    if limit == 0:
        return []
    if separator:
        return text.split(separator, limit - 1 if limit > 0 else -1)
    last = len(text) if limit < 0 else limit - 1
    return [*text[:last], *([text[last:]] if text[last:] else [])]


def join(texts: list[str], separator: str = "") -> str:
    """Return the parts with a separator between them. Raises ValueError."""
    if not all(isinstance(text, str) for text in texts):
        raise ValueError("no such overload")
    length = sum(len(text) for text in texts) + len(separator) * max(len(texts) - 1, 0)
    budget.spend(ceil(length * TRAVERSAL_COST))
    return separator.join(texts)


def _walk_cost(text: str) -> int:
    return ceil(len(text) * TRAVERSAL_COST)


_OWN: Mapping[str, tuple[tuple[str, Callable[..., Any]], ...]] = {
    "substring": (("string.(int) -> string", substring), ("string.(int, int) -> string", substring)),
    "replace": (
        ("string.(string, string) -> string", replace),
        ("string.(string, string, int) -> string", replace),
    ),
    "matches": (("string.(string) -> bool", matches),),
    "split": (("string.(string) -> strings", split), ("string.(string, int) -> strings", split)),
    "join": (("strings.() -> string", join), ("strings.(string) -> string", join)),
    "charAt": (("string.(int) -> string", char_at),),
    "indexOf": (
        ("string.(string) -> int", index_of),
        ("string.(string, int) -> int", index_of),
        *((f"list.({item}) -> int", item_index) for item in ITEMS),
    ),
    "lastIndexOf": (
        ("string.(string) -> int", last_index_of),
        ("string.(string, int) -> int", last_index_of),
        *((f"list.({item}) -> int", last_item_index) for item in ITEMS),
    ),
}
FUNCTIONS = {ENGINE_NAMES[name]: overloads for name, overloads in _OWN.items()}
