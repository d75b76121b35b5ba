"""Expressions about a request: the match conditions of webhooks and policies (FK-303, FK-320).

They see the objects of the request untyped, the request itself with its type, and who may do what.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any, Self

from msgspec import Struct

from ...base.json_types import Json
from .engine import CompileError
from .library import authorizer
from .library.formats import wrap
from .library.texts import mark, unmark
from .model.shapes import DYN, Shape, shape_of
from .native import NATIVE, CompiledProgram, kubernetes_text
from .typing import patches
from .typing.expressions import check_type

ANY_TYPE = {"x-kubernetes-int-or-string": True}
TEXT = {"type": "string"}
OF_TYPES: Mapping[str, Json] = MappingProxyType(
    {"string": TEXT, "int": {"type": "integer"}, "bool": {"type": "boolean"}, "double": {"type": "number"}}
)
"""Schemas of the values of variables, by their types."""
GROUP_VERSION_FIELDS = {"group": TEXT, "version": TEXT}


def _message(title: str, /, **properties: Json) -> Json:
    return {"type": "object", "x-go-type": f"kubernetes.{title}", "properties": properties}


KIND = _message("GroupVersionKind", **GROUP_VERSION_FIELDS, kind=TEXT)
RESOURCE = _message("GroupVersionResource", **GROUP_VERSION_FIELDS, resource=TEXT)
TEXTS = {"type": "array", "items": TEXT}
USER = _message(
    "UserInfo", username=TEXT, uid=TEXT, groups=TEXTS, extra={"type": "object", "additionalProperties": TEXTS}
)
REQUEST = _message(
    "AdmissionRequest",
    kind=KIND,
    resource=RESOURCE,
    subResource=TEXT,
    requestKind=KIND,
    requestResource=RESOURCE,
    requestSubResource=TEXT,
    name=TEXT,
    namespace=TEXT,
    operation=TEXT,
    userInfo=USER,
    dryRun={"type": "boolean"},
    options=ANY_TYPE,
)
SHAPES: Mapping[str, Shape] = MappingProxyType(
    {
        **dict.fromkeys(("object", "oldObject", "namespaceObject"), DYN),
        "request": shape_of(REQUEST) or DYN,
        "authorizer": Shape("authorizer"),
    }
)
VARIABLES = (*SHAPES, "authorizer.requestResource")


@lru_cache(maxsize=1024)
def program(expression: str, *variables: str) -> CompiledProgram:
    """Return the program of a condition, which may speak of `more` variables. Raises CompileError."""
    try:
        return CompiledProgram(environment((*VARIABLES, *variables)).compile(mark(wrap(expression))))
    except RuntimeError as error:
        raise CompileError(unmark(kubernetes_text(str(error)))) from error


def problem(expression: str) -> str:
    """Return why an expression is no condition; empty when it is one."""
    return RuleVariables(SHAPES).problem(expression, ("bool",))


class RuleVariables(Struct, frozen=True):
    """What expressions may speak of: variables with their shapes."""

    shapes: Mapping[str, Shape]
    own: tuple[tuple[str, Shape], ...] = ()
    """The variables that a policy declares, in order."""
    patching: bool = False
    """Whether they may write patches."""

    @classmethod
    def of(cls, declared: Iterable[Mapping[str, Json]], *, params: bool) -> Self:
        """Return the terms of a policy."""
        shapes = {**SHAPES, **({"params": DYN} if params else {})}
        own: tuple[tuple[str, Shape], ...] = ()
        for variable in declared:
            shape = cls(shapes, own).shape(variable.get("expression") or "")
            own = (*own, (variable.get("name") or "", shape))
        return cls(shapes, own)

    def of_patches(self) -> RuleVariables:
        """Return the terms of what makes patches."""
        return RuleVariables(self.shapes, self.own, patching=True)

    def before(self, number: int) -> RuleVariables:
        """Return the terms of the variable at a place: those before it."""
        return RuleVariables({**self.shapes, "variables": _compose(self.own[:number])})

    def plain(self, expression: str) -> str:
        """Return why an expression is no condition of a policy, which knows no variables."""
        return RuleVariables(self.shapes).problem(expression, ("bool",))

    def problem(self, expression: str, titles: Sequence[str]) -> str:
        """Return why an expression does not compile to one of the wanted types; empty when it does."""
        try:
            shown = self._compile(expression)
        except CompileError as error:
            return f"compilation failed: {error}"
        if not titles or shown in titles:
            return ""
        listed = titles[0] if len(titles) == 1 else f"one of [{' '.join(titles)}]"
        return f"must evaluate to {listed} but got {shown}"

    def shape(self, expression: str) -> Shape:
        """Return the shape of an expression's value."""
        try:
            return shape_of(OF_TYPES.get(self._compile(expression), ANY_TYPE)) or DYN
        except CompileError:
            return DYN

    @property
    def _shapes(self) -> Mapping[str, Shape]:
        return {**self.shapes, "variables": _compose(self.own)} if self.own else self.shapes

    def _compile(self, expression: str) -> str:
        """Return the type of an expression. Raises CompileError."""
        compiles_in = environment((*self._shapes, "authorizer.requestResource"), patching=self.patching)
        return check_type(expression, compiles_in, self._shapes, patching=self.patching).title


def _compose(own: Sequence[tuple[str, Shape]]) -> Shape:
    """Return the shape of `variables`."""
    properties = {name: OF_TYPES.get(shape.kind, ANY_TYPE) for name, shape in own}
    return shape_of({"type": "object", "x-go-type": "kubernetes.variables", "properties": properties}) or DYN


@cache
def environment(variables: tuple[str, ...] = VARIABLES, *, patching: bool = False) -> Any:
    """Return what expressions are compiled in."""
    functions = {**authorizer.FUNCTIONS, **(patches.FUNCTIONS if patching else {})}
    return NATIVE.environment(dict.fromkeys(variables, "dyn"), functions)
