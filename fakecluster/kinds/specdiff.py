"""The unified difference of two values that goes into a message (FK-486)."""

from __future__ import annotations

from itertools import takewhile

import orjson

from ..base.json_types import Json

CONTEXT_LINES = 3
MAX_COMPARED_LINES = 3000
"""Lines of a value that are compared one by one, which takes the square of their number; the real server
needs 17 seconds for 12 000, and then gives up.
"""


def difference(before: Json, after: Json) -> str:
    """Return the changed lines with three lines around them;
    of long values, all lines from the first to the last change.
    """
    old, new = _lines(before), _lines(after)
    diff = _as_one(old, new) if max(len(old), len(new)) > MAX_COMPARED_LINES else _line_by_line(old, new)
    return "\n".join(diff) + "\n"


def _line_by_line(old: list[str], new: list[str]) -> list[str]:
    import difflib  # for a message that few ever see

    return list(difflib.unified_diff(old, new, n=CONTEXT_LINES, lineterm=""))[2:]


def _as_one(old: list[str], new: list[str]) -> list[str]:
    """Return the difference as if everything between the first and the last change had changed."""
    head = _alike(old, new)
    tail = _alike(old[: head - 1 if head else None : -1], new[: head - 1 if head else None : -1])
    start, lines = max(head - CONTEXT_LINES, 0), (old, new)
    ends = [len(side) - tail for side in lines]
    after = old[ends[0] : ends[0] + CONTEXT_LINES]
    spans = [f"{start + 1},{end + len(after) - start}" for end in ends]
    gone, come = (lines[side][head : ends[side]] for side in (0, 1))
    around = [[f" {line}" for line in side] for side in (old[start:head], after)]
    changed = [*(f"-{line}" for line in gone), *(f"+{line}" for line in come)]
    return [f"@@ -{spans[0]} +{spans[1]} @@", *around[0], *changed, *around[1]]


def _alike(old: list[str], new: list[str]) -> int:
    """Return how many lines are the same from the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))


def _lines(value: Json) -> list[str]:
    """Return the value as JSON, one step of indentation a space."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    return [_narrow(line) for line in text.splitlines()]


def _narrow(line: str) -> str:
    body = line.lstrip(" ")
    return " " * ((len(line) - len(body)) // 2) + body
