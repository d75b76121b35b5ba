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
IsOutdated = Callable[[Json, Condition, int], bool]
"""Whether the condition that is there differs from the one about a generation of the check."""


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
    is_outdated: tuple[IsOutdated, ...],
) -> Json | None:
    """Return the status to write, None when the present one is right."""
    condition = condition_of(check, get, problem_of)
    status = check.get("status") or {}
    present = status.get("conditions") or ()
    generation = check["metadata"].get("generation")
    written = c.find(present, ACTIVE)
    if written is not None and not any(differs(written, condition, generation) for differs in is_outdated):
        return None
    return {**status, "conditions": c.put(present, condition, generation, current_time)}


def has_other_status(present: Json, condition: Condition, _generation: int) -> bool:
    """Return whether the status flips (PA-027)."""
    return bool(present["status"] != ("True" if condition.status else "False"))


def keeps_text(_present: Json, _condition: Condition, _generation: int) -> bool:
    """Let the text of the first problem stay while another takes its place (PD-01)."""
    return False


def has_other_text(present: Json, condition: Condition, _generation: int) -> bool:
    """Return whether another reason or message is to be written (PD-01, fixed)."""
    return bool((present["reason"], present["message"]) != (condition.reason, condition.message))


def keeps_generation(_present: Json, _condition: Condition, _generation: int) -> bool:
    """Let the generation stay of which the condition spoke first (PA-027)."""
    return False


def has_other_generation(present: Json, _condition: Condition, generation: int) -> bool:
    """Return whether the condition speaks of another generation (PA-027, fixed)."""
    return bool(present.get("observedGeneration") != generation)


WHEN_STATUS_FLIPS: Final[tuple[IsOutdated, ...]] = (has_other_status, keeps_text, keeps_generation)
"""What has the condition written: its status alone; what replaces the others is a defect's correction."""


def is_missing(name: str, config: Json | None) -> str:
    """Take any configuration that is there, also one that says nothing (PA-025, PC-23)."""
    return messages.not_found(messages.CONFIG_KIND, name) if config is None else ""


def is_missing_or_empty(name: str, config: Json | None) -> str:
    """Take no configuration of which no request can be made (PC-23, fixed)."""
    if config is not None and not (config.get("spec") or {}).get("provisioningClassName"):
        return messages.without_class(name)
    return is_missing(name, config)
