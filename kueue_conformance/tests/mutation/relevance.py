"""Which cases are about a decision: those of scenarios that show a row of the fact pages which its docstring names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from kueue_conformance.catalogue.inventory import inventory

from .mutants import Mutant, path_of

_ROWS = re.compile(r"\b([A-Z]{1,3})-(\d{2,3})(?:…(?:[A-Z]{1,3}-)?(\d{2,3})\b)?")


def relevance(mutant: Mutant, scenario: str) -> tuple[int, int]:
    """Return how many rows of its definition, and of its module, a scenario shows."""
    shown = frozenset(inventory()[scenario].shows) if scenario in inventory() else frozenset()
    told = _told(mutant.module)
    own = {row for name, rows in told.items() if name and _holds(name, mutant.function) for row in rows}
    return len(shown & own), len(shown & told[""])


def _holds(name: str, function: str) -> bool:
    return f"{function}.".startswith(f"{name}.")


@cache
def _told(module: str) -> dict[str, frozenset[str]]:
    """Return the rows that the docstrings of a module name, by definition; its own are those of the empty name."""
    tree = ast.parse(path_of(module).read_text("utf-8"))
    return {name: frozenset(rows(ast.get_docstring(node) or "")) for name, node in _definitions(tree, "")}


def _definitions(
    node: ast.Module | ast.ClassDef | ast.FunctionDef, name: str
) -> Iterator[tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef]]:
    yield name, node
    for one in node.body:
        if isinstance(one, ast.ClassDef | ast.FunctionDef):
            yield from _definitions(one, f"{name}.{one.name}".removeprefix("."))


def rows(text: str) -> Iterator[str]:
    """Yield the rows that a text names, those between the ends of a range as well: `AC-390…396`."""
    for family, first, last in _ROWS.findall(text):
        yield f"{family}-{first}"
        if last:
            yield from (f"{family}-{number:0{len(first)}}" for number in range(int(first), int(last) + 1))
