"""Causes for the terminal: a card for each, with one story in full and the scenarios that fail of the same."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from ..results.causes import Cause

_WIDTH = 100
_STORY, _NAMED = 32, 40
"""The most story lines, and scenario ids, on a card: one screen together."""
_AGAIN = "  run again"
"""The beginning of the line with the command, which every card has."""


def cards(found: Sequence[Cause]) -> list[str]:
    """Return the lines of all cards, each after an empty line."""
    return [line for number, one in enumerate(found, 1) for line in ("", *card(one, number, len(found)))]


def card(one: Cause, number: int, of: int) -> list[str]:
    """Return the lines of a cause: rule, what was expected and observed,
    story, command, and what else fails of it.
    """
    word = "error" if one.is_error() else f"{one.first.outcome} {one.rule} [{one.level}]"
    story = f"error: {one.first.text}" if one.is_error() else one.first.text
    return [f"{number}/{of}  {word}  {one.title}", *_cut(story.splitlines()), *_others(one)]


def _cut(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a story, of a long one the first and the command."""
    if len(lines) <= _STORY:
        return lines
    again = [line for line in lines[_STORY:] if line.startswith(_AGAIN)]
    return [*lines[:_STORY], f"  … {len(lines) - _STORY - len(again)} lines more in the report", *again]


def _others(one: Cause) -> list[str]:
    """Return the ids of the other scenarios, not too many."""
    if not one.others:
        return []
    more = len(one.others) - _NAMED
    ids = ", ".join([*one.others[:_NAMED], *([f"and {more} more in the report"] if more > 0 else [])])
    return textwrap.wrap(
        f"and {len(one.others)} more: {ids}", _WIDTH, initial_indent="  ", subsequent_indent="    "
    )
