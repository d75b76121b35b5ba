"""What can be drawn for a controller, by what its subject file declares."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Self

from ...scenarios.capability import Capability
from ...subject.declaration import Declaration
from .acts import FOR_ALL, NO_DECISION, STATES, Verb

MESSAGE, DELAY, CHANGES = "message", "requeueAfterSeconds", "podSetUpdates"
_CAPABILITIES = {"Ready": Capability.READY, "Retry": Capability.RETRY, "Rejected": Capability.REJECTED}
_OF_PARAMETERS = (Verb.BREAK_CHECK, Verb.MEND_CHECK)
_OF_ONE_WORKLOAD = (Verb.DECIDE, Verb.TROUBLE)
"""Acts of an outside system that decides about each Workload by itself."""
_OF_A_NAME = (Verb.DROP_CHECK, Verb.CREATE_CHECK, Verb.GIVE_CHECK, Verb.TAKE_CHECK)
"""Acts on the name of a check, which the subject file may have given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawingLimits:
    """The verdicts of the outside system, what they say beside their state, and the acts that mean something
    to the controller.
    """

    states: Sequence[str] = STATES
    contents: Collection[str] = frozenset({MESSAGE, DELAY, CHANGES})
    verbs: Collection[Verb] = field(default_factory=lambda: frozenset(Verb))
    decides_for_all: bool = False
    """Whether the outside system is a switch, which decides on every Workload at once."""
    can_be_left_open: bool = True
    """Whether the outside system can have decided nothing yet."""
    has_many_checks: bool = True
    waits_really: bool = False
    """Whether a while takes as long as it says, so that it comes rarely."""
    has_own_pods: bool = False
    """Whether the pods of Workloads are those of the subject file, and cannot be drawn."""

    def allows(self, verb: Verb) -> bool:
        """Tell whether acts of a verb can be drawn."""
        meaningless = _OF_ONE_WORKLOAD if self.decides_for_all else FOR_ALL
        return verb in self.verbs and verb not in meaningless

    @property
    def common_decisions(self) -> Sequence[str]:
        """What a switch can be turned to."""
        return [*self.states, *([NO_DECISION] if self.can_be_left_open else [])]

    @classmethod
    def of(cls, subject: Declaration, *, waits_really: bool) -> Self:
        """Return what a subject file lets be drawn."""
        return cls(
            states=[
                state
                for state, capability in _CAPABILITIES.items()
                if not subject.drivers.lacks([state.lower()]) and not subject.lacks([capability])
            ],
            contents=frozenset(_contents(subject)),
            verbs=frozenset(Verb) - set(_meaningless(subject)),
            decides_for_all=subject.drivers.are_shared,
            can_be_left_open=subject.drivers.can_be_left_open,
            has_many_checks=(
                (subject.drivers.asks or subject.drivers.are_shared)
                and not subject.check_name
                and not subject.lacks([Capability.MANY_CHECKS])
            ),
            waits_really=waits_really,
            has_own_pods=subject.workload_template is not None,
        )


def _contents(subject: Declaration) -> Iterator[str]:
    # What a program is offered by a driver, and may ignore, is no mistake of the controller.
    if not subject.drivers.lacks([MESSAGE]) and subject.drivers.mentions(MESSAGE):
        yield MESSAGE
    # A driver takes the words of a file: only an endpoint can say every number and every change.
    if subject.drivers.asks and not subject.lacks([Capability.RETRY_DELAY]):
        yield DELAY
    if subject.drivers.asks and not subject.lacks([Capability.POD_SET_UPDATES]):
        yield CHANGES


def _meaningless(subject: Declaration) -> Iterator[Verb]:
    """Yield the acts that the subject is not made for."""
    if not subject.drivers.asks:
        yield Verb.TROUBLE
    trouble = subject.drivers.trouble
    if trouble is None or not trouble.is_shared:
        yield Verb.FAIL_ALL
    parameters = subject.parameters
    has_both = parameters is not None and bool(parameters.valid and parameters.invalid)
    if not has_both or subject.lacks([Capability.PARAMETERS]):
        yield from _OF_PARAMETERS
    if subject.check_name:
        yield from _OF_A_NAME
