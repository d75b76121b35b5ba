"""YAML files that a user names: read, or told in words why not."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import yaml

from .errors import UsageError

Found = TypeVar("Found")


def parsed(
    path: Path, what: str, parse: Callable[[str], Found], *, missing: str = "check the path", wrong: str
) -> Found:
    """Return what `parse` makes of a file; `missing` and `wrong` are the hints. Raises UsageError."""
    try:
        return parse(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(f"{what} cannot be read: {problem.strerror}", hint=missing) from problem
    except (yaml.YAMLError, ValueError) as problem:
        raise UsageError(f"{what} is not YAML: {str(problem).splitlines()[0]}", hint=wrong) from problem
