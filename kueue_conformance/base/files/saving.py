"""Replaces files atomically: a reader finds the old or the new content.

A symbolic link of its name is replaced, and what it leads to stays as it is.
"""

from __future__ import annotations

import errno
import os
import secrets
from contextlib import suppress
from pathlib import Path

from ..errors import EnvironmentProblem

_BY_UMASK, _OWNERS = 0o666, 0o600


def save(path: Path, content: str | bytes, *, private: bool = False) -> None:
    """Write a file; a `private` one can be read by its owner alone.

    Raises EnvironmentProblem, and then what was there stays.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if path.exists() and not path.is_file():
            path.write_bytes(data)  # a terminal or a pipe has no content that could be lost
        else:
            _replace(path, data, _OWNERS if private else _BY_UMASK)
    except OSError as problem:
        raise _not_written(path, problem) from problem


def make_folder(path: Path, *, ours: bool = False) -> None:
    """Make a folder, and those around it.

    Raises EnvironmentProblem; also for a link in place of one that is `ours`, with all in it.
    """
    try:
        if ours and path.is_symlink():
            raise OSError(errno.ELOOP, "it is a symbolic link, and files are removed there")
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise _not_written(path, problem) from problem


def _replace(path: Path, data: bytes, mode: int) -> None:
    new = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.new")
    try:
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            file.write(data)
        new.replace(path)
    except BaseException:
        with suppress(OSError):
            new.unlink()
        raise


def _not_written(path: Path, problem: OSError) -> EnvironmentProblem:
    return EnvironmentProblem(
        f"{str(path)!r} cannot be written: {problem.strerror}", hint="the previous content is unchanged"
    )
