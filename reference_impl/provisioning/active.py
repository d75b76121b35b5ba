"""The Active condition of an AdmissionCheck: can its requests be made at all (PA-020…028)?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from reference_impl.api.resource import Json
from reference_impl.workload import conditions as c
from reference_impl.workload.conditions import Condition

from . import messages
from .config import Reference

ACTIVE: Final = "Active"
BAD_REFERENCE: Final = "BadParametersRef"
Moved = Callable[[Json | None, Condition], bool]
"""Whether a condition is written, given the one that is there."""


Problem = Callable[[str, Json | None], str]
"""What is wrong with a configuration of this name, None where there is none; empty: nothing."""


def condition_of(check: Json, found: Callable[[str], Json | None], problem_of: Problem) -> Condition:
    """Say whether a check can be answered; `found` knows the configurations."""
    reference = Reference.of(check)
    problem = reference.problem or problem_of(reference.name, found(reference.name))
    if problem:
        return Condition(ACTIVE, False, BAD_REFERENCE, problem)
    return Condition(ACTIVE, True, ACTIVE, messages.ACTIVE)


def decide(
    check: Json, found: Callable[[str], Json | None], now: float, problem_of: Problem, moved: Moved
) -> Json | None:
    """Return the status to write, None when it is right as it is."""
    wanted = condition_of(check, found, problem_of)
    status = check.get("status") or {}
    present = status.get("conditions") or ()
    if not moved(c.find(present, ACTIVE), wanted):
        return None
    return {**status, "conditions": c.put(present, wanted, check["metadata"].get("generation"), now)}


def when_it_flips(found: Json | None, wanted: Condition) -> bool:
    """Write it only when its status changes: another failure leaves the first one's text (PA-027)."""
    return found is None or found["status"] != ("True" if wanted.status else "False")


def when_it_differs(found: Json | None, wanted: Condition) -> bool:
    """Write it whenever it says something else (PA-027, fixed)."""
    said = None if found is None else (found["status"], found["reason"], found["message"])
    return said != ("True" if wanted.status else "False", wanted.reason, wanted.message)


def is_missing(name: str, config: Json | None) -> str:
    """Take any configuration that is there, also one that says nothing (PA-025, PC-23)."""
    return messages.not_found(messages.CONFIG_KIND, name) if config is None else ""


def is_missing_or_empty(name: str, config: Json | None) -> str:
    """Take no configuration of which no request can be made (PC-23, fixed)."""
    if config is not None and not (config.get("spec") or {}).get("provisioningClassName"):
        return messages.without_class(name)
    return is_missing(name, config)
