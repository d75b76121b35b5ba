"""How files lie in folders: loose files at the top of a package, and small modules of a single reader."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from .sources import Finding, Measure, Source

SMALL_LINES = 60
ENTRIES = ("__init__", "__main__")


def find_small_modules(sources: Iterable[Source]) -> Iterator[Finding]:
    """Yield modules of less than 60 lines whose only importer lies beside them; tests import nothing here.

    What the `__init__` of the folder imports is the folder's interface, and stays.
    """
    modules = {source.module: source for source in sources if "tests" not in source.path.split("/")}
    importers = _importers(modules)
    for module, source in modules.items():
        lines = source.text.count("\n")
        if lines >= SMALL_LINES or _stem(source) in ENTRIES or len(importers[module]) != 1:
            continue
        (importer,) = (modules[name] for name in importers[module])
        if _folder(importer) == _folder(source) and _stem(importer) != "__init__":
            advice = f"fold it into {importer.path}, where the result stays one noun under 300 lines"
            yield Finding(source.path, 1, Measure.SMALL_MODULES, f"{lines} lines with one importer", advice)


def find_loose_files(paths: Iterable[str]) -> Iterator[Finding]:
    """Yield the files that lie at the top of a package, outside its folders."""
    for path in paths:
        if path.count("/") == 1:
            advice = "put it into the folder of what it belongs to"
            yield Finding(path, 1, Measure.LOOSE_FILES, "a file at the top of the package", advice)


def _importers(modules: Mapping[str, Source]) -> defaultdict[str, set[str]]:
    """Return the modules that import each module."""
    importers: defaultdict[str, set[str]] = defaultdict(set)
    for name, source in modules.items():
        for imported in _imports(source):
            if imported in modules and imported != name:
                importers[imported].add(name)
    return importers


def _imports(source: Source) -> Iterator[str]:
    """Yield the dotted names that a file imports; some of them are functions, not modules."""
    package = source.module.split(".")
    if _stem(source) != "__init__":
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


def _folder(source: Source) -> str:
    return source.path.rpartition("/")[0]


def _stem(source: Source) -> str:
    return source.path.rpartition("/")[2].removesuffix(".py")
