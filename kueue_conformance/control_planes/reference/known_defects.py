"""The known defects of Kueue: what the reference shows of a release, and the scenario that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...base.resources import load_yaml

if TYPE_CHECKING:
    from reference_impl.kueue.defects.defect import Defect


_BETWEEN_DEFECTS = frozenset({"hidden-by", "mended-with"})
"""Fields of a row that name another defect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownDefect:
    """A defect of a release, and its story."""

    id: str
    finding: str
    expected: str
    fixed_in: Sequence[str]
    """The first release of each line that has the fix; empty while it is open."""
    report: Sequence[int]
    """Numbers of issues and pull requests of kubernetes-sigs/kueue."""
    look: str = ""
    """Where it is to be seen, when no story shows it."""
    scenario: str = ""
    case: str = ""
    """The words of the case that shows it; empty where the first one that shows it will do."""
    seen: Mapping[str, str] = field(default_factory=dict)
    """What the scenario sees of it, by clause."""
    corrected: Mapping[str, str] = field(default_factory=dict)
    """What it sees where the defect is mended."""

    def is_seen_in(self, case: Mapping[str, Any]) -> bool:
        """Tell whether a case of a report shows it."""
        seen = case.get("seen", {})
        return self.case in case["test"] and all(seen.get(clause) == way for clause, way in self.seen.items())


def known_defects(dialect: str) -> list[KnownDefect]:
    """Return the defects that a dialect of Kueue has, the open ones first."""
    from reference_impl.kueue.defects import defects_of

    rows, shown = load_yaml("defects.yaml"), defects_of(dialect)
    ids = {defect.id for defect in shown}
    return [
        _of_row(defect, rows[defect.id])
        for defect in shown
        if rows[defect.id].get("hidden-by", defect.id) in ids
    ]


def _of_row(defect: Defect, row: Mapping[str, Any]) -> KnownDefect:
    return KnownDefect(
        id=defect.id,
        finding=defect.finding,
        fixed_in=defect.fixed_in,
        report=defect.report,
        **{key: value for key, value in row.items() if key not in _BETWEEN_DEFECTS},
    )
