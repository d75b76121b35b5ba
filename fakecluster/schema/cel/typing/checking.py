"""Does a rule compile against the schema it stands in, and what may it cost (FK-273, FK-276).

The engine finds what is wrong with the text and, for plain values, with the types; the walk with the schema
at hand finds unknown fields and types inside objects.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ..engine import CompileError
from ..library.formats import wrap
from ..model.ranges import ONE, Range
from ..model.shapes import Shape
from ..model.syntax import Tree, read
from ..native import NATIVE, kubernetes_text, optional_old_self
from .analysis import RuleAnalysis
from .costs import TypedNode

PLAIN_TYPES = {
    "string": "STRING",
    "int": "INT",
    "double": "DOUBLE",
    "bool": "BOOL",
    "bytes": "BYTES",
    "timestamp": "TIMESTAMP",
    "duration": "DURATION",
}
_OLD_SELF = re.compile(r"(?<![\w.\"'])oldSelf\b")
_PLACE = re.compile(r"ERROR: <input>:(\d+):(\d+):")
_WORDINGS = (
    (re.compile(r"has\(\) argument must be a field selection"), "invalid argument to has() macro"),
    (
        re.compile(r"expression of type '(.*)' cannot be the operand of a select operation"),
        r"type '\1' does not support field selection",
    ),
    (re.compile(r"google\.protobuf\.Duration"), "duration"),
    (re.compile(r"google\.protobuf\.Timestamp"), "timestamp"),
)
"""What the engine says and what the real server's compiler says."""
_LITERAL = re.compile(r"\.?[A-Za-z_]\w*(?:\.\w+)*\s*(?=\{)")
"""The name of a message literal: what is wrong with it stands at its brace."""
_UNDECLARED = re.compile(
    r"<input>:(\d+):(\d+): undeclared reference to '(\w+)((?:\.\w+)+)'( \(in container ''\)\n \| .*\n \| )\.*\^"
)
"""A name of several parts that is not declared: the first part is reported."""


class CheckedRule(Struct, frozen=True):
    """A checked rule: why it does not compile, its type, its greatest cost."""

    error: str
    kind: str
    cost: int
    uses_old: bool


def check(rule: str, shape: Shape, *, optional_old: bool = False) -> CheckedRule:
    """Compile a rule for a node of a shape."""
    uses_old = bool(_OLD_SELF.search(rule))
    text = wrap(optional_old_self(rule) if optional_old else rule)
    environment = _environment(shape, optional_old=optional_old)
    try:
        tree = read(compile_text(environment, text, disable_check=True).serialize())
        analysis = _analysis(tree, shape, optional_old=optional_old)
        result = analysis.result()
        if analysis.problems:
            return CheckedRule("\n".join(locate(rule, tree, analysis.problems)), "", 0, uses_old)
        kind = compile_text(environment, text).return_type()
    except CompileError as error:
        return CheckedRule(str(error), "", 0, uses_old)
    name = str(kind.name()).lower()
    return CheckedRule("", result.shape.kind if name == "dyn" else name, result.cost.most, uses_old)


def _analysis(tree: Tree, shape: Shape, *, optional_old: bool) -> RuleAnalysis:
    own = TypedNode(shape, Range(0, shape.most))
    old = TypedNode(Shape("map", inner=shape), ONE) if optional_old else own
    return RuleAnalysis(tree, {"self": own, "oldSelf": old})


def compile_text(environment: Any, text: str, **options: bool) -> Any:
    """Return the engine's expression. Raises CompileError in the words of the real compiler."""
    try:
        return environment.compile(text, **options)
    except RuntimeError as error:
        message = kubernetes_text(str(error))
        if not text:
            # Where nothing is, nothing begins.
            message = message.replace("<input>:1:1:", "<input>:1:0:")
        for pattern, wording in _WORDINGS:
            message = pattern.sub(wording, message)
        message = _UNDECLARED.sub(_at_root, message)
        raise CompileError(_in_order(message)) from error


def _at_root(match: re.Match[str]) -> str:
    line, column, root, rest, middle = match.groups()
    if _LITERAL.match(middle.split("\n | ")[1], int(column) - 1):
        return match[0]
    start = int(column) - len(root) - rest.rindex(".")
    return f"<input>:{line}:{start}: undeclared reference to '{root}'{middle}{'.' * (start - 1)}^"


def _in_order(text: str) -> str:
    """Return the errors of a compiler in the order of the text."""
    return "\n".join(sorted(_each(text), key=_place))


def _each(text: str) -> list[str]:
    return [f"ERROR: {error}" for error in text.removeprefix("ERROR: ").split("\nERROR: ")]


def merge_errors(rule: str, walked: Sequence[str], engine_error: CompileError) -> list[str]:
    """Return what the walk and the engine found.

    The engine knows no message literals, and where the walk found something it may have been led astray.
    """
    lines = rule.split("\n")
    errors = {_place(error): error for error in _each(str(engine_error)) if not _about_literal(error, lines)}
    if walked:
        errors = {position: error for position, error in errors.items() if "undeclared reference" in error}
    errors |= {_place(error): error for error in walked}
    return [errors[position] for position in sorted(errors)]


def _about_literal(error: str, lines: list[str]) -> bool:
    row, column = _place(error)
    return "*error*" in error or (row > 0 and bool(_LITERAL.match(lines[row - 1], column - 1)))


def _place(error: str) -> tuple[int, int]:
    match = _PLACE.match(error)
    return (int(match[1]), int(match[2])) if match else (0, 0)


_ENVIRONMENTS: dict[tuple[str, bool], Any] = {}


def _environment(shape: Shape, *, optional_old: bool) -> Any:
    """Return an environment in which `self` has the engine's type for a shape; one for each type."""
    kind = shape.title if _plain(shape) else "dyn"
    environment = _ENVIRONMENTS.get((kind, optional_old))
    if environment is None:
        own = _engine_type(shape) if kind != "dyn" else "dyn"
        variables: Mapping[str, Any] = {"self": own, "oldSelf": _optional(own) if optional_old else own}
        environment = _ENVIRONMENTS.setdefault((kind, optional_old), NATIVE.environment(variables))
    return environment


def _plain(shape: Shape) -> bool:
    return _plain(shape.item) if shape.kind in {"list", "map"} else shape.kind in PLAIN_TYPES


def _engine_type(shape: Shape) -> Any:
    from cel_expr_python import cel

    if shape.kind == "list":
        return cel.Type.List(_engine_type(shape.item))
    if shape.kind == "map":
        return cel.Type.Map(cel.Type.STRING, _engine_type(shape.item))
    return getattr(cel.Type, PLAIN_TYPES[shape.kind])


def _optional(own: Any) -> Any:
    """Return the type of the map that stands for an optional value (C4)."""
    from cel_expr_python import cel

    return "dyn" if isinstance(own, str) else cel.Type.Map(cel.Type.STRING, own)


def locate(rule: str, tree: Tree, problems: list[tuple[int, str]]) -> Iterator[str]:
    """Word problems with the place in the text, as a compiler does."""
    lines = rule.split("\n")
    for node, text in sorted(problems, key=lambda problem: tree.positions.get(problem[0], 0)):
        offset = tree.positions.get(node, 0)
        if named := _LITERAL.match(rule, offset):
            offset = named.end()
        before = rule[:offset]
        row, column = before.count("\n"), len(before) - (before.rfind("\n") + 1)
        yield f"ERROR: <input>:{row + 1}:{column + 1}: {text}\n | {lines[row]}\n | {'.' * column}^"
