"""The unified difference of two values that goes into a message (FK-486)."""

from __future__ import annotations

from typing import Any

import orjson

Json = Any
CONTEXT = 3


def difference(before: Json, after: Json) -> str:
    """Return the changed lines with three lines around them."""
    import difflib  # for a message that few ever see

    lines = [_lines(one) for one in (before, after)]
    found = difflib.unified_diff(lines[0], lines[1], n=CONTEXT, lineterm="")
    return "\n".join(list(found)[2:]) + "\n"


def _lines(value: Json) -> list[str]:
    """Return the value as JSON, one step of indentation a space."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    return [_narrow(line) for line in text.splitlines()]


def _narrow(line: str) -> str:
    body = line.lstrip(" ")
    return " " * ((len(line) - len(body)) // 2) + body
