"""A story that is run on a program, and what a run of it has shown."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self

from ..history.story import Change
from .perturbation import Perturbation, PerturbationKind
from .state_changes import StateChanges

END_STATE = "end-state"
DEATH = "ends-of-itself"
SILENCE = "silence"
UNREST = "unrest"
"""The causes that are no safety rule: a state that is not allowed, a program that ended, one that answers
nothing any more, one that works on while nothing happens.
"""


class StoryAct(Protocol):
    """An act of a story; its text is the line of a file."""

    @property
    def verb(self) -> str:
        """What it does."""

    @property
    def form(self) -> str:
        """Its verb, and its word where it has one, such as `decide Retry`."""


class Story(Protocol):
    """Acts in order, which can be made fewer."""

    program: ClassVar[str]
    """What it is run on, in words: `controller` or `control plane`."""
    kinds: ClassVar[Sequence[PerturbationKind]]
    """What can interrupt it."""

    @property
    def acts(self) -> Sequence[StoryAct]:
        """The acts."""

    def is_wait(self, number: int) -> bool:
        """Tell whether the act of this number, from 1, only waits."""

    def as_fields(self) -> Mapping[str, Any]:
        """Return it as fields of a file."""

    def without(self, numbers: Collection[int]) -> Self | None:
        """Return it without the acts of these numbers; None where the rest cannot follow one another."""

    def groups(self) -> Iterator[Collection[int]]:
        """Yield numbers of acts that are left out together, those on one object."""

    def simplify(self) -> Iterator[Self]:
        """Yield stories with the same acts that are simpler otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Breach:
    """What was not allowed: the rule, or one of the causes above, and the text for a person."""

    cause: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunResult:
    """What a run has shown: the breach, if any; the requests of the program that were worth an interruption,
    behind each act; whether the perturbation was met; and why nothing can be said, if so.
    """

    breach: Breach | None = None
    writes: tuple[int, ...] = ()
    was_met: bool = True
    undetermined: str = ""
    changes: Sequence[Change] = field(default=(), compare=False, repr=False)
    """What was written in a run of a control plane with a breach."""
    changes_of_state: StateChanges = field(default_factory=StateChanges, compare=False, repr=False)
    """What the run has shown."""


class RunStory(Protocol):
    """Runs a story once; what is not `patient` ends sooner where something is missing."""

    def __call__(self, story: Any, perturbation: Perturbation | None, *, patient: bool = True) -> RunResult:
        """Run it."""
