"""Field errors with Kubernetes' texts, alone and aggregated (AC-003)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ...api.resource import Json

IMMUTABLE = "field is immutable"
# What Go writes otherwise in JSON.
ESCAPED = {ord(character): f"\\u{ord(character):04x}" for character in "<>&"}


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, at a path."""

    path: str
    text: str

    def __str__(self) -> str:
        return f"{self.path}: {self.text}"


def invalid(path: str, value: Json, detail: str) -> Problem:
    """Say why a value cannot be."""
    return Problem(path, f"Invalid value: {render(value)}: {detail}")


def required(path: str, detail: str) -> Problem:
    """Say that something is missing."""
    return Problem(path, f"Required value: {detail}" if detail else "Required value")


def forbidden(path: str, detail: str) -> Problem:
    """Say what may not be done."""
    return Problem(path, f"Forbidden: {detail}")


def duplicate(path: str, value: Json, detail: str = "") -> Problem:
    """Say that a value is there twice."""
    return Problem(path, f"Duplicate value: {render(value)}{': ' + detail if detail else ''}")


def unsupported(path: str, value: Json, supported: Sequence[str]) -> Problem:
    """Say which values there are."""
    values = ", ".join(render(value_) for value_ in supported)
    return Problem(path, f"Unsupported value: {render(value)}: supported values: {values}")


def too_long(path: str, limit: int) -> Problem:
    """Say how long a text may be."""
    return Problem(path, f"Too long: may not be more than {limit} bytes")


def not_found(path: str, value: Json) -> Problem:
    """Return the error for a name that does not exist."""
    return Problem(path, f"Not found: {render(value)}")


def unchanged(new: Json, old: Json, path: str) -> list[Problem]:
    """Say that a value is not the one it was; absent and empty are the same."""
    return [] if (new or None) == (old or None) else [invalid(path, new, IMMUTABLE)]


def aggregate(problems: Iterable[Problem]) -> str:
    """Return one text for all: bare when there is one,
    in brackets when there are several; the same text once.
    """
    texts = list(dict.fromkeys(str(problem) for problem in problems))
    return texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"


def render(value: Json) -> str:
    """Return a value for a message: texts in quotes, objects as JSON."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text if isinstance(value, str) else text.translate(ESCAPED)
