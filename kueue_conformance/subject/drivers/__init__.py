"""How the outside system is made to decide:
the drivers of a subject file, one for each state (harness §10.2, H-11).

A controller that asks the verdict endpoint of the harness needs none (`asks`). Any other one looks at
something of its own: a label of the Workload, an object, a service. The subject file says what has to be done
there, `KINDS` is the table of what can be said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ...base.errors import EnvironmentProblem
from ...base.json_types import Json
from .decision import Decision

# Every command reads subject files; what talks to a server is loaded by those that do (SH-22).
if TYPE_CHECKING:
    from ...wire.client import Client

ASKS = "asks"
STATES = ("ready", "retry", "rejected", "pending")
VERDICTS = STATES[:3]
ALWAYS = "always"
"""In place of a driver: the subject says so whatever happens."""
TROUBLE, RECOVERY = "trouble", "recovery"
TROUBLE_OF_WORKLOAD = "trouble with scope workload"
"""What a scenario needs where the outside system fails for one Workload and works for others."""
MESSAGE = "message"
DETAILS = {
    MESSAGE: ("ready", "retry", "rejected"),
    "requeueAfterSeconds": ("retry",),
    "podSetUpdates": ("ready",),
}
"""Fields of a verdict, by the states that may have them; a driver passes on those that it mentions."""
WHOSE = ("namespace", "workload")
"""The placeholders for the Workload of a verdict; a driver with neither decides for all Workloads, like a
switch or a budget.
"""
SCOPES = ("workload", "global")
"""What the field `scope` of a driver may say."""
TIMEOUT = 10.0


class DriverFailed(EnvironmentProblem):
    """The outside system did not take a decision: nothing was judged."""


class NoDecisionTarget(Exception):
    """There is nothing yet through which a decision could be told."""


@dataclass(frozen=True, slots=True)
class DriverContext:
    """The tools of a driver: the harness's connection to the cluster, never the subject's."""

    client: Client
    kubeconfig: str
    current_time: Callable[[], float] = float
    """The present of the cluster, in seconds since the epoch."""
    listed: dict[tuple[str, str], Sequence[Json]] = field(default_factory=dict, compare=False, repr=False)
    """The objects of a kind and namespace, read once in a round of decisions: a thousand Workloads are
    decided about in one.
    """

    def all(self, kind: str, namespace: str) -> Sequence[Json]:
        """Return the objects of a kind, as they were when this round first asked for them.

        Raises ApiError.
        """
        # One list for a round: a list for each Workload would grow with the square of their
        # number.
        if (kind, namespace) not in self.listed:
            self.listed[kind, namespace] = self.client.list(kind, namespace)
        return self.listed[kind, namespace]


class Driver(Protocol):
    """A way to make the outside system decide."""

    @property
    def tells(self) -> frozenset[str]:
        """The words of a decision that it passes on."""

    @property
    def needs_workload(self) -> bool:
        """Whether it acts on the Workload or on what belongs to it, which has to be there before."""

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return what it has created, so that the next decision undoes only what differs."""

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Make the decision within `seconds`. Raises DriverFailed."""

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Undo the decision, except for `keep`. Raises DriverFailed."""


