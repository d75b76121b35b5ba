"""The Python files of a checkout, and which of their references lead nowhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .modules import ANY_NAME, Reference, bind_names, find_references

IMPLICIT = frozenset({"__name__", "__file__", "__doc__", "__path__", "__package__", "__spec__", "__dict__"})
"""Names that Python gives to every module."""
DEFINITION = re.compile(r"^(?:(?:async )?def |class )?(\w+)(?= ?[(:=])", re.MULTILINE)
"""What a line at the margin defines. Most names are found by it, without the parser's time."""


@dataclass
class Checkout:
    """The files by path, and the names of the modules that were asked for."""

    root: Path
    paths: frozenset[str]
    _definitions: dict[str, frozenset[str]] = field(default_factory=dict)
    _names: dict[str, frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Note which folders are packages, with or without an `__init__`."""
        self._folders = {folder for path in self.paths for folder in _parents(path)}
        self._tops = {path.partition("/")[0].removesuffix(".py") for path in self.paths}

    def find_unresolved(self, path: str) -> Iterator[str]:
        """Yield a line for each reference of a file to a name of the checkout that is not there."""
        tree = self._parse(path)
        module = path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
        for reference in find_references(tree, module, is_package=path.endswith("/__init__.py")):
            if reference.module.partition(".")[0] in self._tops and self._is_missing(reference):
                yield f"{path}:{reference.line}: {reference.module} has no {reference.name!r}"

    def _is_missing(self, reference: Reference) -> bool:
        if not reference.is_import and not self._is_module(reference.module):
            return False
        return not self._has_name(reference.module, reference.name)

    def _is_module(self, module: str) -> bool:
        """Tell whether a dotted name is a module: a package may bind the same name to something else."""
        package, _, name = module.rpartition(".")
        return self._find_file(module) is not None and name not in self._names_of(package)

    def _has_name(self, module: str, name: str) -> bool:
        return (
            name in self._defined_at_margin(module)
            or bool(self._names_of(module) & {name, ANY_NAME, "__getattr__"})
            or name in IMPLICIT
            or f"{module}.{name}".replace(".", "/") in self._folders
            or self._find_file(f"{module}.{name}") is not None
        )

    def _defined_at_margin(self, module: str) -> frozenset[str]:
        if module not in self._definitions:
            path = self._find_file(module)
            text = (self.root / path).read_text("utf-8") if path else ""
            self._definitions[module] = frozenset(DEFINITION.findall(text))
        return self._definitions[module]

    def _names_of(self, module: str) -> frozenset[str]:
        if module not in self._names:
            path = self._find_file(module)
            self._names[module] = frozenset(bind_names(self._parse(path).body) if path else ())
        return self._names[module]

    def _find_file(self, module: str) -> str | None:
        base = module.replace(".", "/")
        return next((path for path in (f"{base}.py", f"{base}/__init__.py") if path in self.paths), None)

    def _parse(self, path: str) -> ast.Module:
        return ast.parse((self.root / path).read_text("utf-8"), path)


def _parents(path: str) -> Iterator[str]:
    return (str(folder) for folder in Path(path).parents)
