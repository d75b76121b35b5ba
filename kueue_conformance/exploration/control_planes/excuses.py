"""The safety rules that what happened in a story excuses (pure)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...control_planes import BLOCKED_ADMISSION
from ...scenarios.dialect import Dialect
from ..interruptions import FROZEN
from ..perturbation import Perturbation
from .acts import Act, Verb
from .end_states import PERMITTED_WHEN_DISTURBED, PERMITTED_WHEN_SILENT
from .state import State
from .story import Story

FREE_QUOTA = "Q-125"
"""The safety rule that leaves no quota free beside a Workload that waits for it."""
ENTRY_TIME = "AC-119"
"""The safety rule that has an entry with the time of its state."""
EVENT_ONCE = "AC-380"
"""The safety rule that has one event for one eviction."""
OF_LOST_FLAVORS = ("AC-384", "Q-371", "Q-373")
"""The safety rules about the checks that are listed, and about counts."""
OF_LOCAL_QUEUE = "AC-283"
"""The safety rule that reserves quota in the ClusterQueue of the LocalQueue that a Workload names."""
REQUEUE = "AC-290"
"""The safety rule that has what was evicted tried again when its delay is over."""
_FIRST_MODELLED = "0.9"
"""The first release that has what stories have."""
_VERDICTS = (Verb.ANSWER, Verb.PROVISION, Verb.APPROVE)


def excuses_of_release(dialect: Dialect) -> tuple[str, ...]:
    """Return the safety rules that do not hold of what stories have and a release has not: the quota of
    Cohorts, LocalQueues that are stopped, checks of some flavors alone (v0.6).
    """
    is_old = dialect.is_release and not dialect.holds(_FIRST_MODELLED, "")
    return (FREE_QUOTA, OF_LOST_FLAVORS[0]) if is_old else ()


def excuses_of_story(story: Story, perturbation: Perturbation | None) -> tuple[str, ...]:
    """Return the safety rules that a perturbation excuses, and those that a configuration does: admission
    that is blocked leaves quota unused, and of two of Kueue's own checks one takes the time of the other's
    entry away when it cannot make a request (PA-156).
    """
    of_configuration = (FREE_QUOTA,) if BLOCKED_ADMISSION in story.features else ()
    kueues = [act for act in story.acts if act.verb is Verb.CHECK and act.option("config")]
    of_checks = (ENTRY_TIME,) if len(kueues) > 1 else ()
    return (*of_configuration, *of_checks, *_excuses_of(perturbation))


def _excuses_of(perturbation: Perturbation | None) -> tuple[str, ...]:
    if perturbation is None:
        return ()
    return PERMITTED_WHEN_SILENT if perturbation.kind is FROZEN else PERMITTED_WHEN_DISTURBED


@dataclass
class Excuses:
    """What has happened in a run that excuses safety rules."""

    is_open: bool = False
    """Whether a reserved flavor has left its ClusterQueue (C-03)."""
    is_forgotten: bool = False
    """Whether quota came free where nothing tells Kueue of it (BUG-166)."""
    has_raced: bool = False
    """Whether a verdict was given beside another act, before everything was at rest."""
    has_moved: bool = False
    """Whether a Workload was moved beside another act: Kueue's apply does not say which copy it has read, and
    may follow the move (AC-370).
    """
    has_lost_queue: bool = False
    """Whether a Workload with a delay had no LocalQueue at some rest."""

    def note_act(self, act: Act, number: int, done: Sequence[Act]) -> None:
        """Note an act, which is the `number`-th since the newest rest; `done` has those that were done."""
        self.has_raced |= number > 1 and act.verb in _VERDICTS
        self.has_moved |= len(done) > 1 and any(other.verb is Verb.MOVE for other in done)

    def note_state(self, state: State) -> None:
        """Note a state at rest."""
        reserved = (workload for workload in state.snapshot.workloads() if workload.admission)
        self.is_open |= not all(map(state.offers_flavors_of, reserved))
        self.is_forgotten |= state.forgets_free_quota()
        self.has_lost_queue |= state.has_delay_without_queue()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that are excused: of quota that is left free, of the event of an eviction that comes
        while another one is written, of a delay that ends when the LocalQueue is gone (C-23), of the checks
        and counts of what holds a lost flavor, and of a reservation through the LocalQueue that a Workload is
        about to leave.
        """
        excused = (FREE_QUOTA,) * self.is_forgotten + (EVENT_ONCE,) * self.has_raced
        excused += (REQUEUE,) * self.has_lost_queue + OF_LOST_FLAVORS * self.is_open
        return excused + (OF_LOCAL_QUEUE, *OF_LOST_FLAVORS) * self.has_moved
