"""Texts of events: Kueue hands them to Go's formatter, which garbles a percent sign (AC-383)."""

from __future__ import annotations

import re
from typing import Final

VERB: Final = re.compile(r"%[-+# 0]*\d*(?:\.\d*)?(.?)", re.DOTALL)


def print_without_operands(note: str) -> str:
    """Return what Go's Sprintf makes of a text when it is given no operands."""
    return VERB.sub(_operand, note)


def _operand(match: re.Match[str]) -> str:
    verb = match[1]
    if not verb:
        return "%!(NOVERB)"
    return "%" if verb == "%" else f"%!{verb}(MISSING)"


def plain(note: str) -> str:
    """Return the text unchanged."""
    return note
