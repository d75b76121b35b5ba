"""The mutants of the reference's decisions, each with a key that outlives a shift of lines."""

from __future__ import annotations

import ast
import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import parso
from cosmic_ray.ast import ast_nodes
from cosmic_ray.mutating import mutate_code
from parso.tree import BaseNode

from kueue_conformance.tests.checkout import ROOT

from .operators import operators

PACKAGES = ("checks", "workload", "scheduling", "quota", "queueing")
JOBS = ("decide", "legacy_v0_6", "pods_ready", "prebuilt", "priority", "starting", "stopping")
REFERENCE = ROOT / "reference_impl/kueue"
_OF_TYPES = re.compile(r"=\s*TypeVar\(|:\s*TypeAlias\b|=\s*Literal\[")
_ONLY_COMPARED = re.compile(r"(self\.|node\.|root\.)?_?(generation|versions?)\b")
_LOGGED = re.compile(r"(self\.)?_?log\.\w+\(")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A change of one place of a module; `id` changes with
    the definition that holds the place, `key` does not.
    """

    id: str
    module: str
    """Such as `reference_impl.kueue.checks.entries`."""
    function: str
    """The definition that holds the place, such as `Checks.all_ready`; empty for the module itself."""
    operator: str
    occurrence: int
    start: tuple[int, int]
    end: tuple[int, int]
    change: str
    """The lines that differ: `before → after`."""
    number: int
    """Which of those that are the same in all this, counted from 0."""
    source: str
    """The changed module."""

    @property
    def key(self) -> tuple[str, str, str, str, int]:
        """What an argument of the data file is found by."""
        return self.module, self.function, self.operator, self.change, self.number


def path_of(module: str) -> Path:
    """Return a module's file."""
    return ROOT / f"{module.replace('.', '/')}.py"


