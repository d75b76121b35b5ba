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
        raise UsageError(f"{file_description} is not YAML: {yaml_fault(problem)}", hint=wrong) from problem


def yaml_fault(problem: Exception) -> str:
    """Return in one line what keeps a text from being YAML, with its line where that is known."""
    mark = getattr(problem, "problem_mark", None)
    fault = getattr(problem, "problem", None) or str(problem).splitlines()[0]
    context = getattr(problem, "context", None)
    where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark is not None else ""
    return input_limits.shorten(f"{where}{fault}{f' ({context})' if context else ''}")
