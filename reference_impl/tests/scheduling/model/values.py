"""What the model knows of Workloads and queues."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from reference_impl.kueue.quota.resources import FlavorResource as Pair

NO_FIT, NO_CANDIDATES, PREEMPT, RECLAIM, FIT = range(5)
Quotas = Mapping[Pair, tuple[int, int | None, int | None]]
Usage = Mapping[Pair, int]
Stops = dict[tuple[str, str], int]


@dataclass(frozen=True)
class Set:
    """A pod set: what one pod asks for, how many there are, and how few may be."""

    name: str
    each: Mapping[str, int]
    count: int
    least: int


@dataclass(frozen=True)
class Wish:
    """A Workload, pending or holding quota."""

    name: str
    uid: str
    queue: str
    priority: int
    created: float
    sets: tuple[Set, ...]
    usage: Usage = field(default_factory=dict)
    given: tuple[tuple[str, int, Mapping[str, str]], ...] = ()
    """Name, count and flavors of each pod set that got quota."""
    since: float = 0
    evicted: str = ""

    @property
    def rank(self) -> tuple[int, float, str]:
        return -self.priority, self.created, self.uid


@dataclass(frozen=True)
class Queue:
    """A ClusterQueue."""

    flavors: Sequence[str]
    resources: Sequence[str]
    strict: bool = False
    within: str = "Never"
    reclaim: str = "Never"
    borrows: bool = False
    threshold: int | None = None
    next_to_borrow: bool = False
    next_to_preempt: bool = True
    sparing: bool = False


@dataclass(frozen=True)
class Plan:
    """An assignment with its targets."""

    wish: Wish
    modes: tuple[int, ...]
    level: int
    usage: Usage
    short: frozenset[Pair]
    given: tuple[tuple[str, int, Mapping[str, str]], ...]
    message: str
    stops: Stops
    targets: tuple[tuple[Wish, str], ...] = ()

    @property
    def mode(self) -> int:
        return min(self.modes, default=FIT)

    @property
    def viable(self) -> bool:
        return self.mode == FIT or bool(self.targets)
