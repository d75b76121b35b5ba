"""`MODULE:CALLABLE`: a callable of the user's package,
as a subject (`in_process.py`) or as a driver (`drivers/call.py`).
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from operator import attrgetter
from pathlib import Path
from typing import Any


class NotCallable(Exception):
    """There is no such callable, or its module cannot be imported."""


def split_callable(text: str) -> tuple[str, str]:
    """Return the module and the callable of it, two empty texts where either is missing."""
    module, _, name = text.partition(":")
    return (module, name) if module and name else ("", "")


def import_callable(module: str, name: str, folder: Path) -> Callable[..., Any]:
    """Import the module, also from a folder, and return the callable. Raises NotCallable."""
    folder_path = str(folder)
    if folder_path not in sys.path:
        # At the end: a file beside the subject file must not hide a module of the standard
        # library.
        sys.path.append(folder_path)
    try:
        # attrgetter follows dots, so a method of a class can be named.
        function: Callable[..., Any] = attrgetter(name)(importlib.import_module(module))
    except (ImportError, AttributeError) as problem:
        raise NotCallable(str(problem)) from problem
    # Any exception: the module's top level is the user's code.
    except Exception as problem:
        raise NotCallable(f"importing {module} raised {type(problem).__name__}: {problem}") from problem
    return function
