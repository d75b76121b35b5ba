"""A drawn story: its acts, Workloads and checks (pure)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from ...base.errors import UsageError
from ..perturbation import PerturbationKind
from .acts import FOR_ALL, Act, Verb
from .model import are_legal
from .perturbations import KINDS

MOST_WORKLOADS, MOST_CHECKS = 3, 2
OTHER_CONTROLLERS: Mapping[str, Callable[[str], str]] = {
    "longer-controller-name": lambda own: f"{own}-two",
    "controller-name-longer-in-front": lambda own: f"not.{own}",
    "controller-of-the-domain": lambda own: f"{own.partition('/')[0]}/somebody-else",
    "controller-name-in-capitals": str.upper,
}
"""Names of other controllers that resemble that of the controller."""
PLAIN, ALIKE = "another-controller", "check-name-alike"
FOREIGN = (PLAIN, ALIKE, *OTHER_CONTROLLERS)
"""Checks of other controllers, by what is like the controller's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Acts on so many Workloads, which list so many checks of the controller, and checks of others."""

    program: ClassVar[str] = "controller"
    kinds: ClassVar[Sequence[PerturbationKind]] = KINDS
    acts: tuple[Act, ...]
    workloads: int
    checks: int = 1
    foreign_checks: tuple[str, ...] = ()
    namesakes: bool = False
    """Whether the second Workload has the name of the first, in another namespace."""
    pod_sets: bool = False
    """Whether Workloads have several pod sets."""
    drawn_names: bool = False
    """Whether names are as long, and as much alike, as they may be."""

    def is_wait(self, number: int) -> bool:
        """Tell whether an act only waits."""
        return self.acts[number - 1].verb in (Verb.SETTLE, Verb.IDLE)

    @property
    def decides_for_all(self) -> bool:
        """Whether the outside system of its acts is a switch."""
        return any(act.verb in FOR_ALL for act in self.acts)

    @property
    def decides_for_each(self) -> bool:
        """Whether the outside system of its acts decides about a Workload by itself."""
        return any(act.verb in (Verb.DECIDE, Verb.TROUBLE) for act in self.acts)

    def as_fields(self) -> Mapping[str, Any]:
        """Return it as fields of a file."""
        return {
            "workloads": self.workloads,
            "checks": self.checks,
            "foreign-checks": list(self.foreign_checks),
            "namesakes": self.namesakes,
            "pod-sets": self.pod_sets,
            "drawn-names": self.drawn_names,
            "acts": [str(act) for act in self.acts],
        }

    @classmethod
    def of(cls, document: Mapping[str, Any], file: Path) -> Self:
        """Return the story of a file's fields. Raises UsageError."""
        acts = tuple(Act.of(str(line)) for line in document["acts"])
        number, checks = document["workloads"], document["checks"]
        if not _is_number(number, MOST_WORKLOADS) or not _is_number(checks, MOST_CHECKS):
            raise UsageError(
                f"{file}: workloads is {number!r} and checks {checks!r}",
                hint=f"expected 1 to {MOST_WORKLOADS} Workloads and 1 to {MOST_CHECKS} checks",
            )
        if not are_legal(acts, number, checks):
            raise UsageError(
                f"{file}: the acts cannot follow one another on {number} Workload(s)",
                hint="a file of findings is run as it was written: explore again for a new one",
            )
        foreign = document["foreign-checks"]
        if not isinstance(foreign, list) or not set(map(str, foreign)) <= set(FOREIGN):
            raise UsageError(
                f"{file}: foreign-checks is {foreign!r}", hint=f"expected a list of {', '.join(FOREIGN)}"
            )
        return cls(
            acts=acts,
            workloads=number,
            checks=checks,
            foreign_checks=tuple(foreign),
            namesakes=bool(document["namesakes"]) and number > 1,
            pod_sets=bool(document["pod-sets"]),
            drawn_names=bool(document["drawn-names"]),
        )

    def without(self, numbers: Collection[int]) -> Self | None:
        """Return it without some acts; None where the rest is not legal."""
        acts = tuple(act for number, act in enumerate(self.acts, 1) if number not in numbers)
        return replace(self, acts=acts) if are_legal(acts, self.workloads, self.checks) else None

    def groups(self) -> Iterator[Collection[int]]:
        """Yield the numbers of the acts on each Workload, and on each check."""
        for workload in range(1, self.workloads + 1):
            yield {number for number, act in enumerate(self.acts, 1) if act.workload == workload}
        for check in range(1, self.checks + 1):
            yield {
                number
                for number, act in enumerate(self.acts, 1)
                if act.check == check and (check > 1 or not act.workload)
            }

    def simplify(self) -> Iterator[Self]:
        """Yield it without foreign checks, odd names and further checks."""
        simpler: Mapping[str, Any] = {
            "foreign_checks": (),
            "drawn_names": False,
            "pod_sets": False,
            "namesakes": False,
        }
        for field, value in simpler.items():
            if getattr(self, field) != value:
                yield replace(self, **{field: value})
        if self.checks > 1 and are_legal(self.acts, self.workloads, 1):
            yield replace(self, checks=1)


def _is_number(value: Any, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= most
