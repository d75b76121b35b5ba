"""Modules that are imported when a function of theirs is first called, so that a start does not pay for what
most clusters never use.

A type checker reads the import, the interpreter what stands for it:

    if TYPE_CHECKING:
        from . import validation
    else:
        validation = LazyModule(".validation", __package__)
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any


class LazyModule:
    """Stands for the module that `import_module` returns for a name: each attribute is its function, or
    class, to be called.
    """

    def __init__(self, name: str, package: str | None = None) -> None:
        self._import = partial(import_module, name, package)

    def __getattr__(self, name: str) -> LazyFunction:
        function = LazyFunction(lambda: getattr(self._import(), name))
        setattr(self, name, function)
        return function


class LazyFunction:
    """Stands for a function: the first call loads it."""

    __slots__ = ("_function", "_load")

    def __init__(self, load: Callable[[], Callable[..., Any]]) -> None:
        self._load = load
        self._function: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the function."""
        if self._function is None:
            self._function = self._load()
        return self._function(*arguments, **named)
