"""Causes as a terminal shows them: a card each, with one story in full and the scenarios that fail of the same."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from .causes import Cause

_WIDTH = 100
_STORY, _NAMED = 60, 40
"""Lines of a story, and ids of scenarios, that a card shows."""


def cards(found: Sequence[Cause]) -> list[str]:
    """Return the lines of all cards, each after an empty line."""
    return [line for number, one in enumerate(found, 1) for line in ("", *card(one, number, len(found)))]


def card(one: Cause, number: int, of: int) -> list[str]:
    """Return the lines of a cause: rule, what was expected and observed, story, command, and what else fails of it."""
    word = "error" if one.is_error() else f"{one.first.outcome} {one.rule} [{one.level}]"
    story = f"error: {one.first.text}" if one.is_error() else one.first.text
    lines = story.splitlines()
    cut = [f"  … {len(lines) - _STORY} lines more in the report"] if len(lines) > _STORY else []
    return [f"{number}/{of}  {word}  {one.title}", *lines[:_STORY], *cut, *_others(one)]


def _others(one: Cause) -> list[str]:
    """Return the ids of the other scenarios, not too many."""
    if not one.others:
        return []
    more = len(one.others) - _NAMED
    ids = ", ".join([*one.others[:_NAMED], *([f"and {more} more in the report"] if more > 0 else [])])
    return textwrap.wrap(
        f"and {len(one.others)} more: {ids}", _WIDTH, initial_indent="  ", subsequent_indent="    "
    )
