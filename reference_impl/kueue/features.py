"""Feature gates as a release of Kueue has them: stages, defaults, locks, dependencies (Q-483, KV-25, KV-26).

`feature_gates.json` holds the points at which a gate changed: release, stage, default, whether it is locked;
a release alone is its removal. A point of a patch holds in its own line, one of a first release in all later
lines. Beside them it holds which gates must be on for another.
"""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final, NamedTuple, cast

import msgspec

from ..api.known_releases import DEFAULT, NAMED
from ..api.releases import LINE_PARTS, Version, has_change, parse_version
from ..runtime.metrics import Metric, Registry

IMPLEMENTED: Final[Mapping[str, bool]] = MappingProxyType(
    {
        "AdmissionFairSharingAnchorAtQuotaReservation": False,
        "CleanupProvisioningRequestsOnEviction": True,
        "DisableWaitForPodsReady": False,
        "EnforceProvisioningPodTemplateContents": False,
        "FinishOrphanedWorkloads": True,
        "ManagedJobsNamespaceSelectorAlwaysRespected": False,
        "PartialAdmission": True,
        "ProvisioningACC": True,
        "RecomputeAssignmentUponPreemptionTargetsOverlap": False,
        "RejectUpdatesToCQWithInvalidOnFlavors": False,
        "SchedulingEquivalenceHashingIgnorePodSetName": False,
        "TASValidateWorkloadSliceSize": False,
        "UnadmittedWorkloadsObservability": False,
        "VisibilityAdmittedWorkloads": False,
        "VisibilityOnDemand": True,
        "WorkloadLevelWaitForPodsReady": False,
        "WorkloadPriorityClassDefaulting": False,
        "WorkloadValidateUniquePodSetUpdates": False,
    }
)
"""Gates that change something here, and what they are in a dialect whose release has no such gate."""
ABSENT: Final = frozenset({"TopologyAwareScheduling"})
"""Gates that releases have on, and that are off here (Q-484)."""
OWN: Final = frozenset({"ProvisioningACC", "VisibilityAdmittedWorkloads"})
"""Gates that are accepted in every dialect: later releases have dropped the one, no release has the other."""
CHECKED_BY_REGISTRY: Final = ("0.20.0-devel",)
"""Since when dependencies are checked as the registry of gates does it (KV-26)."""


METRIC: Final = Metric(
    "kubernetes_feature_enabled",
    "gauge",
    ("name", "stage"),
    help="Feature gates with their stage: 1 where one is on, else 0.",
)
"""The gauge of component-base, which no build of Kueue was seen to serve: a judge reads the gates there."""


class FeatureError(ValueError):
    """A feature gate that does not exist, that cannot be set so, or a value that is
    neither true nor false.
    """


class Gate(NamedTuple):
    """A feature gate in one release."""

    stage: str
    default: bool
    is_locked: bool = False


class _Data(msgspec.Struct, frozen=True):
    changes: Mapping[str, list[list[str | bool]]]
    dependencies: Mapping[str, list[str]]


@cache
def _data() -> _Data:
    return msgspec.json.decode(files(__package__).joinpath("feature_gates.json").read_bytes(), type=_Data)


@cache
def gates_of(version: Version) -> Mapping[str, Gate]:
    """Return the feature gates that a release has."""
    found = {name: _gate(changes, version) for name, changes in _data().changes.items()}
    return MappingProxyType({name: gate for name, gate in found.items() if gate is not None})


def _gate(changes: list[list[str | bool]], version: Version) -> Gate | None:
    newest: tuple[Version, list[str | bool]] | None = None
    # A line such as 0.9 stands for its first release.
    release = version if len(version) > LINE_PARTS else (*version, 0)
    for text, *value in changes:
        point = parse_version(cast("str", text))
        is_own_line = point[:LINE_PARTS] == release[:LINE_PARTS]
        is_inherited = point[LINE_PARTS] <= 0
        if point <= release and (is_own_line or is_inherited) and (newest is None or newest[0] <= point):
            newest = point, value
    return None if newest is None or not newest[1] else Gate(*newest[1])  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Features:
    """Which gates are on in a release; those that were not chosen have its defaults."""

    chosen: Mapping[str, bool] = field(default_factory=dict)
    version: Version = NAMED[DEFAULT]

    def __post_init__(self) -> None:
        for name, value in self.chosen.items():
            if not isinstance(value, bool):
                raise FeatureError(f"feature gate {name}: expected true or false, found {value!r}")
            if name not in _data().changes and name not in OWN:
                raise FeatureError(_unrecognized(name, _data().changes))

    def __getitem__(self, name: str) -> bool:
        if name in self.chosen:
            return self.chosen[name]
        gate = gates_of(self.version).get(name)
        return IMPLEMENTED[name] if gate is None else gate.default

    def expose(self, metrics: Registry) -> None:
        """Show the gates of the release, and whether each is on, as metrics."""
        metrics.add((METRIC,))
        for name, gate in gates_of(self.version).items():
            is_on = self[name] if name in IMPLEMENTED else gate.default and name not in ABSENT
            metrics.set(METRIC.name, name, gate.stage, value=float(is_on))

    def check(self) -> None:
        """Raise FeatureError for a choice that the release refuses, or that is not implemented here."""
        gates = gates_of(self.version)
        for name, value in self.chosen.items():
            if name not in OWN:
                _check(name, value, gates)
        for problem in self._unmet_dependencies(gates):
            raise FeatureError(problem)

    def _unmet_dependencies(self, gates: Mapping[str, Gate]) -> Iterator[str]:
        enabled = {name: self.chosen.get(name, gate.default) for name, gate in gates.items()}
        for name, needed in _data().dependencies.items():
            disabled = [other for other in needed if not enabled.get(other, True)]
            if not disabled or not enabled.get(name, False):
                continue
            if has_change(self.version, CHECKED_BY_REGISTRY):
                yield f"{name} is enabled, but depends on features that are disabled: [{' '.join(disabled)}]"
            elif name in self.chosen:
                yield f"{name} requires {disabled[0]} to be enabled"


def parse(text: str) -> Features:
    """Read `A=true,B=false`."""
    chosen = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        name, equals, value = pair.partition("=")
        if not equals or value.lower() not in {"true", "false"}:
            raise FeatureError(f"feature gate {pair!r}: expected NAME=true or NAME=false")
        chosen[name] = value.lower() == "true"
    return Features(chosen)


def _unrecognized(name: str, known: Collection[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near and near[0] != name else f"known: {', '.join(sorted(known))}"
    return f"unrecognized feature gate: {name}; {hint}"


def _check(name: str, value: bool, gates: Mapping[str, Gate]) -> None:
    gate = gates.get(name)
    if gate is None:
        raise FeatureError(_unrecognized(name, gates))
    if gate.is_locked and value != gate.default:
        locked = str(gate.default).lower()
        raise FeatureError(
            f"cannot set feature gate {name} to {str(value).lower()}, feature is locked to {locked}"
        )
    here = gate.default and name not in ABSENT
    if name not in IMPLEMENTED and value != here:
        raise FeatureError(f"feature gate {name} is always {str(here).lower()} here")
