"""Match conditions: CEL on the write that decides whether a webhook is called at all (FK-303)."""

from __future__ import annotations

from collections.abc import Sequence

from ...base import work_budget
from ...base.json_types import Json
from ...schema.cel import requests
from ...schema.cel.engine import CelError, CompileError
from ...schema.cel.library import authorizer
from ...schema.cel.limits import budget
from ...store import encode
from . import authorizer_questions
from .authorizer_questions import Decide

SMALL_GROWTH = 16
"""Times the input, and thousands of characters, that texts may grow without a look at how long they are."""
COMPREHENSION_COST = 300_000
"""Cost of a condition with a comprehension:
all the turns that the engine allows take some hundredths of a second.
"""


class ConditionsFailed(Exception):
    """Conditions could not be evaluated, and none of the others says no."""


def hold(conditions: Sequence[str], values: Json, decide: Decide) -> bool:
    """Return whether all conditions hold; one that says no outweighs those that fail.

    Raises ConditionsFailed.
    """
    failures = []
    with authorizer.deciding(authorizer_questions.asking(decide)):
        for condition in conditions:
            outcome = evaluate(condition, values)
            # A condition that is false outweighs errors of others, also of earlier ones, so errors are
            # collected first.
            if outcome is False:
                return False
            if isinstance(outcome, CelError):
                failures.append(f"expression '{condition}' resulted in error: {outcome.text}")
    if failures:
        raise ConditionsFailed(failures[0] if len(failures) == 1 else f"[{', '.join(failures)}]")
    return True


def evaluate(expression: str, values: Json, *variables: str) -> Json:
    """Return the value of an expression that may speak of `more` than conditions do, or why there is none."""
    try:
        program = requests.program(expression, *variables)
    except CompileError as error:
        return CelError(str(error))
    grown = program.growth
    if grown.loops:
        work_budget.spend("cost of expressions", COMPREHENSION_COST)
    if grown.times + grown.literals // 1_000 > SMALL_GROWTH:
        cost = grown.cost(sum(len(encode(values[name])) for name in ("object", "oldObject")))
        if cost > budget.MAX_EVALUATION_COST:
            return CelError(budget.COST_EXCEEDED)
        work_budget.spend("cost of expressions", cost)
    program.turns.charge(values["object"], values["oldObject"])
    return program.eval(requests.environment((*requests.VARIABLES, *variables)).Activation(values))
