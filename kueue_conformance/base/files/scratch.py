"""Temporary folders, named for the process that made them, so that a later one can remove what a kill has
left (harness/H-41, H-42).
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

PREFIX = "kueue-conformance-"
_NAMED = re.compile(rf"{PREFIX}(\d+)-")


def folder(purpose: str = "") -> TemporaryDirectory[str]:
    """Return a new folder; the first one of a process removes those of processes that are no more."""
    sweep()
    return TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-{purpose}")


def unmade(purpose: str) -> Path:
    """Return the path of a folder that is not made yet, so that a kill leaves nothing."""
    return Path(gettempdir(), f"{PREFIX}{os.getpid()}-{purpose}{secrets.token_hex(4)}")


@cache
def sweep() -> None:
    """Remove the folders that killed processes have left behind, once."""
    for path in Path(gettempdir()).glob(f"{PREFIX}*"):
        named = _NAMED.match(path.name)
        if named and not _lives(int(named[1])):
            shutil.rmtree(path, ignore_errors=True)


def is_ours(path: Path) -> bool:
    """Tell whether a folder is a temporary folder of the harness."""
    return path.parent == Path(gettempdir()) and bool(_NAMED.match(path.name))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
