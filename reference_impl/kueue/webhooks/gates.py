"""The annotation that keeps a Workload or a Job from admission:
what it may say, and that it only shrinks (AC-163, C-19).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...api.resource import Json
from ..workload.view import GATE_ANNOTATION
from .names import LABEL_LENGTH, domain_prefixed
from .problems import Problem, forbidden, invalid, too_long
from .writes import ReviewedWrite

PATH: Final = f"metadata.annotations[{GATE_ANNOTATION}]"


def gates_unchanged(write: ReviewedWrite) -> Iterator[Problem]:
    """None comes after the creation."""
    new, old = _text(write.new), _text(write.old)
    if write.old is None or not new:
        return
    if not old:
        yield forbidden(PATH, "cannot add admission gate after creation")
    elif set(_names(new)) - set(_names(old)):
        yield forbidden(PATH, "can only remove gates, not add new ones")


def gates_of(write: ReviewedWrite) -> Iterator[Problem]:
    """Judge the names of the gates."""
    new = _text(write.new)
    names: set[str] = set()
    for name in _names(new):
        yield from _name(name, new, names)
        names.add(name)


def _name(name: str, text: str, names: set[str]) -> Iterator[Problem]:
    if not name:
        yield invalid(PATH, text, "cannot contain empty gate names")
    elif name in names:
        yield invalid(PATH, text, f"duplicate gate name: {name}")
    else:
        yield from domain_prefixed(name, PATH)
        if len(name) > LABEL_LENGTH:
            yield too_long(PATH, LABEL_LENGTH)


def _text(obj: Json) -> str:
    annotations = ((obj or {}).get("metadata") or {}).get("annotations") or {}
    return str(annotations.get(GATE_ANNOTATION) or "")


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")] if text else []
