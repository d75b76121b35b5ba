"""Putting a changed module in the place of the right one,
in a process that has imported the reference already.

A change within functions is made in place (`swapping`). Where the import itself differs, the module and all
that import it, directly or not, are imported again: orders, tables of dialects, defaults and classes are what
the changed source makes of them. That takes 0.1 s, and nothing needs to know where a decision is kept.
"""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from typing import Any

from .mutants import REFERENCE, ROOT, path_of
from .swapping import Functions

WARM = (
    "reference_impl.kueue.composition",
    "reference_impl.runtime.manager",
    "reference_impl.kueue.install",
    "reference_impl.kueue.webhooks.answers",
    "reference_impl.kueue.webhooks.registration",
)
"""What the scenarios import of the reference."""


class Planted(MetaPathFinder, SourceLoader):
    """Finds one module of the reference with another source."""

    def __init__(self, module: str, source: str) -> None:
        self._module, self._source = module, source

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        del path, target
        if fullname != self._module:
            return None
        return spec_from_file_location(fullname, path_of(fullname), loader=self)

    def get_filename(self, fullname: str) -> str:
        return str(path_of(fullname))

    def get_data(self, path: Any) -> bytes:
        del path
        return self._source.encode()

    def path_stats(self, path: Any) -> Any:
        raise OSError(path)  # no bytecode is read or written


def plant(module: str, source: str, functions: Functions | None = None) -> frozenset[str]:
    """Have this process use a module's changed source,
    and return what was imported again. Raises what the import raises.

    With functions it is tried to give those of the module other code, which imports nothing.
    """
    if functions and functions.exchange(module, path_of(module).read_text("utf-8"), source):
        return frozenset()
    names = frozenset(name for name in dependents(module) if name in sys.modules)
    for name in names:
        package, _, last = name.rpartition(".")
        del sys.modules[name]
        vars(sys.modules.get(package, sys)).pop(last, None)
    sys.meta_path.insert(0, Planted(module, source))
    for name in sorted({*names, module, *WARM}):
        importlib.import_module(name)
    return names


@cache
def dependents(module: str) -> frozenset[str]:
    """Return a module and all modules of the reference that import it, directly or not."""
    result, expected = {module}, [module]
    while expected:
        pop = expected.pop()
        new = {name for name, needs in imports().items() if pop in needs} - result
        result |= new
        expected += new
    return frozenset(result)


@cache
def imports() -> dict[str, frozenset[str]]:
    """Return the modules of the reference, each with those that it imports."""
    files = {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file
        for file in REFERENCE.rglob("*.py")
        if "tests" not in file.relative_to(REFERENCE).parts
    }
    return {name: frozenset(_needs(name, file)) & files.keys() for name, file in files.items()}


def _needs(name: str, file: Any) -> Iterator[str]:
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            where = ".".join([*base, *([node.module] if node.module else [])])
            yield where
            yield from (f"{where}.{name.name}" for name in node.names)
