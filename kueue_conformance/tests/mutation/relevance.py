"""Which cases are about a decision: those of scenarios that
show a row of the fact pages which its docstring names.

What is said below a field or a constant is about that one alone.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from kueue_conformance.catalogue.inventory import inventory

from .mutants import Mutant, path_of

_ROWS = re.compile(r"\b([A-Z]{1,3})-(\d{2,3})(?:…(?:[A-Z]{1,3}-)?(\d{2,3})\b)?")


def relevance(mutant: Mutant, scenario: str) -> tuple[int, int]:
    """Return how many rows of its definition, and of its module, a scenario shows."""
    shown = frozenset(inventory()[scenario].shows) if scenario in inventory() else frozenset()
    text = _rows_of_docstrings(mutant.module)
    own = {row for name, rows in text.items() if name and _holds(name, mutant.function) for row in rows}
    own |= _rows_below(mutant.module).get(mutant.start[0], frozenset())
    return len(shown & own), len(shown & text[""])


def _holds(name: str, function: str) -> bool:
    return f"{function}.".startswith(f"{name}.")


@cache
def _rows_of_docstrings(module: str) -> dict[str, frozenset[str]]:
    """Return the rows that the docstrings of a module name,
    by definition; its own are those of the empty name.
    """
    tree = ast.parse(path_of(module).read_text("utf-8"))
    return {name: frozenset(rows(ast.get_docstring(node) or "")) for name, node in _definitions(tree, "")}


@cache
def _rows_below(module: str) -> dict[int, frozenset[str]]:
    """Return the rows that the text below a field or a constant names, by each line of its statement."""
    tree = ast.parse(path_of(module).read_text("utf-8"))
    result = {}
    for body in [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]:
        for item, below in pairwise(body):
            if isinstance(item, ast.Assign | ast.AnnAssign) and isinstance(below, ast.Expr):
                named_rows = frozenset(rows(_text(below.value)))
                result.update(
                    dict.fromkeys(range(item.lineno, (item.end_lineno or item.lineno) + 1), named_rows)
                )
    return result


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _definitions(
    node: ast.Module | ast.ClassDef | ast.FunctionDef, name: str
) -> Iterator[tuple[str, ast.Module | ast.ClassDef | ast.FunctionDef]]:
    yield name, node
    for statement in node.body:
        if isinstance(statement, ast.ClassDef | ast.FunctionDef):
            yield from _definitions(statement, f"{name}.{statement.name}".removeprefix("."))


def rows(text: str) -> Iterator[str]:
    """Yield the rows that a text names, those between the ends of a range as well: `AC-390…396`."""
    for family, first, last in _ROWS.findall(text):
        yield f"{family}-{first}"
        if last:
            yield from (f"{family}-{number:0{len(first)}}" for number in range(int(first), int(last) + 1))
