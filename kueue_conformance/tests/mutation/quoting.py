"""Which scenarios quote a text that a mutant stands in: a message, the name of a series. Of many cases that
come by a text few look at it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from kueue_conformance.catalogue.inventory import inventory, module_of

from .mutants import Mutant
from .sources import tree_of

_SHORTEST = 8
"""Characters: what is shorter is a word that many scenarios have for another reason."""
_PREFIXES = ("kueue_local_queue_", "kueue_")
"""Scenarios leave them out."""


def quotes(mutant: Mutant, scenario: str) -> bool:
    """Tell whether the source of a scenario has a text of the place that a mutant changes."""
    if scenario not in inventory():
        return False
    source = _sources(module_of(inventory()[scenario])).get(scenario, "")
    return any(text in source for text in _texts(mutant.module, mutant.start, mutant.end))


@cache
def _texts(module: str, start: tuple[int, int], end: tuple[int, int]) -> tuple[str, ...]:
    """Return the texts of the innermost call around a place, or where there is none those of its lines."""
    tree = tree_of(module)
    around = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and _holds(node, start, end)]
    inner = max(around, key=lambda node: (node.lineno, node.col_offset), default=None)
    on_lines = [inner] if inner is not None and any(_texts_in(inner)) else _on_lines(tree, start[0], end[0])
    return tuple({text for piece in on_lines for text in _texts_in(piece)})


def _on_lines(tree: ast.Module, first: int, last: int) -> list[ast.Constant]:
    constants = [node for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [node for node in constants if first <= node.lineno and (node.end_lineno or 0) <= last]


def _texts_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            for prefix in _PREFIXES:
                text = text.removeprefix(prefix)
            if len(text) >= _SHORTEST:
                yield text


def _holds(node: ast.expr, start: tuple[int, int], end: tuple[int, int]) -> bool:
    first, last = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    return first <= start and end <= last


@cache
def _sources(file: Path) -> Mapping[str, str]:
    """Return what each scenario of a test module says, by id, with the values of the module that it names."""
    text = file.read_text("utf-8")
    tree = ast.parse(text)
    values = {
        target.id: ast.unparse(statement.value)
        for statement in tree.body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    return {name: source for statement in tree.body for name, source in _source(statement, values)}


def _source(node: ast.stmt, values: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if not isinstance(node, ast.FunctionDef):
        return
    named = {child.id for child in ast.walk(node) if isinstance(child, ast.Name)}
    text = "\n".join([ast.unparse(node), *(values[name] for name in sorted(named & values.keys()))])
    for call in node.decorator_list:
        if isinstance(call, ast.Call) and call.args and isinstance(call.args[0], ast.Constant):
            yield str(call.args[0].value), text