@dataclass(frozen=True, slots=True)
class NoDriver:
    """Does nothing: the subject says the same whatever happens (`always`)."""

    tells = frozenset[str]()
    needs_workload = False

    def leaves(self, decision: Decision) -> frozenset[str]:
        """Return (): it creates nothing."""
        del decision
        return frozenset()

    def decide(self, decision: Decision, means: DriverContext, seconds: float) -> None:
        """Do nothing."""

    def undo(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Do nothing."""


@runtime_checkable
class RepeatingDriver(Driver, Protocol):
    """A driver by which a subject has to be told anew each time that it asks in another object."""

    def is_due(self, decision: Decision, means: DriverContext) -> bool:
        """Tell whether the subject asks in an object that does not say so yet."""


@runtime_checkable
class OfferingDriver(Driver, Protocol):
    """A driver that offers every word of a decision to what it calls, which may ignore some."""

    @property
    def mentions(self) -> frozenset[str]:
        """The words that it is written with, and so passes on for certain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateDriver:
    """The declared driver of a state: None is the verdict endpoint."""

    driver: Driver | None
    undo: Driver | None = None
    """What takes a decision back, where the driver's own way is not enough."""
    stays: bool = False
    """Nothing takes it back (`undo: false`)."""
    timeout: float = TIMEOUT
    undo_timeout: float = TIMEOUT
    scope: str = ""
    """`workload` or `global`, where the subject file says about what it decides; else its placeholders do."""

    @property
    def is_shared(self) -> bool:
        """Tell whether it decides for all Workloads, like a switch or a budget."""
        return not self.tells("workload")

    @property
    def can_be_undone(self) -> bool:
        """Tell whether a Workload can be undecided again."""
        # A driver that leaves nothing known cannot take anything back by itself.
        return not self.stays and (self.undo is not None or bool(self.driver and self.driver.leaves(_ANY)))

    def tells(self, word: str) -> bool:
        """Tell whether a word of a decision is passed on."""
        if word in WHOSE and self.scope:
            return self.scope == "workload"
        return self.driver is None or word in self.driver.tells

    def mentions(self, word: str) -> bool:
        """Tell whether a word of a decision is passed on for certain."""
        is_offered = isinstance(self.driver, OfferingDriver) and word not in self.driver.mentions
        return self.tells(word) and not is_offered

    def take_back(self, decision: Decision, means: DriverContext, keep: frozenset[str]) -> None:
        """Undo a decision, except for `keep`, in the way that is declared. Raises DriverFailed."""
        if self.driver is None or self.stays:
            return
        if self.undo is not None:
            self.undo.decide(decision, means, self.undo_timeout)
        else:
            self.driver.undo(decision, means, keep)


@dataclass(frozen=True, slots=True)
class Drivers:
    """The declared ways by state."""

    by_state: Mapping[str, StateDriver]
    decides_at_once: bool = False
    """The outside system knows no undecided Workload (`pending: false`)."""
    trouble: StateDriver | None = None
    """What begins an outage of the outside system; its `undo` ends it."""

    @property
    def asks(self) -> bool:
        """The subject asks the verdict endpoint, whatever the state."""
        return all(state_driver.driver is None for state_driver in self.by_state.values())

    @property
    def usual_verdict(self) -> str:
        """A verdict that the subject can be brought to: Ready, where it can say that."""
        declared = [state for state in VERDICTS if state in self.by_state]
        return "Ready" if self.asks or not declared else declared[0].capitalize()

    @property
    def can_be_left_open(self) -> bool:
        """Tell whether the outside system can have decided nothing yet."""
        return self._has("pending")

    @property
    def are_shared(self) -> bool:
        """Tell whether a decision holds for every Workload: one driver is enough for that, since nothing
        could be decided otherwise about another Workload meanwhile.
        """
        return any(state_driver.is_shared for state_driver in self.by_state.values())

    def group_of(self, namespace: str, workload: str) -> tuple[str, str]:
        """Return what shares its decision with a Workload: nothing else, all of its namespace, or all."""
        shared = [state_driver for state_driver in self.by_state.values() if state_driver.is_shared]
        if not shared:
            return namespace, workload
        by_namespace = all(state_driver.tells("namespace") for state_driver in shared)
        return (namespace if by_namespace else ""), ""

    def mentions(self, word: str) -> bool:
        """Tell whether the drivers pass a detail on for certain, and not only offer it to a program."""
        of_these = DETAILS.get(word, STATES)
        return all(
            state_driver.mentions(word) for state, state_driver in self.by_state.items() if state in of_these
        )

    def lacks(self, needed: Iterable[str]) -> str:
        """Return the first driver that is wanted and not declared: a state, `asks`, or a detail; empty when
        there is none.
        """
        return next((lacking for word in needed if (lacking := self._lacking(word))), "")

    def _lacking(self, word: str) -> str:
        if not self._has(word):
            return word
        # What holds for all Workloads may be known to the subject since before the outage.
        is_known = word == TROUBLE and self.are_shared and not self.can_be_left_open
        return "pending" if is_known else ""

    def _has(self, word: str) -> bool:
        if word == ASKS or self.asks:
            return self.asks
        if word in (TROUBLE, TROUBLE_OF_WORKLOAD):
            needs_workload = word == TROUBLE_OF_WORKLOAD
            return self.trouble is not None and not (needs_workload and self.trouble.is_shared)
        if word in (*DETAILS, *WHOSE):
            of_these = DETAILS.get(word, STATES)
            return all(
                state_driver.tells(word) for state, state_driver in self.by_state.items() if state in of_these
            )
        return word in self.by_state or (
            # Pending is the state before a decision: it is reached by undoing one.
            word == "pending"
            and not self.decides_at_once
            and all(state_driver.can_be_undone for state_driver in self.by_state.values())
        )


_ANY = Decision(namespace="namespace", workload="workload", state="Ready", check="check")
ENDPOINT = Drivers({})
"""No driver is declared: the subject asks the verdict endpoint."""
