"""Exchanging the code of functions in place:
a change within a body needs no import of what has been imported.

Orders, tables and prepared clusters hold functions, and a function is the
same one with other code. What an import makes of a source, such as constants,
defaults and classes, cannot be exchanged so: `planting` imports it again.
"""

from __future__ import annotations

import gc
from collections import defaultdict
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from types import CodeType, FunctionType

from .mutants import path_of

_OPTIMIZED = 0x1
"""The flag of the code of functions, which that of modules and of classes does not bear."""
Place = tuple[str, str, int]


class Functions:
    """The functions of this process that come from one tree of files, by where their code is; read once,
    before any fork.
    """

    def __init__(self, prefix: str) -> None:
        self._at: dict[Place, list[FunctionType]] = defaultdict(list)
        self._caches = []
        for object_ in gc.get_objects():
            if type(object_) is FunctionType and object_.__module__ and object_.__module__.startswith(prefix):
                self._at[_place(object_.__code__)].append(object_)
            elif isinstance(object_, _lru_cache_wrapper) and f"{object_.__module__}".startswith(prefix):
                self._caches.append(object_)

    def exchange(self, module: str, before: str, after: str) -> bool:
        """Give the functions of a module the code of another source, and tell whether that is all the
        difference it makes.
        """
        file = str(path_of(module))
        try:
            pairs = [*_differences(compile(before, file, "exec"), compile(after, file, "exec"))]
        except _ImportDiffersError:
            return False
        if not all(self._can_be(old, new) for old, new in pairs):
            return False
        for old, new in pairs:
            for function in self._at[_place(old)]:
                function.__code__ = new
        for cache in self._caches:
            if cache.__module__ == module:
                cache.cache_clear()
        return True

    def _can_be(self, old: CodeType, new: CodeType) -> bool:
        """Tell whether a function is known, and none that it has made is: what closes over a call keeps the
        code that it was made of.
        """
        file, name, _ = where = _place(old)
        created = f"{name}.<locals>"
        return (
            where in self._at
            and old.co_freevars == new.co_freevars
            and not any(item[0] == file and item[1].startswith(created) for item in self._at)
        )


class _ImportDiffersError(Exception):
    """What is executed at the import of the module is not the same."""


def _differences(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield the pairs of outermost functions that differ."""
    if _own(old) != _own(new):
        raise _ImportDiffersError
    for before, after in zip(_inner(old), _inner(new), strict=True):
        if before.co_flags & _OPTIMIZED:
            if before != after:
                yield before, after
        else:
            yield from _differences(before, after)


def _own(code: CodeType) -> tuple[object, ...]:
    plain = tuple(
        (co_const.co_name, co_const.co_flags)
        if isinstance(co_const, CodeType)
        else (type(co_const), co_const)
        for co_const in code.co_consts
    )
    return code.co_code, plain, code.co_names, code.co_varnames, code.co_exceptiontable


def _inner(code: CodeType) -> list[CodeType]:
    return [co_const for co_const in code.co_consts if isinstance(co_const, CodeType)]


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno
