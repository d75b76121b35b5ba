"""A scenario: one test with a permanent id that shows
requirements of the documents (design.md §2, harness §10.3).
"""

from __future__ import annotations

import fnmatch
import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, TypeVar

from .capability import FAMILIES, Capability, Profile
from .cases import NEWEST, ONE_CASE, Cases, Parameters, version_of
from .dialect import Dialect
from .feature_gates import check_gate_names
from .outcome import Level

Test = TypeVar("Test", bound=Callable[..., None])
_ID = re.compile(r"[A-Z]{3}-\d{3}")
_TYPED = re.compile(r"([A-Za-z]{3})-(\d{1,3})(?:\.[A-Za-z])?")
_ROW = re.compile(r"(?!kep-)[A-Za-z]{1,4}-[\d.*?\[\]-]+", re.IGNORECASE)
_SAID: Mapping[Capability, str] = MappingProxyType(
    {
        Capability.READY: "ready",
        Capability.RETRY: "retry",
        Capability.REJECTED: "rejected",
        Capability.RETRY_DELAY: "requeueAfterSeconds",
        Capability.POD_SET_UPDATES: "podSetUpdates",
    }
)
"""The driver that a capability needs to be observed."""
_NO_CLAUSES: Mapping[str, str] = MappingProxyType({})
_NO_EVIDENCE: Mapping[str, tuple[str, ...]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """The record of a scenario, readable without running anything."""

    id: str
    title: str
    requirement: tuple[str, ...]
    shows: tuple[str, ...]
    """Rows of the fact pages, such as SC-204 and AC-287: references, never ids of ours."""
    level: Level = Level.MUST
    revision: int = 1
    capabilities: tuple[Capability, ...] = ()
    drivers: tuple[str, ...] = ()
    """Drivers that it needs beside Ready and the states of the capabilities: a state, a detail, or `asks`."""
    needs: tuple[str, ...] = ()
    """Features of a backend or control plane without which the scenario is unsupported."""
    gates: frozenset[str] = frozenset()
    """Feature gates without which the rule does not hold: unsupported where a release has one, off."""
    without_gates: frozenset[str] = frozenset()
    """Feature gates with which the rule does not hold: unsupported where one is on."""
    unsupported: str = ""
    """The feature that no backend has yet; the scenario is listed and never run."""
    since: str = ""
    until: str = ""
    only: tuple[str, ...] = ()
    """Names of the only dialects in which the rule holds; empty for all between since and until."""
    also: tuple[str, ...] = ()
    """Names of dialects outside the order in which a bounded rule holds as well."""
    serial: bool = False
    large: bool = False
    """Takes many seconds by its size: played where it is named, not with its profile."""
    permits: tuple[str, ...] = ()
    """Safety rules that a release breaks in this situation:
    its clauses say what is taken, and the rules are not judged.
    """
    clauses: Mapping[str, str] = field(default_factory=lambda: _NO_CLAUSES)
    survival: str = ""
    """The clause that a subject breaks by ending of itself in the middle of a case; empty where that is an
    error, and nothing is judged.
    """
    cases: Cases = ONE_CASE
    evidence: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_EVIDENCE)
    """Where cases show single rows: which do, by row. Choosing such a row chooses them alone."""
    case_needs: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: _NO_EVIDENCE)
    """What single cases need besides `needs`, by the first parameter of the case."""

    @property
    def profile(self) -> Profile:
        """The profile that the family stands for."""
        return FAMILIES[self.id.partition("-")[0]]

    def needs_of(self, case: Parameters) -> tuple[str, ...]:
        """Return the needs of a case: an older API version needs a conversion webhook."""
        older = version_of(case) != NEWEST and "webhooks" not in self.needs
        own = self.case_needs.get(str(case.get(self.cases.names[0])), ()) if self.case_needs else ()
        return (*self.profile.needs, *self.needs, *own, *(("webhooks",) if older else ()))

    @property
    def required_drivers(self) -> tuple[str, ...]:
        """Return every driver without which it cannot be run: those of the capabilities first."""
        drivers_of_capabilities = [
            _SAID[capability] for capability in self.capabilities if capability in _SAID
        ]
        return tuple(dict.fromkeys([*drivers_of_capabilities, *self.drivers]))

    @property
    def words(self) -> tuple[str, ...]:
        """The names by which the scenario can be selected:
        its id, its requirements, the rows that it shows.
        """
        return (self.id, *self.requirement, *self.shows)

    def matches(self, patterns: Iterable[str]) -> bool:
        """Tell whether one of the ids, globs, rows or requirements means this scenario (harness/H-46)."""
        return any(fnmatch.fnmatchcase(word, pattern) for pattern in patterns for word in self.words)

    def match_cases(self, patterns: Sequence[str]) -> Cases:
        """Return the cases that the patterns mean: all, unless only rows were named that some cases show."""
        words_of_scenario = [word for word in self.words if word not in self.evidence]
        if not patterns or any(
            fnmatch.fnmatchcase(word, pattern) for word in words_of_scenario for pattern in patterns
        ):
            return self.cases
        meant = {
            case
            for row, cases in self.evidence.items()
            for case in cases
            if any(fnmatch.fnmatchcase(row, pattern) for pattern in patterns)
        }
        return Cases(
            self.cases.names, tuple(row for row in self.cases.rows if not self.evidence or row[0] in meant)
        )

    def holds_in(self, dialect: Dialect) -> bool:
        """Tell whether the rule exists in a dialect."""
        if dialect.family != self.profile.speaks:
            return False
        if self.only:
            return dialect.name in self.only
        return dialect.name in self.also or dialect.holds(self.since, self.until)

    def unmet_gate(self, dialect: Dialect) -> str:
        """Return which feature gate of a control plane keeps the rule from holding; empty for none."""
        if gate := dialect.disabled_gate(self.gates):
            return f"needs feature gate {gate}, which is off"
        if gate := dialect.enabled_gate(self.without_gates):
            return f"needs feature gate {gate} off, which is on"
        return ""

    def to_dict(self) -> dict[str, Any]:
        """Return the record as plain data, as `list --format json` prints it."""
        return {
            "id": self.id,
            "revision": self.revision,
            "title": self.title,
            "profile": self.profile.name,
            "requirement": list(self.requirement),
            "shows": list(self.shows),
            "level": str(self.level),
            "capabilities": [str(capability) for capability in self.capabilities],
            "needsDrivers": list(self.required_drivers),
            "needs": [*self.profile.needs, *self.needs],
            "gates": sorted(self.gates),
            "withoutGates": sorted(self.without_gates),
            "unsupported": self.unsupported,
            "dialect": {
                "since": self.since,
                "until": self.until,
                "only": list(self.only),
                "also": list(self.also),
            },
            "serial": self.serial,
            "large": self.large,
            "clauses": [{"id": f"{self.id}.{key}", "text": text} for key, text in self.clauses.items()],
            "cases": len(self.cases.rows),
        }


