"""Compares two reports: every case whose outcome, conditions or Events differ, and whether subject or control
plane is to blame (harness/H-30, N-13).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...base.json_types import Json
from ..evidence import Folder, read, sound
from ..story import normalised_story
from .check import load
from .stamps import PLACES

API_VERSION, KIND = "kueue-conformance.dev/v1", "ReportDifference"
_GOOD = ("passed", "xpassed")
_BAD = ("failed", "xfailed", "flaky")
ISOLATED = "scripted"
"""The control plane without behaviour of its own, so that only the subject can be at fault."""


@dataclass(frozen=True, slots=True)
class ComparedReport:
    """One of the two reports."""

    path: Path
    report: Json

    @classmethod
    def of(cls, path: str) -> ComparedReport:
        """Read a report. Raises UsageError."""
        return cls(Path(path), load(path))

    @property
    def name(self) -> str:
        """A short description."""
        environment = self.report["environment"]
        return f"{self.report['implementation'].get('subject', '')} on {environment['backend']}, control plane {environment['controlPlane']}"

    @property
    def control_plane(self) -> str:
        """The control plane."""
        return str(self.report["environment"]["controlPlane"])

    @property
    def server(self) -> str:
        """The server, as docs/differences.md names it."""
        backend = str(self.report["environment"]["backend"])
        return PLACES.get(backend, backend)

    @property
    def ids_with_results(self) -> Sequence[str]:
        """The scenarios with results."""
        return [
            scenario["id"] for scenario in self.report["scenarios"] if scenario["outcome"] != "unsupported"
        ]

    def cases(self, *, any_dialect: bool) -> Mapping[tuple[str, str], Json]:
        """Return the cases by scenario and name; with `any_dialect` the name leaves out which it was."""
        return {
            (scenario["id"], _name(case, any_dialect=any_dialect)): case
            for scenario in self.report["scenarios"]
            for case in scenario["cases"]
        }

    def evidence(self, case: Json) -> Path | None:
        """Return the file with a case's story, if there is one."""
        # Through Folder, which refuses a name that leads out of it: a report may come from
        # anyone.
        files = [Folder(self.path.parent).file(name) for name in case.get("evidence", ())]
        return next((file for file in files if file.is_file()), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One thing that differs in one case."""

    scenario: str
    case: str
    aspect: str
    a: Any
    b: Any
    blame: str = ""

    @property
    def of_the_story(self) -> bool:
        """Whether it is about the story, not the outcome."""
        return self.aspect.startswith(("conditions of ", "events of "))

    def to_dict(self) -> dict[str, Any]:
        """Return its form in the JSON output."""
        fields = {"scenario": self.scenario, "case": self.case, "what": self.aspect, "a": self.a, "b": self.b}
        return {**fields, **({"blame": self.blame} if self.blame else {})}

    def line(self) -> str:
        """Return it as one line."""
        blame = f"  → {self.blame}" if self.blame else ""
        return f"{self.scenario}  {self.case}  {self.aspect}: {describe_side(self.a)} | {describe_side(self.b)}{blame}"


def compare(a: ComparedReport, b: ComparedReport) -> list[Difference]:
    """Return every difference, in order of scenarios and cases."""
    # Two runs of one dialect each are compared across the dialects; otherwise no case would have
    # a partner.
    any_dialect = _one_dialect(a) != _one_dialect(b) and bool(_one_dialect(a) and _one_dialect(b))
    cases_a, cases_b = a.cases(any_dialect=any_dialect), b.cases(any_dialect=any_dialect)
    differences: list[Difference] = []
    for key in sorted({*cases_a, *cases_b}):
        differences += _of_case(key, a, cases_a.get(key), b, cases_b.get(key))
    return differences


def document(a: ComparedReport, b: ComparedReport, differences: Sequence[Difference]) -> Json:
    """Return the differences as the JSON output has them."""
    return {
        "apiVersion": API_VERSION,
        "kind": KIND,
        "a": {"file": str(a.path), "name": a.name},
        "b": {"file": str(b.path), "name": b.name},
        "differences": [difference.to_dict() for difference in differences],
    }


def _of_case(
    key: tuple[str, str], a: ComparedReport, case_a: Json, b: ComparedReport, case_b: Json
) -> Iterator[Difference]:
    scenario, case = key
    if case_a is None or case_b is None:
        yield Difference(
            scenario=scenario, case=case, aspect="presence", a=_presence(case_a), b=_presence(case_b)
        )
        return
    if case_a["outcome"] != case_b["outcome"]:
        blame = _blame(a.control_plane, case_a["outcome"], b.control_plane, case_b["outcome"])
        yield Difference(
            scenario=scenario,
            case=case,
            aspect="outcome",
            a=_presence(case_a),
            b=_presence(case_b),
            blame=blame,
        )
    elif _fingerprint(case_a) != _fingerprint(case_b):
        yield Difference(
            scenario=scenario, case=case, aspect="fingerprint", a=_fingerprint(case_a), b=_fingerprint(case_b)
        )
    # A case that did not run has seen nothing.
    both_ran = "unsupported" not in (case_a["outcome"], case_b["outcome"])
    if both_ran and case_a.get("seen", {}) != case_b.get("seen", {}):
        yield Difference(
            scenario=scenario,
            case=case,
            aspect="permitted behaviour",
            a=case_a.get("seen", {}),
            b=case_b.get("seen", {}),
        )
    yield from _of_story(scenario, case, a.evidence(case_a), b.evidence(case_b))


def _of_story(scenario: str, case: str, file_a: Path | None, file_b: Path | None) -> Iterator[Difference]:
    if file_a is None or file_b is None:
        return
    ours, theirs = _tale(file_a), _tale(file_b)
    for subject in ours:
        a, b = ours[subject], theirs[subject]
        for name in sorted({*a, *b}):
            if a.get(name) != b.get(name):
                yield Difference(
                    scenario=scenario, case=case, aspect=f"{subject} of {name}", a=a.get(name), b=b.get(name)
                )


def _tale(file: Path) -> Mapping[str, Mapping[str, Any]]:
    evidence = read(file)
    with sound(file):
        return {
            "conditions": normalised_story.conditions(evidence),
            "events": normalised_story.events(evidence),
        }


def _blame(plane: str, ours: str, other: str, theirs: str) -> str:
    """Return the culprit when the same subject passes beside one control plane and fails beside another."""
    # Blame needs one good and one bad side, beside two different control planes.
    if plane == other or not ({ours, theirs} & set(_GOOD) and {ours, theirs} & set(_BAD)):
        return ""
    failing = plane if ours in _BAD else other
    if failing == ISOLATED:
        return f"the subject: beside the control plane {ISOLATED} no other controller acts"
    if ISOLATED in (plane, other):
        return f"the control plane {failing}, or the subject together with it"
    return f"the control planes differ: {plane} and {other}"


def _presence(case: Json) -> str:
    """Return the outcome of a case with its fingerprint, such as `failed CHK-010.b`."""
    return "not run" if case is None else " ".join(filter(None, [case["outcome"], _fingerprint(case)]))


def _fingerprint(case: Json) -> str:
    return str(case.get("clause") or case.get("code", ""))


def _one_dialect(side: ComparedReport) -> str:
    dialects = side.report["environment"]["dialects"]
    return str(dialects[0]) if len(dialects) == 1 else ""


def _name(case: Json, *, any_dialect: bool) -> str:
    return (
        str(case["test"]).replace(f"[{case['dialect']}", "[*", 1)
        if any_dialect and case["dialect"]
        else str(case["test"])
    )


def describe_side(value: Any) -> str:
    """Return a side of a difference as one text."""
    if isinstance(value, list):
        return " → ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{key}={item}" for key, item in value.items()) or "none"
    return "none" if value in (None, "") else str(value)
