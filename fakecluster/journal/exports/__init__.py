"""The journal for other programs and people: JSON lines, HAR, audit.k8s.io events, a Markdown timeline
(F-01).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from ..entry import Entry
from ..redaction import redacted
from . import audit, har, jsonl, markdown

FORMATS: Mapping[str, Callable[[Iterable[Entry]], str]] = MappingProxyType(
    {"jsonl": jsonl.render, "har": har.render, "audit": audit.render, "markdown": markdown.render}
)


def render(entries: Iterable[Entry], form: str) -> str:
    """Return entries in one of the FORMATS, without secrets. Raises ValueError for any other."""
    if form not in FORMATS:
        raise ValueError(f"no export {form!r}: expected one of {', '.join(FORMATS)}")
    return FORMATS[form](map(redacted, entries))
