"""Files that are whole or not there: written beside their place and moved into it, so that a failure leaves
the old one.

What holds keys, tokens or the values of Secrets is private: its file is made with mode 0600, and takes the
place of one that others could read.
"""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import IO

PRIVATE_MODE, COMMON_MODE = 0o600, 0o666
"""Modes of new files; the process's umask takes from the second."""
NAME_CHARACTERS = 200
"""Characters of a name that the file beside it begins with: file systems take 255."""


def write(path: Path, content: bytes, *, private: bool = False) -> None:
    """Put content in place of what a file held. Raises OSError, with the old content still there."""
    target = _target(path)
    if _is_special(target):
        target.write_bytes(content)
        return
    beside, file = _open_beside(target, path, private=private)
    try:
        with file:
            file.write(content)
        # A rename within one folder is atomic.
        beside.replace(target)
    except BaseException:
        # KeyboardInterrupt as well: no half-written file stays behind.
        beside.unlink(missing_ok=True)
        raise


def stream(path: Path, *, private: bool = False) -> IO[bytes]:
    """Open a file that is empty now and is written to bit by bit, in place of the one that was there.

    Raises OSError.
    """
    target = _target(path)
    if _is_special(target):
        return target.open("wb")
    beside, file = _open_beside(target, path, private=private)
    beside.replace(target)
    return file


def _target(path: Path) -> Path:
    """Return the file itself where the path is a link: that one stays a link."""
    return Path(os.path.realpath(path))


def _is_special(target: Path) -> bool:
    """Whether it is a device, a pipe or a folder:
    nothing takes its place, and opening the last one fails as it should.
    """
    return target.exists() and not target.is_file()


def _open_beside(target: Path, requested: Path, *, private: bool) -> tuple[Path, IO[bytes]]:
    beside = target.with_name(f".{target.name[:NAME_CHARACTERS]}.{secrets.token_hex(6)}")
    try:
        descriptor = os.open(
            beside,
            os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC,
            PRIVATE_MODE if private else COMMON_MODE,
        )
    except OSError as error:
        # The user asked for the file, not for its stand-in.
        error.filename = str(requested)
        raise
    if not private:
        with suppress(FileNotFoundError):
            # Before anything is written, so that the file is never more open than it was.
            os.fchmod(descriptor, target.stat().st_mode & 0o777)
    return beside, os.fdopen(descriptor, "wb")
