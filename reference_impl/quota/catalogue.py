"""What the scheduler knows of ClusterQueues, flavors and checks, and why a ClusterQueue is not active (Q-145, AC-410…421)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ..api.resource import Json
from .cluster_queue import ClusterQueueSpec


class Problem(NamedTuple):
    """One reason why a ClusterQueue cannot admit, with its part of the message."""

    reason: str
    text: str


class Catalogue:
    """The objects that decide whether and where a Workload may run, by name."""

    def __init__(self) -> None:
        self.cluster_queues: dict[str, ClusterQueueSpec] = {}
        self.flavors: dict[str, Json] = {}
        self.checks: dict[str, bool] = {}
        """Whether each AdmissionCheck is active; a terminating one keeps its last answer (AC-402)."""
        self.namespaces: dict[str, Mapping[str, str]] = {}

    def problems(self, name: str) -> tuple[Problem, ...]:
        """Why a known ClusterQueue cannot admit, in the order of the catalogue of messages (M-004…M-007)."""
        spec = self.cluster_queues[name]
        used = {rule.name for rule in spec.checks}
        return tuple(
            Problem(reason, text + names)
            for reason, text, names in (
                ("Stopped", "is stopped", "" if spec.stopped else None),
                ("FlavorNotFound", "references missing ResourceFlavor(s): ", _missing(spec.groups.flavors, self.flavors)),
                ("AdmissionCheckNotFound", "references missing AdmissionCheck(s): ", _missing(used, self.checks)),
                (
                    "AdmissionCheckInactive",
                    "references inactive AdmissionCheck(s): ",
                    _joined(check for check in used if self.checks.get(check) is False),
                ),
            )
            if names is not None
        )  # fmt: skip

    def is_active(self, name: str) -> bool:
        """Tell whether Workloads of a ClusterQueue are scheduled at all (Q-039)."""
        spec = self.cluster_queues.get(name)
        return spec is not None and not spec.deleting and not self.problems(name)

    def using_flavor(self, flavor: str) -> tuple[str, ...]:
        """Name the ClusterQueues that reference a flavor."""
        return tuple(name for name, spec in self.cluster_queues.items() if flavor in spec.groups.flavors)

    def using_check(self, check: str) -> tuple[str, ...]:
        """Name the ClusterQueues that reference a check."""
        return tuple(
            name
            for name, spec in self.cluster_queues.items()
            if any(rule.name == check for rule in spec.checks)
        )


def _missing(used: Iterable[str], known: Mapping[str, object]) -> str | None:
    return _joined(name for name in used if name not in known)


def _joined(names: Iterable[str]) -> str | None:
    return ",".join(sorted(names)) or None
