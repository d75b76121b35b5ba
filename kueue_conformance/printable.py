"""Text that can stand in a report: no colours of a terminal, no control characters, nothing that XML forbids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

Json: TypeAlias = Any
MARK = "\N{REPLACEMENT CHARACTER}"
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])")
"""What a terminal obeys: colours and movements, titles, changes of the character set."""
_UNPRINTABLE = re.compile("[^\t\n\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def printable(text: str) -> str:
    """Return a text without sequences for terminals; each other character that no report may have becomes one mark."""
    return _UNPRINTABLE.sub(MARK, _SEQUENCE.sub("", text).replace("\r\n", "\n"))


def plain(value: Json) -> Json:
    """Return plain data whose texts are printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, Mapping):
        return {plain(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value
