"""Makes text fit for a report: no terminal colours, no control characters, no characters that XML forbids."""

from __future__ import annotations

import re
from collections.abc import Mapping

from .json_types import Json

MARK = "\N{REPLACEMENT CHARACTER}"
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")
"""Terminal control sequences: colours and movements, titles, changes of the character set."""
_UNPRINTABLE = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """Return a text without terminal control sequences;
    each other forbidden character is replaced by one mark.
    """
    return _UNPRINTABLE.sub(MARK, _SEQUENCE.sub("", text).replace("\r\n", "\n"))


def plain(value: Json) -> Json:
    """Return plain data whose texts are printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value
