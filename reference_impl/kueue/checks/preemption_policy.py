"""When the preemptions of a reservation are issued:
`preemptionPolicy` of the AdmissionChecks (AC-442…445, AC-463…468).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from .entries import READY, Checks

ANYTIME: Final = "Anytime"

Policies = Mapping[str, str]
"""The policy of each AdmissionCheck that is there, by its name."""


def delaying(names: frozenset[str], policies: Policies) -> frozenset[str]:
    """Return the checks that preemptions wait for; an AdmissionCheck that is not
    there delays them (AC-488).
    """
    return frozenset(name for name in names if policies.get(name) != ANYTIME)


def may_preempt(checks: Checks, policies: Policies) -> bool:
    """Tell whether preemptions are issued, from what the checks say now: one asks for them, or none delays
    them (AC-443, AC-467).
    """
    waited_for = delaying(checks.names, policies)
    passed = {entry["name"] for entry in checks.in_state(READY)}
    return checks.ask_for_preemption or waited_for <= passed


def at_reservation(_checks: Checks, _policies: Policies) -> bool:
    """Issue them whatever the checks say: the KEP's BookCapacity (AC-446, AC-463)."""
    return True
