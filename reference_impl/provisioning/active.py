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


def condition_of(check: Json, exists: Callable[[str], bool]) -> Condition:
    """Say whether a check can be answered; `exists` knows the configurations."""
    reference = Reference.of(check)
    problem = reference.problem
    if not problem and not exists(reference.name):
        problem = messages.not_found(messages.CONFIG_KIND, reference.name)
    if problem:
        return Condition(ACTIVE, False, BAD_REFERENCE, problem)
    return Condition(ACTIVE, True, ACTIVE, messages.ACTIVE)


def decide(check: Json, exists: Callable[[str], bool], now: float, moved: Moved) -> Json | None:
    """Return the status to write, None when it is right as it is."""
    wanted = condition_of(check, exists)
    status = check.get("status") or {}
    present = status.get("conditions") or ()
    found = c.find(present, ACTIVE)
    if not moved(found, wanted):
        return None
    return {**status, "conditions": c.put(present, wanted, check["metadata"].get("generation"), now)}


def when_it_flips(found: Json | None, wanted: Condition) -> bool:
    """Write it only when its status changes: another failure leaves the first one's text (PA-027)."""
    return found is None or found["status"] != ("True" if wanted.status else "False")


def when_it_differs(found: Json | None, wanted: Condition) -> bool:
    """Write it whenever it says something else (PA-027, fixed)."""
    said = None if found is None else (found["status"], found["reason"], found["message"])
    return said != ("True" if wanted.status else "False", wanted.reason, wanted.message)
