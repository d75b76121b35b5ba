"""Three columns for each capability: declared, exercised by scenarios,
observed in what the subject wrote (harness/H-08, H-09).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...rules.check_controller.abilities import ABILITIES
from ...scenarios.capability import Capability
from ...scenarios.outcome import Outcome
from ...scenarios.scenario import Scenario

SHOWN, CLAIMED, UNCLAIMED, NOTHING, FAILED = (
    "shown",
    "claimed-not-shown",
    "observed-not-claimed",
    "not-claimed",
    "failed",
)
MISMATCHES = (CLAIMED, UNCLAIMED)
_LEFT_OUT = (Outcome.EXCLUDED, Outcome.DISABLED, Outcome.NOTRUN)
_NOT_RUN = (*_LEFT_OUT, Outcome.UNSUPPORTED)
_BAD = (Outcome.FAILED, Outcome.ERROR, Outcome.XFAILED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ability:
    """One row: `declared` and `observed` are None where nothing was declared, or nothing can be observed."""

    name: str
    declared: bool | None
    exercised: int
    observed: bool | None
    state: str
    why: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return the report's form."""
        return {
            "name": self.name,
            "declared": self.declared,
            "exercised": self.exercised,
            "observed": self.observed,
            "state": self.state,
            **({"why": self.why} if self.why else {}),
        }


def abilities(
    outcomes: Mapping[str, Outcome],
    records: Mapping[str, Scenario],
    declared: Iterable[str] | None,
    observed: Iterable[str] | None,
    hidden: Collection[str] = (),
) -> tuple[Ability, ...]:
    """Return a row for each capability, from the outcomes of a profile's scenarios by id.

    Where the authors of writes are not known, nothing can be `observed`. `hidden` are capabilities that no
    request of this subject to the API server shows, such as Cleanup where its work is not in the cluster.
    """
    claims = None if declared is None else set(declared)
    shown = {} if observed is None else {name: name in set(observed) for name in ABILITIES}
    return tuple(
        _row(
            capability,
            _of(capability, outcomes, records),
            claims,
            None if capability in hidden else shown.get(capability),
        )
        for capability in Capability
    )


def _of(
    capability: Capability, outcomes: Mapping[str, Outcome], records: Mapping[str, Scenario]
) -> dict[str, Outcome]:
    return {
        name: outcome
        for name, outcome in outcomes.items()
        if name in records and capability in records[name].capabilities
    }


def _row(
    capability: Capability,
    outcomes: Mapping[str, Outcome],
    claims: set[str] | None,
    observed: bool | None,
) -> Ability:
    declared = None if claims is None else capability in claims
    state, why = _state(declared, observed, outcomes)
    return Ability(
        name=str(capability),
        declared=declared,
        exercised=sum(outcome not in _NOT_RUN for outcome in outcomes.values()),
        observed=observed,
        state=state,
        why=why,
    )


def _state(declared: bool | None, observed: bool | None, outcomes: Mapping[str, Outcome]) -> tuple[str, str]:
    ran = [outcome for outcome in outcomes.values() if outcome not in _NOT_RUN]
    left_out = sorted(name for name, outcome in outcomes.items() if outcome in _LEFT_OUT)
    bad = sorted(name for name, outcome in outcomes.items() if outcome in _BAD)
    if declared is False:
        return (UNCLAIMED, "the subject did it") if observed else (NOTHING, "")
    if declared and left_out:
        return CLAIMED, f"left out: {', '.join(left_out)}"
    if bad:
        return FAILED, f"did not pass: {', '.join(bad)}"
    if declared and not ran:
        return CLAIMED, "no scenario of it ran"
    if declared and observed is False:
        return CLAIMED, "nothing of it was seen"
    return (SHOWN, "") if observed or ran else (NOTHING, "")


def mismatches(rows: Iterable[Ability]) -> list[str]:
    """Return the lines for the terminal: declared capabilities that were not observed, and observed ones that
    were not declared.
    """
    return [f"capability {row.name}: {row.state} ({row.why})" for row in rows if row.state in MISMATCHES]
