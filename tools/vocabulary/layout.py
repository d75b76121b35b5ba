"""How files lie in folders: loose files at the top of a package, and small modules of a single reader."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from .sources import Finding, Measure, Source

SMALL_LINES = 60
ENTRIES = ("__init__", "__main__")


@dataclass(frozen=True)
class Module:
    """What the layout of a module is judged by, so that its syntax tree need not stay in memory."""

    path: str
    name: str
    lines: int
    imports: frozenset[str]
    """The dotted names that it imports; some of them are functions, not modules."""

    @classmethod
    def of(cls, source: Source) -> Module:
        """Read what a file imports."""
        return cls(source.path, source.module, source.text.count("\n"), frozenset(_imports(source)))

    @property
    def folder(self) -> str:
        """The path of the folder that it lies in."""
        return self.path.rpartition("/")[0]

    @property
    def stem(self) -> str:
        """The name of its file."""
        return _stem(self.path)


def find_small_modules(modules: Iterable[Module]) -> Iterator[Finding]:
    """Yield modules of less than 60 lines whose only importer lies beside them; tests import nothing here.

    What the `__init__` of the folder imports is the folder's interface, and stays.
    """
    by_name = {module.name: module for module in modules if "tests" not in module.path.split("/")}
    importers = _importers(by_name)
    for name, module in by_name.items():
        if module.lines >= SMALL_LINES or module.stem in ENTRIES or len(importers[name]) != 1:
            continue
        (importer,) = (by_name[importing] for importing in importers[name])
        if importer.folder == module.folder and importer.stem != "__init__":
            advice = f"fold it into {importer.path}, where the result stays one noun under 300 lines"
            yield Finding(
                module.path, 1, Measure.SMALL_MODULES, f"{module.lines} lines with one importer", advice
            )


def find_loose_files(paths: Iterable[str]) -> Iterator[Finding]:
    """Yield the files that lie at the top of a package, outside its folders."""
    for path in paths:
        if path.count("/") == 1:
            advice = "put it into the folder of what it belongs to"
            yield Finding(path, 1, Measure.LOOSE_FILES, "a file at the top of the package", advice)


def _importers(modules: Mapping[str, Module]) -> defaultdict[str, set[str]]:
    """Return the modules that import each module."""
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for name, module in modules.items():
        for imported in module.imports:
            if imported in modules and imported != name:
                importers[imported].add(name)
    return importers


def _imports(source: Source) -> Iterator[str]:
    package = source.module.split(".")
    if _stem(source.path) != "__init__":
        package = package[:-1]
    for node in source.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            # One dot is the package itself, and each further dot leaves one folder.
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *(node.module or "").split(".")]).strip(".")
            yield origin
            yield from (f"{origin}.{alias.name}" for alias in node.names)


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".py")
