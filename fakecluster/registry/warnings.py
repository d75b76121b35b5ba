"""Warning headers (FK-236)."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_WARNING_CHARACTERS = 4096
CUT_WARNING_CHARACTERS = 256
CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
"""The control characters of Unicode, which no header carries."""


def headers(texts: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return one header for each text that a header can carry;
    past the budget texts are cut, then dropped.
    """
    # Go's NewWarningHeader refuses control characters; such a text is left out.
    clean = [text for text in texts if text and not CONTROL_CHARACTERS.search(text)]
    # Too long in all: first each is cut, then the rest is dropped, as Go's recorder of warnings does.
    if sum(len(text) for text in clean) > MAX_WARNING_CHARACTERS:
        clean = [text[:CUT_WARNING_CHARACTERS] for text in clean]
    values, used = [], 0
    for text in clean:
        if used >= MAX_WARNING_CHARACTERS:
            break
        used += len(text)
        values.append(("Warning", f"299 - {_quote(text)}"))
    return tuple(values)


def _quote(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
