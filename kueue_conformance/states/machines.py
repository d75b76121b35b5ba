"""The states of a Workload and of a check's entry, and who may lead from one to another (harness/N-12): data
for the drawing.

The words are those of KEP-993: Suspended has no quota, Prechecked has it, Admitted may run, Rejected waits
for a human.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..base.json_types import Json

KUEUE, CONTROLLER, USER = "Kueue", "controller", "user"
NOT_YET = "none"
"""Before an object or an entry is there."""


@dataclass(frozen=True, slots=True)
class Transition:
    """A permitted way from one state to another, and whose step it is."""

    start: str
    end: str
    by: str


@dataclass(frozen=True, slots=True)
class Machine:
    """States with their places on the drawing, and the permitted ways between them."""

    name: str
    states: Mapping[str, tuple[int, int]]
    transitions: tuple[Transition, ...]

    def permits(self, start: str, end: str, *, subject: bool) -> bool:
        """Tell whether a step is permitted; the judged controller may take its own steps only."""
        actors = [
            transition.by
            for transition in self.transitions
            if (transition.start, transition.end) == (start, end)
        ]
        return CONTROLLER in actors if subject else bool(actors)


WORKLOAD = Machine(
    "Workload",
    {
        NOT_YET: (40, 40), "Suspended": (160, 40), "Rejected": (290, 40), "Prechecked": (160, 120), "Evicted": (290, 120),
        "Admitted": (160, 200), "Finished": (290, 200),
    },
    (
        Transition(NOT_YET, "Suspended", USER), Transition("Suspended", "Prechecked", KUEUE), Transition("Suspended", "Admitted", KUEUE),
        Transition("Prechecked", "Admitted", KUEUE), Transition("Prechecked", "Evicted", KUEUE), Transition("Prechecked", "Suspended", KUEUE),
        Transition("Prechecked", "Rejected", KUEUE), Transition("Admitted", "Evicted", KUEUE), Transition("Admitted", "Suspended", KUEUE),
        Transition("Admitted", "Rejected", KUEUE), Transition("Evicted", "Suspended", KUEUE), Transition("Evicted", "Rejected", KUEUE),
        Transition("Suspended", "Rejected", KUEUE), Transition("Suspended", "Rejected", USER), Transition("Rejected", "Suspended", USER),
        Transition("Prechecked", "Evicted", USER), Transition("Admitted", "Evicted", USER), Transition("Admitted", "Finished", KUEUE),
        Transition("Rejected", "Finished", KUEUE), Transition("Evicted", "Finished", KUEUE), Transition("Suspended", "Finished", KUEUE),
    ),
)  # fmt: skip
ENTRY = Machine(
    "check",
    {NOT_YET: (40, 40), "Pending": (160, 40), "Ready": (290, 40), "Retry": (160, 140), "Rejected": (290, 140)},
    (
        Transition(NOT_YET, "Pending", KUEUE), Transition("Pending", "Ready", CONTROLLER), Transition("Pending", "Retry", CONTROLLER),
        Transition("Pending", "Rejected", CONTROLLER), Transition("Ready", "Retry", CONTROLLER), Transition("Ready", "Rejected", CONTROLLER),
        Transition("Retry", "Ready", CONTROLLER), Transition("Retry", "Rejected", CONTROLLER), Transition("Ready", "Pending", KUEUE),
        Transition("Ready", "Pending", CONTROLLER), Transition("Retry", "Pending", KUEUE), Transition("Rejected", "Pending", KUEUE),
        Transition("Pending", NOT_YET, KUEUE), Transition("Ready", NOT_YET, KUEUE), Transition("Retry", NOT_YET, KUEUE),
        Transition("Rejected", NOT_YET, KUEUE),
    ),
)  # fmt: skip


def state_of(workload: Json) -> str:
    """Return the state of a Workload."""
    true = {
        condition["type"]
        for condition in (workload.get("status") or {}).get("conditions") or ()
        if condition["status"] == "True"
    }
    if "Finished" in true:
        return "Finished"
    reserved = "QuotaReserved" in true
    if reserved:
        return "Evicted" if "Evicted" in true else "Admitted" if "Admitted" in true else "Prechecked"
    return "Rejected" if (workload.get("spec") or {}).get("active") is False else "Suspended"


def entries_of(workload: Json) -> dict[str, str]:
    """Return the state of each check's entry."""
    return {
        entry["name"]: entry.get("state", "")
        for entry in (workload.get("status") or {}).get("admissionChecks") or ()
    }
