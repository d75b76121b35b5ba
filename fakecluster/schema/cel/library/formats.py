"""`format.dns1123Label()` and its kin in rules (FK-275).

`validate` returns an optional list, which functions of the engine cannot (C4): it returns a plain list, and
`wrapped` turns that into an optional inside the rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from ...formats import check_of

KEY = "__format"
_LABEL = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_PATTERNS = {
    "dns1123Label": (_LABEL, 63),
    "dns1123Subdomain": (rf"{_LABEL}(\.{_LABEL})*", 253),
    "dns1035Label": (r"[a-z]([-a-z0-9]*[a-z0-9])?", 63),
    "dns1123LabelPrefix": (rf"{_LABEL}-?", 63),
    "dns1123SubdomainPrefix": (rf"{_LABEL}(\.{_LABEL})*[-.]?", 253),
    "dns1035LabelPrefix": (r"[a-z]([-a-z0-9]*[a-z0-9])?-?", 63),
    "labelValue": (r"(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?", 63),
    "qualifiedName": (rf"({_LABEL}(\.{_LABEL})*/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]", 317),
}
_CHECKED = {"uri": "uri", "uuid": "uuid", "byte": "byte", "date": "date", "datetime": "date-time"}


def validate(value: Mapping[str, Any], text: str) -> list[str]:
    """Return what keeps a text from having a format."""
    name = value[KEY]
    if name in _CHECKED:
        return [] if check_of(_CHECKED[name])(text) else [f"invalid {name}"]
    pattern, limit = _PATTERNS[name]
    # Length and pattern are two problems, and both are told.
    problems = [f"must be no more than {limit} bytes"] if len(text) > limit else []
    return [
        *problems,
        *([] if re.fullmatch(pattern, text) else [f"regex used for validation is '{pattern}'"]),
    ]


_CALL = re.compile(
    r"""\bformat\.\w+\((?:[^()"']|"[^"]*"|'[^']*')*\)(?:\.\w+\(\))*\.validate\(|\bformat\.named\("""
)
_LOOKUP = "format.named("


def wrap(rule: str) -> str:
    """Return the rule with every `format.….validate(…)`
    and every `format.named(…)` made an optional value.
    """
    match = _CALL.search(rule)
    if match is None:
        return rule
    # The call's own closing bracket is found by counting, as its argument may hold calls.
    depth, end = 1, match.end()
    while end < len(rule) and depth:
        depth += {"(": 1, ")": -1}.get(rule[end], 0)
        end += 1
    head = match[0]
    if head != _LOOKUP and head.startswith(_LOOKUP):
        head = wrap(head.removesuffix(".validate(")) + ".validate("
    inner = wrap(rule[match.end() : end])
    # Outer calls first: what is within them is wrapped with them.
    return f"{rule[: match.start()]}optional.ofNonZeroValue({head}{inner}){wrap(rule[end:])}"


def _constant(name: str) -> Callable[[], dict[str, str]]:
    return lambda: {KEY: name}


def find_format(name: str) -> dict[str, str]:
    """Return the format of a name; nothing when there is none."""
    return {KEY: name} if name in _PATTERNS or name in _CHECKED else {}


FUNCTIONS: Mapping[str, tuple[tuple[str, Callable[..., Any]], ...]] = {
    **{f"format.{name}": (("() -> object", _constant(name)),) for name in (*_PATTERNS, *_CHECKED)},
    "format.named": (("(string) -> dyn", find_format),),
    "validate": (("object.(string) -> dyn", validate),),
}
