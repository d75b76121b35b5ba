"""Texts that must not be longer than a number of bytes (AC-274)."""

from __future__ import annotations

DOTS = " ..."


def shorten(text: str, limit: int) -> str:
    """Cut a text to so many bytes, ending it with dots."""
    raw = text.encode()
    if len(raw) <= limit:
        return text
    return raw[: limit - len(DOTS)].decode(errors="ignore") + DOTS
