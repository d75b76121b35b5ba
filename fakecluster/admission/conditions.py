"""Match conditions: CEL on the write that decides whether a webhook is called at all (FK-303)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..schema.cel import authorizing, requests
from ..schema.cel.engine import CelError, CompileError
from . import access
from .access import Decide

Json = Any


class ConditionsFailed(Exception):
    """Conditions could not be evaluated, and none of the others says no."""


def hold(conditions: Sequence[str], values: Json, decide: Decide) -> bool:
    """Return whether all conditions hold; one that says no outweighs those that fail. Raises ConditionsFailed."""
    failures = []
    with authorizing.deciding(access.asking(decide)):
        for one in conditions:
            found = _value(one, values)
            if found is False:
                return False
            if isinstance(found, CelError):
                failures.append(f"expression '{one}' resulted in error: {found.text}")
    if failures:
        raise ConditionsFailed(failures[0] if len(failures) == 1 else f"[{', '.join(failures)}]")
    return True


def _value(expression: str, values: Json) -> Json:
    try:
        return requests.program(expression).eval(requests.environment().Activation(values))
    except CompileError as error:
        return CelError(str(error))
