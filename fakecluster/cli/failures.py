"""How a command fails: one line and an exit code."""

from __future__ import annotations

from pathlib import Path

import click

ENVIRONMENT, USAGE = 3, 4


class Failure(click.ClickException):
    """What happened, with the exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def unusable(attempt: str, path: Path, error: OSError) -> Failure:
    """Return the failure of a file that the user named."""
    return Failure(f"cannot {attempt} {path}: {error.strerror or error}", USAGE)