def modules() -> list[str]:
    """Return the modules with decisions, in order."""
    files = [path for package in PACKAGES for path in sorted((REFERENCE / package).rglob("[a-z]*.py"))]
    files += [REFERENCE / "jobs" / f"{name}.py" for name in JOBS]
    return [".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files]


def mutants(module: str, source: str) -> list[Mutant]:
    """Return the mutants of a module's source, each change once; what says the same to the interpreter is
    none, nor what does not compile.
    """
    known_names: Counter[tuple[str, str, str, str]] = Counter()
    return [
        mutant for piece in parso.parse(source).children for mutant in _of(module, source, piece, known_names)
    ]


def _of(
    module: str, source: str, definition: Any, change_counts: Counter[tuple[str, str, str, str]]
) -> Iterator[Mutant]:
    """Yield the mutants of a statement of the module:
    to parse all of it for each of them would take minutes.
    """
    lines, text, first = (
        source.splitlines(keepends=True),
        definition.get_code(),
        definition.get_start_pos_of_prefix()[0],
    )
    length = text.count("\n")
    observed = {_meaning(text), ""}
    for name, occurrence, node, start, end in _places(text):
        changed = mutate_code(text, operators()[name], occurrence)
        if changed is None or (meaning := _meaning(changed)) in observed:
            continue
        observed.add(meaning)
        holder = _holder(node)
        where = module, _name(holder), name, _change(text, changed)
        number, change_counts[where] = change_counts[where], change_counts[where] + 1
        identity = repr((*where, number, holder.get_code(include_prefix=False) if holder else text.strip()))
        full = "".join((*lines[: first - 1], changed, *lines[first - 1 + length :]))
        yield Mutant(
            id=sha256(identity.encode()).hexdigest()[:32],
            module=module,
            function=where[1],
            operator=name,
            occurrence=occurrence,
            start=(start[0] + first - 1, start[1]),
            end=(end[0] + first - 1, end[1]),
            change=where[3],
            number=number,
            source=full,
        )


def _places(source: str) -> Iterator[tuple[str, int, Any, Any, Any]]:
    nodes = [*ast_nodes(parso.parse(source))]
    for name, operator in operators().items():
        places = (
            (node, mutation_position)
            for node in nodes
            for mutation_position in operator.mutation_positions(node)
        )
        for occurrence, (node, (start, end)) in enumerate(places):
            if not _decides_nothing(node):
                yield name, occurrence, node, start, end


def _decides_nothing(node: Any) -> bool:
    """Tell whether a node says something to the reader,
    the type checker or the log alone, and so decides nothing.

    Annotations, decorators, assertions (they tell types, or what cannot be), imports, `if TYPE_CHECKING`,
    type variables and aliases, `__slots__` and `__all__`, `strict=True` of a `zip`, a `help=…`, and what is
    written to the log. Of a version or a generation only whether it has changed is asked: where it begins and
    how far it steps decides nothing, that it steps does.
    """
    if node.type == "assert_stmt" or _is_for_readers(node):
        return True
    if node.type == "number" and _counts_versions(node):
        return True
    while (above := node.parent) is not None:
        if (
            above.type in {"annassign", "tfpdef"}
            and node is above.children[1 if above.type == "annassign" else 2]
        ):
            return True
        if above.type == "funcdef" and node is above.annotation:
            return True
        if above.type == "argument" and above.children[0].get_code().strip() in {"strict", "help"}:
            return True
        if above.type in {"decorator", "assert_stmt", "import_from"} or _is_for_readers(above):
            return True
        node = above
    return False


def _counts_versions(number: Any) -> bool:
    """Tell whether a number is what a version or a generation begins with, or its step."""
    above = number.parent
    while above.type in {"trailer", "atom_expr", "arglist", "annassign"}:
        above = above.parent
    return above.type in {"expr_stmt", "param"} and bool(_ONLY_COMPARED.match(above.get_code().strip()))


def _is_for_readers(node: Any) -> bool:
    first = node.get_first_leaf().value
    if node.type == "raise_stmt":
        return "AssertionError" in node.get_code()
    if node.type == "if_stmt":
        return bool(node.children[1].get_code().strip() == "TYPE_CHECKING")
    if node.type == "expr_stmt":
        return first in {"__slots__", "__all__"} or bool(_OF_TYPES.search(node.get_code()))
    return node.type == "atom_expr" and bool(_LOGGED.match(node.get_code().strip()))


def _holder(node: Any) -> BaseNode | None:
    while node is not None and node.type not in {"funcdef", "classdef"}:
        node = node.parent
    return node


def _name(holder: Any) -> str:
    names = []
    while holder is not None:
        names.append(holder.name.value)
        holder = _holder(holder.parent)
    return ".".join(reversed(names))


def _change(before: str, after: str) -> str:
    gone, come = [], []
    for line in difflib.ndiff(before.splitlines(), after.splitlines()):
        if line.startswith(("- ", "+ ")):
            (gone if line[0] == "-" else come).append(" ".join(line[2:].split()))
    return f"{' '.join(gone)} → {' '.join(come)}"


def _meaning(source: str) -> str:
    """Return what a source says to the interpreter,
    without annotations and docstrings; empty where it does not compile.
    """
    try:
        tree = ast.parse(source)
        compile(tree, "<mutant>", "exec")
    except (SyntaxError, ValueError):
        return ""
    return ast.dump(_Bare().visit(tree))


_OPPOSITE = {
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
}


class _Bare(ast.NodeTransformer):
    """Leaves out what decides nothing, and writes a negation in one way."""

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        of = node.operand
        if not isinstance(node.op, ast.Not):
            return node
        if isinstance(of, ast.UnaryOp) and isinstance(of.op, ast.Not):
            return of.operand
        if isinstance(of, ast.Compare) and len(of.ops) == 1 and type(of.ops[0]) in _OPPOSITE:
            return ast.Compare(of.left, [_OPPOSITE[type(of.ops[0])]()], of.comparators)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        return ast.Pass() if isinstance(node.value, ast.Constant) else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.annotation = ast.Constant(0)
        return self.generic_visit(node)
