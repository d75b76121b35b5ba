"""Match conditions: CEL on the write that decides whether a webhook is called at all (FK-303)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from ..schema.cel.engine import CelError, CompileError
from ..schema.cel.native import NATIVE, CompiledProgram, kubernetes_text
from . import access
from .access import Decide

Json = Any
VARIABLES = ("object", "oldObject", "request", "namespaceObject", "authorizer", "authorizer.requestResource")


class ConditionsFailed(Exception):
    """Conditions could not be evaluated, and none of the others says no."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One expression."""

    expression: str

    def holds(self, values: Json) -> bool:
        """Return whether it holds. Raises ConditionsFailed."""
        try:
            found = compiled(self.expression).eval(_environment().Activation(values))
        except CompileError as error:
            found = CelError(str(error))
        if isinstance(found, CelError):
            raise ConditionsFailed(f"expression '{self.expression}' resulted in error: {found.text}")
        return found is True


def hold(conditions: Sequence[Condition], values: Json, decide: Decide) -> bool:
    """Return whether all conditions hold; one that says no outweighs those that fail. Raises ConditionsFailed."""
    failures = []
    with access.deciding(decide):
        for one in conditions:
            try:
                if not one.holds(values):
                    return False
            except ConditionsFailed as failure:
                failures.append(str(failure))
    if failures:
        raise ConditionsFailed(failures[0] if len(failures) == 1 else f"[{', '.join(failures)}]")
    return True


@lru_cache(maxsize=1024)
def compiled(expression: str) -> CompiledProgram:
    """Return the program of an expression. Raises CompileError."""
    try:
        return CompiledProgram(_environment().compile(expression))
    except RuntimeError as error:
        raise CompileError(kubernetes_text(str(error))) from error


@cache
def _environment() -> Any:
    return NATIVE.environment(dict.fromkeys(VARIABLES, "dyn"), access.FUNCTIONS)
