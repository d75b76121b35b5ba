"""The Active condition of an AdmissionCheck: can its requests be made at all (PA-020…028)?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition

from . import messages
from .config import ConfigReference

ACTIVE: Final = "Active"
BAD_REFERENCE: Final = "BadParametersRef"
IsOutdated = Callable[[Json | None, Condition, int], bool]
"""Whether a condition about a generation of the check is written, given the one that is there."""


ConfigProblem = Callable[[str, Json | None], str]
"""Returns the problem of a configuration, given its name and the object or None; empty when it is valid."""


def condition_of(check: Json, get: Callable[[str], Json | None], problem_of: ConfigProblem) -> Condition:
    """Say whether a check can be answered; `found` knows the configurations."""
    reference = ConfigReference.of(check)
    problem = reference.problem or problem_of(reference.name, get(reference.name))
    if problem:
        return Condition(ACTIVE, False, BAD_REFERENCE, problem)
    return Condition(ACTIVE, True, ACTIVE, messages.ACTIVE)


def decide(
    check: Json,
    get: Callable[[str], Json | None],
    current_time: float,
    problem_of: ConfigProblem,
    moved: IsOutdated,
) -> Json | None:
    """Return the status to write, None when the present one is right."""
    condition = condition_of(check, get, problem_of)
    status = check.get("status") or {}
    present = status.get("conditions") or ()
    generation = check["metadata"].get("generation")
    if not moved(c.find(present, ACTIVE), condition, generation):
        return None
    return {**status, "conditions": c.put(present, condition, generation, current_time)}


def has_other_status(present: Json | None, condition: Condition, _generation: int) -> bool:
    """Write it only when its status changes: another failure leaves the first one's text, and the old
    generation (PA-027, PD-01).
    """
    # Kueue sets the condition only when its status flips: the text of the first problem
    # stays (PA-027).
    return present is None or present["status"] != ("True" if condition.status else "False")


def has_other_content(present: Json | None, condition: Condition, generation: int) -> bool:
    """Write it whenever it says something else, or speaks of an older generation (PA-027, fixed)."""
    if present is None:
        return True
    present_condition = (
        present["status"],
        present["reason"],
        present["message"],
        present.get("observedGeneration"),
    )
    return present_condition != (
        "True" if condition.status else "False",
        condition.reason,
        condition.message,
        generation,
    )


def is_missing(name: str, config: Json | None) -> str:
    """Take any configuration that is there, also one that says nothing (PA-025, PC-23)."""
    return messages.not_found(messages.CONFIG_KIND, name) if config is None else ""


def is_missing_or_empty(name: str, config: Json | None) -> str:
    """Take no configuration of which no request can be made (PC-23, fixed)."""
    if config is not None and not (config.get("spec") or {}).get("provisioningClassName"):
        return messages.without_class(name)
    return is_missing(name, config)
