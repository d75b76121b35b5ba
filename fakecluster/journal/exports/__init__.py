"""The journal for other programs and people: JSON lines,
HAR, audit.k8s.io events, a Markdown timeline (F-01).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType

from ..entry import Entry
from ..redaction import redact
from . import audit, har, jsonl, markdown

FORMATS: Mapping[str, Callable[[Iterable[Entry]], Iterator[bytes]]] = MappingProxyType(
    {"jsonl": jsonl.pieces, "har": har.pieces, "audit": audit.pieces, "markdown": markdown.pieces}
)


def pieces(entries: Iterable[Entry], form: str) -> Iterator[bytes]:
    """Return entries in one of the FORMATS piece by piece, without secrets: each entry is looked at when its
    piece is taken.

    Raises ValueError for any other format.
    """
    if form not in FORMATS:
        raise ValueError(f"no export {form!r}: expected one of {', '.join(FORMATS)}")
    return FORMATS[form](map(redact, entries))


def render(entries: Iterable[Entry], form: str) -> str:
    """Return entries in one of the FORMATS, without secrets. Raises ValueError for any other."""
    return b"".join(pieces(entries, form)).decode()
