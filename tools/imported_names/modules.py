"""The names that a module binds, and the names of other modules that it refers to, read from its source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

ANY_NAME = "*"
"""Stands among the names of a module that has others at run time: by `__getattr__`, or by a star."""
Block: TypeAlias = ast.If | ast.Try | ast.With | ast.For | ast.While
Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Reference:
    """A name of another module: imported from it, read of it, or named by a text that replaces it."""

    line: int
    module: str
    name: str
    is_import: bool
    """Whether an import names it; an attribute counts only where `module` is one and no class."""


def bind_names(statements: Sequence[ast.stmt]) -> Iterator[str]:
    """Yield the names that the statements of a module bind in it, those in branches and loops as well."""
    for statement in statements:
        if isinstance(statement, Function | ast.ClassDef):
            yield statement.name
        elif isinstance(statement, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in statement.names)
        elif isinstance(statement, Block):
            yield from _stored_names(*_heads(statement))
            yield from bind_names(list(_statements_in(statement)))
        else:
            yield from _stored_names(statement)


def find_references(tree: ast.Module, module: str, *, is_package: bool) -> Iterator[Reference]:
    """Yield what a module refers to; `module` is its dotted name, against which relative imports count."""
    imported: dict[str, str] = {}
    hidden: set[str] = set()
    attributes: list[tuple[int, str, str]] = []
    for node in ast.walk(tree):
        match node:
            case ast.Import():
                imported |= {alias.asname: alias.name for alias in node.names if alias.asname}
                for alias in node.names:
                    package, _, name = alias.name.rpartition(".")
                    yield Reference(node.lineno, package, name, is_import=True)
            case ast.ImportFrom():
                origin = _origin(node, module, is_package=is_package)
                for alias in node.names:
                    imported[alias.asname or alias.name] = f"{origin}.{alias.name}"
                    yield Reference(alias.lineno, origin, alias.name, is_import=True)
            case ast.Name(ctx=ast.Store()):
                hidden.add(node.id)
            case ast.arg():
                hidden.add(node.arg)
            case ast.Attribute(value=ast.Name(id=owner)):
                attributes.append((node.lineno, owner, node.attr))
            case ast.Call():
                attributes += [(node.lineno, owner, name) for owner, name in _replaced_names(node)]
    # A variable of the same name may hide the module in some function: no attribute of it is judged.
    for line, owner, name in attributes:
        if owner in imported and owner not in hidden:
            yield Reference(line, imported[owner], name, is_import=False)


def _origin(node: ast.ImportFrom, module: str, *, is_package: bool) -> str:
    """Return the dotted name of the module that an import names."""
    package = module.split(".") if is_package else module.split(".")[:-1]
    # One dot is the package itself, and each further dot leaves one folder.
    base = package[: len(package) - node.level + 1] if node.level else []
    return ".".join([*base, *([node.module] if node.module else [])])


def _replaced_names(call: ast.Call) -> Iterator[tuple[str, str]]:
    """Yield owner and name of `setattr(owner, "name", …)`, and of each pair in `wrong((owner, "name"))`."""
    for arguments in (call.args, *(pair.elts for pair in call.args if isinstance(pair, ast.Tuple))):
        match arguments:
            case [ast.Name(id=owner), ast.Constant(value=str(name)), *_] if name.isidentifier():
                yield owner, name


def _stored_names(*nodes: ast.AST) -> Iterator[str]:
    for root in nodes:
        for node in ast.walk(root):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield node.id


def _heads(statement: Block) -> Iterator[ast.AST]:
    """Yield what is in the head of a block: the target of a loop, what a `with` binds, a condition."""
    return (child for child in ast.iter_child_nodes(statement) if not isinstance(child, ast.stmt))


def _statements_in(statement: Block) -> Iterator[ast.stmt]:
    for child in ast.iter_child_nodes(statement):
        if isinstance(child, ast.stmt):
            yield child
        elif isinstance(child, ast.ExceptHandler):
            yield from child.body
