"""Configuration of node groups: how many machines there may be, what one is like, and how long it takes
to come (PR-310, PR-311).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Final

from reference_impl.api import quantity
from reference_impl.api.resource import Json

HOSTNAME: Final = "kubernetes.io/hostname"
ZONE: Final = "topology.kubernetes.io/zone"
PLATFORM: Final[Mapping[str, str]] = {"kubernetes.io/arch": "amd64", "kubernetes.io/os": "linux"}
EFFECTS: Final = ("NoSchedule", "PreferNoSchedule", "NoExecute")
# So that the name of a machine, with its number, is one that a label can hold.
LONGEST_ID: Final = 52
_ID: Final = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")


class GroupError(ValueError):
    """A group that cannot be: the text names the field, its value, and what was expected."""


@dataclass(frozen=True, slots=True)
class NodeGroupSpec:
    """One node group. Times are seconds, quantities as Kubernetes writes them. Raises GroupError.

    `target` machines are there from the start, `min` of them without it.
    `allocatable` replaces amounts of the capacity. `startup_taints` stand beside
    the not-ready taint until a Node is ready; templates do not have them.
    """

    id: str
    _: KW_ONLY
    min: int = 0
    max: int = 10
    target: int | None = None
    cpu: str = "4"
    memory: str = "16Gi"
    pods: int = 110
    resources: Mapping[str, str] = field(default_factory=dict)
    """Other resources by name, extended ones or ephemeral-storage."""
    allocatable: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    taints: Sequence[Json] = ()
    startup_taints: Sequence[Json] = ()
    zone: str = ""
    price_per_hour: float = 0.0
    zero_or_max: bool = False
    """All machines or none."""
    atomic: bool = True
    """Whether the cloud knows an increase of all machines or none."""
    autoprovisioned: bool = False
    boot_seconds: float = 60.0
    ready_seconds: float = 5.0
    delete_seconds: float = 0.0
    """For so long a deleted machine is listed as deleting."""

    def __post_init__(self) -> None:
        if not _ID.fullmatch(self.id) or len(self.id) > LONGEST_ID:
            raise _error("id", self.id, f"a DNS label of at most {LONGEST_ID} characters")
        if not 0 <= self.min <= self.max:
            raise _error("min", self.min, f"0 to max, which is {self.max}")
        if not self.min <= self.size <= self.max:
            raise _error("target", self.target, f"{self.min} to {self.max}, min to max")
        for name in ("boot_seconds", "ready_seconds", "delete_seconds", "price_per_hour", "pods"):
            if not 0 <= getattr(self, name) < math.inf:
                raise _error(name, getattr(self, name), "0 or more")
        for name, amounts in (("resources", self.capacity), ("allocatable", self.allocatable)):
            for resource, value in amounts.items():
                _check_quantity(f"{name}.{resource}", value)
        for name in ("taints", "startup_taints"):
            for taint in getattr(self, name):
                if not taint.get("key") or taint.get("effect") not in EFFECTS:
                    raise _error(name, taint, f"a key, and an effect of {', '.join(EFFECTS)}")

    @property
    def size(self) -> int:
        """Return how many machines it has from the start."""
        return self.min if self.target is None else self.target

    @property
    def capacity(self) -> Mapping[str, str]:
        """Return what a machine has."""
        return {"cpu": self.cpu, "memory": self.memory, "pods": str(self.pods), **self.resources}


def _check_quantity(name: str, value: str) -> None:
    try:
        quantity.parse(str(value))
    except ValueError:
        raise _error(name, value, "a quantity such as 500m or 16Gi") from None


def _error(name: str, value: object, expected: str) -> GroupError:
    return GroupError(f"{name} is {value!r}: expected {expected}")
