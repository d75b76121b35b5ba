"""A story of jobs: its acts, and the queues in which they wait (pure)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from ...base.errors import UsageError
from ..interruptions import KINDS, STILL
from ..perturbation import PerturbationKind
from .acts import Act, Verb

MOST_JOBS, MOST_CHECKS, MOST_FLAVORS = 3, 2, 2
_CREATES = (Verb.SUBMIT, Verb.RECREATE)
_OPTIONAL = ("to", "cpu", "class", "runs", "update")
"""Options without which an act is simpler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Acts in order, on jobs of two queues: the first has so many checks and flavors, the second has no
    check and one flavor. Each act can follow each: what cannot be done is left undone.
    """

    program: ClassVar[str] = "job integration"
    kinds: ClassVar[Sequence[PerturbationKind]] = KINDS
    acts: tuple[Act, ...]
    checks: int = 0
    flavors: int = 1
    drawn_names: bool = False
    """Whether names are as long, and as much alike, as they may be."""

    @property
    def jobs(self) -> Sequence[str]:
        """The jobs that it is about, such as `j1`."""
        return sorted({act.name for act in self.acts if act.name.startswith("j")})

    def is_wait(self, number: int) -> bool:
        """Tell whether an act only waits."""
        return self.acts[number - 1].verb in STILL

    def as_fields(self) -> Mapping[str, Any]:
        """Return it as fields of a file."""
        return {
            "integration-checks": self.checks,
            "flavors": self.flavors,
            "drawn-names": self.drawn_names,
            "acts": [str(act) for act in self.acts],
        }

    @classmethod
    def of(cls, document: Mapping[str, Any], file: Path) -> Self:
        """Return the story of a file's fields. Raises UsageError."""
        acts = tuple(Act.of(str(line)) for line in document["acts"])
        checks, flavors = document["integration-checks"], document["flavors"]
        if not _is_number(checks, 0, MOST_CHECKS) or not _is_number(flavors, 1, MOST_FLAVORS):
            raise UsageError(
                f"{file}: integration-checks is {checks!r} and flavors {flavors!r}",
                hint=f"expected 0 to {MOST_CHECKS} checks and 1 to {MOST_FLAVORS} flavors",
            )
        if not acts:
            raise UsageError(f"{file} has no acts", hint="name a file of a folder of findings")
        return cls(acts=acts, checks=checks, flavors=flavors, drawn_names=bool(document["drawn-names"]))

    def without(self, numbers: Collection[int]) -> Self | None:
        """Return it without some acts; None where nothing is left."""
        acts = tuple(act for number, act in enumerate(self.acts, 1) if number not in numbers)
        return replace(self, acts=acts) if any(act.verb in _CREATES for act in acts) else None

    def groups(self) -> Iterator[Collection[int]]:
        """Yield the numbers of the acts on each job, and on each queue."""
        for name in sorted({act.name for act in self.acts} - {""}):
            yield {number for number, act in enumerate(self.acts, 1) if act.name == name}

    def simplify(self) -> Iterator[Self]:
        """Yield it with fewer checks and flavors, and with one option of one act less."""
        if self.drawn_names:
            yield replace(self, drawn_names=False)
        if self.checks:
            yield replace(self, checks=self.checks - 1)
        if self.flavors > 1:
            yield replace(self, flavors=1)
        for place, act in enumerate(self.acts):
            for option in act.options:
                simpler = replace(act, options=tuple(other for other in act.options if other != option))
                if option[0] in _OPTIONAL:
                    yield replace(self, acts=(*self.acts[:place], simpler, *self.acts[place + 1 :]))


def _is_number(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
