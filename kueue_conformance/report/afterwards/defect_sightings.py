"""What a real Kueue showed of a known defect, by the report of the run that played its scenario."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.json_types import Json
from ...control_planes.reference.known_defects import KnownDefect
from ...scenarios.outcome import Outcome

_PLAYED = frozenset({Outcome.PASSED, Outcome.FAILED})


@dataclass(frozen=True, slots=True, kw_only=True)
class DefectSightings:
    """The cases of a run on a real Kueue by scenario, and what was played: its release, where that was
    observed, or how it was named.
    """

    kueue: str
    cases: Mapping[str, Sequence[Mapping[str, Any]]]

    @classmethod
    def of_report(cls, report: Json) -> DefectSightings:
        """Return those of a report."""
        version = report["implementation"].get("version")
        kueue = f"Kueue {version}" if version else report["environment"]["controlPlane"]
        return cls(kueue=kueue, cases={scenario["id"]: scenario["cases"] for scenario in report["scenarios"]})

    def shows(self, defect: KnownDefect) -> bool:
        """Tell whether a defect was seen (pure)."""
        return any(map(defect.is_seen_in, self._cases_of(defect)))

    def _cases_of(self, defect: KnownDefect) -> Sequence[Mapping[str, Any]]:
        return [case for case in self.cases.get(defect.scenario, ()) if defect.case in case["test"]]

    def of(self, defect: KnownDefect) -> str:
        """Return whether a defect was seen, and otherwise what was seen in its place or why nothing was
        (pure).
        """
        if not defect.scenario:
            return "no story shows it"
        if self.shows(defect):
            return "yes"
        cases = self._cases_of(defect)
        played = [case for case in cases if case["outcome"] in _PLAYED]
        if not played:
            reasons = dict.fromkeys(f"{case['outcome']}: {case.get('code', '')}" for case in cases)
            return "; ".join(reasons) or "not played"
        failed = next((case for case in played if case["outcome"] == Outcome.FAILED), None)
        if failed is not None:
            return f"no: clause {failed.get('clause', '')} of {defect.scenario} fails"
        ways = dict.fromkeys(
            f"{clause}: {way}" for case in played for clause, way in case.get("seen", {}).items()
        )
        return f"no: {'; '.join(ways) or 'neither way was seen'}"
