"""Which flavors were considered on the way to a reservation, as the event tells it (§11.2, Q-175)."""

from __future__ import annotations

from collections.abc import Iterable

from .assignment import Assignment, FlavorAttempt
from .granular_mode import PreemptionMode

_SIMULATED = {
    PreemptionMode.NO_PREEMPTION_CANDIDATES: "NoCandidates",
    PreemptionMode.PREEMPT: "Preempt",
    PreemptionMode.RECLAIM: "Reclaim",
}


def describe_flavors(assignment: Assignment) -> str:
    """Render every attempt that was not simply a fit, empty when there is none."""
    attempts_by_pod_set = (
        (pod_set.requests.name, _describe(pod_set.attempts)) for pod_set in assignment.pod_sets
    )
    return " | ".join(f"{name}: {attempts}" for name, attempts in attempts_by_pod_set if attempts)


def omit_flavors(_assignment: Assignment) -> str:
    """Tell nothing of them, as releases before v0.15 do."""
    return ""


def _describe(attempts: Iterable[FlavorAttempt]) -> str:
    """Describe each flavor once: it is in one resource group, which is searched once."""
    # Go collects them in a map and sorts the keys, so that the event is the same each
    # time.
    by_flavor = sorted(attempts, key=lambda attempt: attempt.flavor)
    return ", ".join(_render(attempt) for attempt in by_flavor if _is_news(attempt))


def _is_news(attempt: FlavorAttempt) -> bool:
    return attempt.granular_mode.mode is not PreemptionMode.FIT or attempt.granular_mode.borrowing_level > 0


def _render(attempt: FlavorAttempt) -> str:
    mode, level = attempt.granular_mode
    simulated = _SIMULATED.get(mode)
    terms = [f"preemptionMode={simulated}" if simulated else "Fit" if mode is PreemptionMode.FIT else "NoFit"]
    terms += [f"borrow={level}"] if level else []
    return f"{attempt.flavor}({';'.join([*terms, *sorted(attempt.reasons)])})"
