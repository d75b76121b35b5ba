"""Expressions that stand in no schema, such as those of policies and of device selectors: their type and what
they may cost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ..engine import CompileError
from ..model.ranges import ANY_SIZE, ONE
from ..model.shapes import DYN, Shape
from ..model.syntax import read
from .analysis import RuleAnalysis
from .checking import compile_text, locate, merge_errors
from .costs import TypedNode

TITLES = {
    "<": "(",
    ">": ")",
    "NULL": "null_type",
    "TIMESTAMP": "google.protobuf.Timestamp",
    "DURATION": "google.protobuf.Duration",
}
_TITLE = re.compile(r"[A-Z]+|[<>]")


class TypedExpression(Struct, frozen=True):
    """The type of an expression, as messages name it, and its greatest cost."""

    title: str
    cost: int


def check_type(
    expression: str, environment: Any, shapes: Mapping[str, Shape], *, patching: bool = False
) -> TypedExpression:
    """Return the type and cost of an expression about variables of these shapes. Raises CompileError."""
    tree = read(compile_text(environment, expression, disable_check=True).serialize())
    variables = {name: TypedNode(shape, ANY_SIZE) for name, shape in shapes.items()}
    analysis = RuleAnalysis(tree, {"self": TypedNode(DYN, ONE), **variables}, patching=patching)
    result = analysis.result()
    problems = list(locate(expression, tree, analysis.problems))
    try:
        title = _title(compile_text(environment, expression).return_type().name())
    except CompileError as error:
        title, problems = "dyn", merge_errors(expression, problems, error)
    if problems:
        raise CompileError("\n".join(problems))
    walked_title = result.shape.title
    # The engine knows nothing of opaque types and of what variables hold, the walk nothing of maps that are
    # written down.
    vague = "dyn" in title and ("dyn" not in walked_title or title == "dyn")
    return TypedExpression(walked_title if vague else title, result.cost.most)


def _title(name: str) -> str:
    """Return the name of a type of the engine as compiler messages name it."""
    return _TITLE.sub(lambda match: TITLES.get(match[0], match[0].lower()), name)
