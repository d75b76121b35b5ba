"""Who calls a function or makes a value of a class, and which arguments each says."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache

from .sources import tree_of, trees

_PLAIN_BASES = frozenset({"NamedTuple"})


def leaves_out(module: str, owner: str, name: str) -> bool:
    """Tell whether a caller may leave an argument to its default:
    one that does not say it, or what cannot be read.

    Callers are found by the name of the function or class (`owner`). A module where that name is another's
    does not count.
    """
    defined = [
        node
        for node in ast.walk(tree_of(module))
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == owner
    ]
    if len(defined) != 1 or not _is_plain(defined[0]):
        return True
    node = defined[0]
    position = _place(node, name)
    if position is None:
        return True
    calls = [*_uses(module, owner), *(_uses_of_cls(node) if isinstance(node, ast.ClassDef) else ())]
    return any(call is None or not _says(call, name, position) for call in calls)


def _is_plain(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Tell whether a call of it by its name is all that makes it run: no bases that call it, no `__init__` of
    its own, no decorator that hands it on.
    """
    decorators = {ast.unparse(item).partition("(")[0] for item in node.decorator_list}
    if isinstance(node, ast.ClassDef):
        bases = {ast.unparse(base) for base in node.bases}
        own = any(
            isinstance(statement, ast.FunctionDef) and statement.name in {"__init__", "__new__"}
            for statement in node.body
        )
        return decorators <= {"dataclass"} and bases <= _PLAIN_BASES and bool(decorators or bases) and not own
    return decorators <= {"staticmethod", "classmethod"} and not node.name.startswith("__")


def _place(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> int | None:
    """Return the position of an argument, -1 where it is
    said by its name alone, None where that is not known.
    """
    if isinstance(node, ast.ClassDef):
        names = [
            statement.target.id
            for statement in node.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        ]
        by_name = any("kw_only" in ast.unparse(item) for item in node.decorator_list)
        return (-1 if by_name else names.index(name)) if name in names else None
    if name in {kwonlyarg.arg for kwonlyarg in node.args.kwonlyargs}:
        return -1
    names = [posonlyarg.arg for posonlyarg in (*node.args.posonlyargs, *node.args.args)]
    bound = bool(names) and names[0] in {"self", "cls"}
    return names.index(name) - bound if name in names else None


def _uses(module: str, owner: str) -> tuple[ast.Call | None, ...]:
    """Return the calls by a name, and None for each other use: a value that is handed on, another name that
    is given to it, a base.
    """
    return tuple(call for where, call in _all_uses()[owner] if not _is_another(owner, where, module))


def _is_another(name: str, where: str, module: str) -> bool:
    """Tell whether a name means in one module what is defined there, or in the module that it is imported
    from, and not in `module`.
    """
    if where in {module, ""}:
        return False
    if name in _definitions(where):
        return True
    sources = _import_origins(where).get(name, [])
    return bool(sources) and all(source != module and name in _definitions(source) for source in sources)


@cache
def _definitions(module: str) -> frozenset[str]:
    """Return the classes and functions that a module defines."""
    tree = trees().get(module)
    kinds = ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    return frozenset(
        statement.name for statement in (tree.body if tree else ()) if isinstance(statement, kinds)
    )


@cache
def _import_origins(module: str) -> dict[str, list[str]]:
    """Return from which modules each name is imported, wherever in the module that is."""
    result = defaultdict[str, list[str]](list)
    for node in ast.walk(trees()[module]):
        if isinstance(node, ast.ImportFrom):
            above = module.split(".")[: -node.level] if node.level else []
            for name in node.names:
                result[name.asname or name.name].append(".".join([*above, *filter(None, [node.module])]))
    return result


@cache
def _all_uses() -> dict[str, list[tuple[str, ast.Call | None]]]:
    """Return the uses of each name, each with the module where it is; what is read of a module
    (`writing.perform`) counts as the name alone.
    """
    result = defaultdict[str, list[tuple[str, ast.Call | None]]](list)
    for module, tree in trees().items():
        nodes = [*ast.walk(tree)]
        calls = {id(node.func): node for node in nodes if isinstance(node, ast.Call)}
        silent = {id(child) for node in nodes for no_use in _no_uses(node) for child in ast.walk(no_use)}
        for node in nodes:
            if isinstance(node, ast.alias) and node.asname not in {None, node.name}:
                result[node.name].append(("", None))
            elif isinstance(node, ast.Name | ast.Attribute) and id(node) not in silent:
                name, call = (node.id if isinstance(node, ast.Name) else node.attr), calls.get(id(node))
                result[name].append((module if isinstance(node, ast.Name) else "", call))
    return result


def _no_uses(node: ast.AST) -> Iterator[ast.expr]:
    """Yield where a class is named and not made: annotations,
    patterns, type checks, unions, what is read of it (`Head.of`).
    """
    if isinstance(node, ast.MatchClass):
        yield node.cls
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield from (item for item in (node.left, node.right) if isinstance(item, ast.Name))
    if isinstance(node, ast.AnnAssign | ast.arg) and node.annotation:
        yield node.annotation
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.returns:
        yield node.returns
    if isinstance(node, ast.Subscript):
        yield node.slice
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
        yield from node.args[1:]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        yield node.value


def _uses_of_cls(node: ast.ClassDef) -> Iterator[ast.Call]:
    """Yield what class methods make: `cls(…)`."""
    for child in ast.walk(node):
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Name) and child.func.id == "cls":
            yield child


def _says(call: ast.Call, name: str, position: int) -> bool:
    if any(keyword.arg == name for keyword in call.keywords):
        return True
    before = call.args[: position + 1]
    return 0 <= position < len(call.args) and not any(isinstance(item, ast.Starred) for item in before)
