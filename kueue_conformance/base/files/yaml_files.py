"""Reads YAML files that a user names, within limits, with a readable error."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import yaml

from ..errors import UsageError
from . import input_limits

Found = TypeVar("Found")


def parse_file(
    path: Path,
    file_description: str,
    parse: Callable[[str], Found],
    *,
    missing: str = "check the path",
    wrong: str,
) -> Found:
    """Return what `parse` makes of a file; `missing` and `wrong` are the hints. Raises UsageError."""
    try:
        text = input_limits.content(path, input_limits.LONGEST_YAML).decode()
        input_limits.check_yaml(text)
        return parse(text)
    except OSError as problem:
        raise UsageError(f"{file_description} cannot be read: {problem.strerror}", hint=missing) from problem
    except (yaml.YAMLError, ValueError) as problem:
        why = input_limits.shorten(str(problem).splitlines()[0])
        raise UsageError(f"{file_description} is not YAML: {why}", hint=wrong) from problem
