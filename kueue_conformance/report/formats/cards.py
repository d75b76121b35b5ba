"""Causes for the terminal: a card for each,
with one story in full and the scenarios that fail of the same.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ..results.causes import FailureCause

_WIDTH = 100
_STORY, _NAMED = 32, 40
"""The most story lines, and scenario ids, on a card: one screen together."""
_AGAIN = "  run again"
"""The beginning of the line with the command, which every card has."""


def cards(causes: Sequence[FailureCause]) -> list[str]:
    """Return the lines of all cards, each after an empty line."""
    return [
        line for number, cause in enumerate(causes, 1) for line in ("", *card(cause, number, len(causes)))
    ]


def card(cause: FailureCause, number: int, of: int) -> list[str]:
    """Return the lines of a cause: rule, what was expected and observed,
    story, command, and what else fails of it.
    """
    word = "error" if cause.is_error() else f"{cause.first.outcome} {cause.rule} [{cause.level}]"
    story = f"error: {cause.first.text}" if cause.is_error() else cause.first.text
    return [f"{number}/{of}  {word}  {cause.title}", *_cut(story.splitlines()), *_others(cause)]


def _cut(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a story, of a long one the first and the command."""
    if len(lines) <= _STORY:
        return lines
    commands = [line for line in lines[_STORY:] if line.startswith(_AGAIN)]
    return [*lines[:_STORY], f"  … {len(lines) - _STORY - len(commands)} lines more in the report", *commands]


def _others(cause: FailureCause) -> list[str]:
    """Return the ids of the other scenarios, not too many."""
    if not cause.others:
        return []
    hidden = len(cause.others) - _NAMED
    ids = ", ".join([*cause.others[:_NAMED], *([f"and {hidden} more in the report"] if hidden > 0 else [])])
    return textwrap.wrap(
        f"and {len(cause.others)} more: {ids}", _WIDTH, initial_indent="  ", subsequent_indent="    "
    )
