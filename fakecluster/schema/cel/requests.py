"""Expressions about a request: the match conditions of webhooks and policies (FK-303, FK-320).

They see the objects of the request untyped, the request itself with its type, and who may do what.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from . import authorizing
from .analysis import Analysis
from .checking import compiled_text, located
from .costs import Part
from .engine import CompileError
from .native import NATIVE, CompiledProgram, kubernetes_text
from .ranges import ANY, ONE
from .shapes import DYN, Shape, shape_of
from .syntax import read

Json = Any
TEXT = {"type": "string"}
NAMED = {"group": TEXT, "version": TEXT}


def _message(title: str, /, **properties: Json) -> Json:
    return {"type": "object", "x-go-type": f"kubernetes.{title}", "properties": properties}


KIND = _message("GroupVersionKind", **NAMED, kind=TEXT)
RESOURCE = _message("GroupVersionResource", **NAMED, resource=TEXT)
TEXTS = {"type": "array", "items": TEXT}
USER = _message(
    "UserInfo", username=TEXT, uid=TEXT, groups=TEXTS, extra={"type": "object", "additionalProperties": TEXTS}
)
REQUEST = _message(
    "AdmissionRequest", kind=KIND, resource=RESOURCE, subResource=TEXT, requestKind=KIND, requestResource=RESOURCE,
    requestSubResource=TEXT, name=TEXT, namespace=TEXT, operation=TEXT, userInfo=USER, dryRun={"type": "boolean"},
    options={"x-kubernetes-int-or-string": True},
)  # fmt: skip
SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        **dict.fromkeys(("object", "oldObject", "namespaceObject"), DYN),
        "request": shape_of(REQUEST) or DYN,
        "authorizer": Shape("authorizer"),
    }
)
VARIABLES = (*SHAPES, "authorizer.requestResource")


@lru_cache(maxsize=1024)
def program(expression: str) -> CompiledProgram:
    """Return the program of a condition. Raises CompileError."""
    try:
        return CompiledProgram(environment().compile(expression))
    except RuntimeError as error:
        raise CompileError(kubernetes_text(str(error))) from error


def problem(expression: str) -> str:
    """Return why an expression is no condition; empty when it is one."""
    try:
        tree = read(compiled_text(environment(), expression, disable_check=True).serialize())
        parts = {name: Part(shape, ANY) for name, shape in SHAPES.items()}
        analysis = Analysis(tree, {"self": Part(DYN, ONE), **parts})
        result = analysis.result()
        if analysis.problems:
            return "compilation failed: " + "\n".join(located(expression, tree, analysis.problems))
        kind = compiled_text(environment(), expression).return_type()
    except CompileError as error:
        return f"compilation failed: {error}"
    known = str(kind.name()).lower()
    shown = result.shape.title if known.startswith(("dyn", "map")) else known
    return "" if shown == "bool" else f"must evaluate to bool but got {shown}"


@cache
def environment() -> Any:
    """Return what expressions are compiled in."""
    return NATIVE.environment(dict.fromkeys(VARIABLES, "dyn"), authorizing.FUNCTIONS)
