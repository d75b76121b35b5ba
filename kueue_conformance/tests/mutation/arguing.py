"""Which mutants nothing tells from the right reference, by rule: what has one reason for a whole family is
not argued line by line.

A rule reads sources alone, and holds a mutant only where it can show that no program of the reference comes
to the change: whatever it cannot resolve counts. `make mutation ARGS=--argued` judges what rules and lines
hold, and fails where a scenario catches one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import yaml

from .calls import leaves_out
from .mutants import Mutant
from .sources import tree_of, trees

Rule = Callable[[Mutant], bool]
ARGUMENTS = Path(__file__).with_name("arguments.yaml")


class Arguments:
    """What is said of mutants: by a line of the data file,
    which is found by the mutant's key, or by a rule.
    """

    def __init__(self, file: Path = ARGUMENTS) -> None:
        lines = yaml.safe_load(file.read_text("utf-8")) or []
        self._lines = {
            (line["module"], line["function"], line["operator"], line["change"], line.get("number", 0)): line
            for line in lines
        }

    def equivalent(self, mutant: Mutant) -> str:
        """Return why nothing tells it from the right reference; empty where that is not so."""
        argument = str(self._lines.get(mutant.key, {}).get("equivalent", ""))
        return argument or by_rule(mutant)

    def because(self, mutant: Mutant) -> str:
        """Return why it may survive though something tells it apart, such as that nothing is promised of it;
        empty where nothing is said.
        """
        return str(self._lines.get(mutant.key, {}).get("because", ""))

    def argument(self, mutant: Mutant) -> str:
        """Return the argument about a mutant."""
        return self.equivalent(mutant) or self.because(mutant)


def by_rule(mutant: Mutant) -> str:
    """Return the reason of the first rule that holds a mutant; empty where none does."""
    return next((reason for reason, holds in RULES.items() if holds(mutant)), "")


def is_unused_default(mutant: Mutant) -> bool:
    """Tell whether it changes a default that no caller of the reference leaves to be filled in."""
    return any(
        _within(default, mutant) and not leaves_out(mutant.module, owner, name)
        for owner, name, default in _defaults(mutant.module)
    )


def is_before_all_clocks(mutant: Mutant) -> bool:
    """Tell whether it changes the number that stands in for an instant that is not there: `x_at or 0`, by a
    second or two of 1970.
    """
    return mutant.operator == "NumberReplacer" and any(
        _within(node.values[-1], mutant)
        for node in ast.walk(tree_of(mutant.module))
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and _is_instant(node.values[0])
    )


def is_name_of_an_index(mutant: Mutant) -> bool:
    """Tell whether it changes a constant that only names an index of an informer: it is made and asked for by
    the same constant.
    """
    if mutant.operator != "ReplaceString":
        return False
    named = [
        node.target.id
        for node in tree_of(mutant.module).body
        if isinstance(node, ast.AnnAssign)
        and isinstance(node.target, ast.Name)
        and node.value
        and _within(node.value, mutant)
    ]
    return bool(named) and all(_only_names_indexes(name) for name in named)


RULES: dict[str, Rule] = {
    "every caller says it: the default is never filled in": is_unused_default,
    "it stands for an instant that is not there, and no clock shows the first seconds of 1970": is_before_all_clocks,
    "it names an index, which is made and asked for by this constant alone": is_name_of_an_index,
}
"""The reasons, each with what tells whether it holds a mutant."""

_INDEXING = frozenset({"add_index", "by_index"})


def _defaults(module: str) -> Iterator[tuple[str, str, ast.expr]]:
    """Yield the defaults of a module: of what (a class or a function),
    of which field or parameter, and its expression.
    """
    for node in ast.walk(tree_of(module)):
        if isinstance(node, ast.ClassDef):
            for statement in node.body:
                if (
                    isinstance(statement, ast.AnnAssign)
                    and isinstance(statement.target, ast.Name)
                    and statement.value
                ):
                    yield node.name, statement.target.id, statement.value
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            places = [*node.args.posonlyargs, *node.args.args]
            pairs = [
                *zip(reversed(places), reversed(node.args.defaults), strict=False),
                *zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True),
            ]
            yield from ((node.name, position.arg, default) for position, default in pairs if default)


def _is_instant(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr.endswith("_at")


def _only_names_indexes(name: str) -> bool:
    """Tell whether a constant is read by nothing but what makes an index and what asks for one."""
    return name in _read_for(True) and name not in _read_for(False)


@cache
def _read_for(an_index: bool) -> frozenset[str]:
    """Return the names that are read as the name of an index, or those that are read for anything else."""
    result: dict[bool, set[str]] = {True: set(), False: set()}
    for tree in trees().values():
        naming = {
            id(call.args[0])
            for call in ast.walk(tree)
            if isinstance(call, ast.Call)
            and isinstance(call.func, ast.Attribute)
            and call.func.attr in _INDEXING
            and call.args
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load):
                result[id(node) in naming].add(node.id if isinstance(node, ast.Name) else node.attr)
    return frozenset(result[an_index])


def _within(node: ast.expr, mutant: Mutant) -> bool:
    begin, end = (node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0)
    return begin <= mutant.start and mutant.end <= end
