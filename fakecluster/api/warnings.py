"""Warning headers (FK-236)."""

from __future__ import annotations

from collections.abc import Sequence

BUDGET = 4096
SHORT = 256


def headers(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return one header for each text; past the budget texts are cut, then dropped."""
    clean = ["".join(char for char in text if char.isprintable()) for text in texts]
    if sum(len(text.encode()) for text in clean) > BUDGET:
        clean = [text[:SHORT] for text in clean]
    kept, used = [], 0
    for text in clean:
        used += len(text.encode())
        if used > BUDGET:
            break
        kept.append(("Warning", f"299 - {_quoted(text)}"))
    return tuple(kept)


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
