"""The CEL engine on cel-expr-python, with the Kubernetes libraries as Python functions (C1…C7).

Optional values cannot cross into Python, so an optional
`oldSelf` is bound as a map with one key or none (C4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from ...base import work_budget
from ...base.json_types import Json
from .engine import Bindings, CelError, CompileError, Program
from .library.formats import wrap
from .library.functions import LIBRARIES, Overload
from .library.texts import mark, unmark
from .limits import budget
from .limits.growth import Growth, growth
from .limits.turns import Turns, turns
from .model.syntax import read

NO_OVERLOADS: Mapping[str, tuple[Overload, ...]] = MappingProxyType({})
EXTENSIONS = ("sets", "lists", "strings", "optional", "two-var-comprehensions")
_OLD_SELF = re.compile(r"""("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|(?<![\w.])oldSelf\b""")
_STATUS = re.compile(r"^[A-Z_]+: ")
_TRAILER = re.compile(r" \[[A-Z_]+\]$")
_TEXTS = (
    (re.compile(r'^Key not found in map : "?(.*?)"?$'), r"no such key: \1"),
    (re.compile(r"^Index error: index=(-?\d+).*$"), r"index out of bounds: \1"),
    (re.compile(r"^divide by zero$"), "division by zero"),
    (re.compile(r"^No matching overloads.*$"), "no such overload"),
    (re.compile(r"^cannot convert string to (\w+)$"), r"type conversion error from 'string' to '\1'"),
    (
        re.compile(r"^String to (\w+) conversion failed$"),
        r"type conversion error from 'string' to 'google.protobuf.\1'",
    ),
    (re.compile(r"^Type conversion error"), "type conversion error"),
    (re.compile(r"^Iteration budget exceeded$"), budget.COST_EXCEEDED),
)


def kubernetes_text(text: str) -> str:
    """Word an error of the engine as Kubernetes words it (C5)."""
    text = _TRAILER.sub("", _STATUS.sub("", text)).replace("\\u003F", "?")
    for pattern, wording in _TEXTS:
        text = pattern.sub(wording, text)
    return text


def optional_old_self(rule: str) -> str:
    """Return the rule with `oldSelf` read from the map that stands for an optional value (C4)."""
    return _OLD_SELF.sub(lambda match: match[1] or "oldSelf[?'v']", rule)


class CompiledProgram:
    """A compiled rule."""

    def __init__(self, expression: Any) -> None:
        self._expression = expression

    @cached_property
    def growth(self) -> Growth:
        """How much longer than its input the texts are that the rule makes."""
        return growth(read(self._expression.serialize()))

    @cached_property
    def turns(self) -> Turns:
        """The comprehensions of the rule."""
        return turns(read(self._expression.serialize()))

    def eval(self, bindings: Bindings) -> bool | str | CelError | Json:
        """Return the value of the rule, or why there is none."""
        budget.renew(self.turns)
        try:
            value = self._expression.eval(bindings)
        except RuntimeError as error:  # the engine gives up on what takes too long
            return CelError(kubernetes_text(str(error)))
        plain = value.plain_value()
        if plain is not True and value.type() == _cel().Type.ERROR:
            return CelError(kubernetes_text(str(plain)))
        return plain


@lru_cache(maxsize=1)
def _cel() -> Any:
    """Return the engine's module, which takes its time to load."""
    from cel_expr_python import cel

    return cel


class NativeEngine:
    """One environment for all rules; compiled rules are shared by the whole process."""

    @cached_property
    def _environment(self) -> Any:
        return self.environment({"self": "dyn", "oldSelf": "dyn"})

    def environment(
        self,
        variables: Mapping[str, Any],
        further: Mapping[str, tuple[Overload, ...]] = NO_OVERLOADS,
        extensions: tuple[str, ...] = EXTENSIONS,
    ) -> Any:
        """Return an environment with variables of given types (`dyn`,
        or types of the engine) and `more` functions.
        """
        cel = _cel()
        typed = {name: cel.Type.DYN if isinstance(kind, str) else kind for name, kind in variables.items()}
        functions = [*_functions(), *(_function(name, overloads) for name, overloads in further.items())]
        return cel.NewEnv(config=_config(extensions), variables=typed, functions=functions)

    @lru_cache(maxsize=4096)  # noqa: B019 - the engine lives as long as the process
    def compile(self, rule: str, *, optional_old: bool = False) -> Program:
        """Return the program of a rule. Raises CompileError."""
        text = optional_old_self(rule) if optional_old else rule
        work_budget.spend("characters of expressions", work_budget.EXPRESSION + len(text))
        try:
            return CompiledProgram(self._environment.compile(mark(wrap(text))))
        except RuntimeError as error:
            raise CompileError(unmark(kubernetes_text(str(error)))) from error

    def bind(self, value: Json, old: Json, *, optional_old: bool = False) -> Bindings:
        """Prepare `self` and `oldSelf`."""
        shown = ({} if old is None else {"v": old}) if optional_old else old
        return self._environment.Activation({"self": value, "oldSelf": shown})


@lru_cache(maxsize=2)
def _config(extensions: tuple[str, ...]) -> Any:
    listed = "".join(f"- name: {name}\n" for name in extensions)
    return _cel().NewEnvConfigFromYaml(f"name: kubernetes\nextensions:\n{listed}")


@lru_cache(maxsize=1)
def _functions() -> list[Any]:
    return [_function(name, overloads) for name, overloads in LIBRARIES.items()]


def _function(name: str, overloads: tuple[Overload, ...]) -> Any:
    return _cel().FunctionDecl(name, [_overload(name, i, *overload) for i, overload in enumerate(overloads)])


def _overload(name: str, number: int, signature: str, implementation: Any) -> Any:
    receiver, _, rest = signature.rpartition(".")
    parameters, _, result = rest.partition("->")
    names = [*([receiver] if receiver else []), *filter(None, parameters.strip("() ").split(","))]
    return _cel().Overload(
        f"k8s_{name}_{number}",
        _type(result.strip()),
        [_type(name.strip()) for name in names],
        bool(receiver),
        implementation,
    )


def _type(name: str) -> Any:
    types = _cel().Type
    named = {
        "string": types.STRING,
        "int": types.INT,
        "double": types.DOUBLE,
        "bool": types.BOOL,
        "dyn": types.DYN,
        "list": types.List(types.DYN),
        "object": types.Map(types.DYN, types.DYN),
        "strings": types.List(types.STRING),
    }
    return named[name]


NATIVE = NativeEngine()
