"""The target of a request, decoded as Go's net/url decodes it (VIS-113…116, VC-02, VC-08)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_ESCAPE: Final = re.compile(rb"%([0-9A-Fa-f]{2})")
_CONTROL: Final = re.compile(r"[\x00-\x20\x7f]")
_ORIGIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?]*")


class UrlError(ValueError):
    """A target that no Go server would take."""


@dataclass(frozen=True, slots=True)
class Url:
    """A decoded path and the pairs of a query in the order in which they came;
    bytes that are no UTF-8 are surrogates.
    """

    path: str
    pairs: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, target: str) -> Url:
        """Decode a target. Raises UrlError when its path cannot be decoded."""
        origin = _ORIGIN.match(target)
        path, _, query = target[origin.end() if origin else 0 :].partition("?")
        if not path.startswith("/") or _CONTROL.search(target):
            raise UrlError(f"invalid URI for request: {target!r}")
        return cls(_unescape(path), tuple(_pairs(query)))

    @property
    def segments(self) -> tuple[str, ...]:
        """Return what stands between the slashes, without those at both ends."""
        trimmed = self.path.strip("/")
        return tuple(trimmed.split("/")) if trimmed else ()

    def first(self, key: str) -> str | None:
        """Return the first value of a key, None when it does not occur (VIS-128)."""
        return next((value for parameter, value in self.pairs if parameter == key), None)

    def all_of(self, key: str) -> tuple[str, ...]:
        """Return every value of a key."""
        return tuple(value for parameter, value in self.pairs if parameter == key)


def _pairs(query: str) -> list[tuple[str, str]]:
    """Drop what cannot be decoded and what contains a semicolon, without an error (VC-02)."""
    pairs = []
    for pair in query.split("&"):
        if pair and ";" not in pair:
            key, _, value = pair.partition("=")
            try:
                pairs.append((_unescape(key.replace("+", " ")), _unescape(value.replace("+", " "))))
            except UrlError:
                continue
    return pairs


def _unescape(text: str) -> str:
    if "%" not in text:
        return text
    if _BAD_ESCAPE.search(text):
        raise UrlError(f"invalid URL escape in {text!r}")
    raw = text.encode(errors="surrogateescape")
    return _ESCAPE.sub(lambda match: bytes((int(match[1], 16),)), raw).decode(errors="surrogateescape")