def scenario(
    id: str,  # noqa: A002 - the field's word
    title: str,
    *,
    requirement: str | Sequence[str],
    shows: str = "",
    **fields: Any,
) -> Callable[[Test], Test]:
    """Mark a test as a scenario; `requirement` and `shows`
    name its rules, `fields` are those of `Scenario`.

    Raises ValueError for an id that is none, UsageError for a feature gate that no release has.
    """
    if not _ID.fullmatch(id) or id.partition("-")[0] not in FAMILIES:
        raise ValueError(
            f"scenario id {id!r} is not <FAMILY>-<3 digits> with a family of {', '.join(FAMILIES)}"
        )
    gates = {name: frozenset(fields.get(name, ())) for name in ("gates", "without_gates")}
    for names in gates.values():
        check_gate_names(names)
    record = Scenario(
        id=id,
        title=title,
        requirement=(requirement,) if isinstance(requirement, str) else tuple(requirement),
        shows=tuple(shows.split()),
        **{
            **fields,
            **gates,
            "level": Level(fields.get("level", Level.MUST)),
            "capabilities": (*FAMILIES[id.partition("-")[0]].capabilities, *fields.get("capabilities", ())),
        },
    )

    def mark(test: Test) -> Test:
        import pytest

        marked: Test = pytest.mark.scenario(record)(test)
        return marked

    return mark


def normal(pattern: str) -> str:
    """Return an id, a clause, a row or a glob as the suite writes it:
    `chk-14` and `CHK-014.b` are CHK-014.
    """
    typed = _TYPED.fullmatch(pattern)
    if typed and typed[1].upper() in FAMILIES:
        return f"{typed[1].upper()}-{int(typed[2]):03}"
    return pattern.upper() if _ROW.fullmatch(pattern) else pattern


def inventory_digest(scenarios: Iterable[Scenario]) -> str:
    """Return the hash over (id, revision) of every scenario,
    which tells two versions of the suite apart (harness/H-27).
    """
    text = "\n".join(
        sorted({f"{scenario_record.id} {scenario_record.revision}" for scenario_record in scenarios})
    )
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
