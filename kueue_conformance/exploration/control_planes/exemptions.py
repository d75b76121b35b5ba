"""The safety rules that do not apply to a run, by its release, its story and its states (pure)."""

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

FREE_QUOTA_RULE = "Q-125"
"""The safety rule that leaves no quota free beside a Workload that waits for it."""
ENTRY_TIME_RULE = "AC-119"
"""The safety rule that has an entry with the time of its state."""
EVICTION_EVENT_RULE = "AC-380"
"""The safety rule that has one event for one eviction."""
LOST_FLAVOR_RULES = ("AC-384", "Q-371", "Q-373")
"""The safety rules about the checks that are listed, and about counts."""
LOCAL_QUEUE_RULE = "AC-283"
"""The safety rule that reserves quota in the ClusterQueue of the LocalQueue that a Workload names."""
REQUEUE_RULE = "AC-290"
"""The safety rule that has what was evicted tried again when its delay is over."""
_FIRST_MODELLED_RELEASE = "0.9"
"""The first release that has all fields of stories."""
_VERDICTS = (Verb.ANSWER, Verb.PROVISION, Verb.APPROVE)


def exemptions_of_release(dialect: Dialect) -> tuple[str, ...]:
    """Return the safety rules about fields of stories that a release does not have: the quota of Cohorts,
    LocalQueues that are stopped, checks of some flavors alone (v0.6).
    """
    is_old = dialect.is_release and not dialect.holds(_FIRST_MODELLED_RELEASE, "")
    return (FREE_QUOTA_RULE, LOST_FLAVOR_RULES[0]) if is_old else ()


def exemptions_of_story(story: Story, perturbation: Perturbation | None) -> tuple[str, ...]:
    """Return the safety rules that do not apply with a perturbation, or with the configuration of a story.

    Blocked admission leaves quota unused. Of two provisioning checks, one overwrites the time of the other's
    entry when it cannot make a request (PA-156).
    """
    of_configuration = (FREE_QUOTA_RULE,) if BLOCKED_ADMISSION in story.features else ()
    provisioning_checks = [act for act in story.acts if act.verb is Verb.CHECK and act.option("config")]
    of_checks = (ENTRY_TIME_RULE,) if len(provisioning_checks) > 1 else ()
    return (*of_configuration, *of_checks, *_exemptions_of_perturbation(perturbation))


def _exemptions_of_perturbation(perturbation: Perturbation | None) -> tuple[str, ...]:
    if perturbation is None:
        return ()
    return PERMITTED_WHEN_SILENT if perturbation.kind is FROZEN else PERMITTED_WHEN_DISTURBED


@dataclass
class Exemptions:
    """The events of a run because of which safety rules do not apply."""

    has_lost_flavor: bool = False
    """Whether a reserved flavor has left its ClusterQueue (C-03)."""
    has_forgotten_quota: bool = False
    """Whether quota came free where nothing tells Kueue of it (BUG-166)."""
    has_lowered_priority: bool = False
    """Whether the priority of a Workload with quota became lower: Kueue tries nothing that could preempt it
    (played on v0.20).
    """
    has_concurrent_verdict: bool = False
    """Whether a verdict was given beside another act, before everything was at rest."""
    has_concurrent_move: bool = False
    """Whether a Workload was moved beside another act: Kueue's apply does not say which copy it has read, and
    may follow the move (AC-370).
    """
    has_delay_without_queue: bool = False
    """Whether a Workload with a delay had no LocalQueue at some rest."""

    def note_act(self, act: Act, number: int, done: Sequence[Act]) -> None:
        """Note an act, which is the `number`-th since the newest rest; `done` has those that were done."""
        self.has_concurrent_verdict |= number > 1 and act.verb in _VERDICTS
        self.has_concurrent_move |= len(done) > 1 and any(other.verb is Verb.MOVE for other in done)

    def note_state(self, state: State) -> None:
        """Note a state at rest."""
        reserved = (workload for workload in state.snapshot.workloads() if workload.admission)
        self.has_lost_flavor |= not all(map(state.offers_flavors_of, reserved))
        self.has_forgotten_quota |= state.forgets_free_quota()
        self.has_lowered_priority |= state.has_lowered_priority_of_holder()
        self.has_delay_without_queue |= state.has_delay_without_queue()

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that do not apply, each for what has happened in the run."""
        return (
            *(FREE_QUOTA_RULE,) * self.has_forgotten_quota,
            # Its event may be that of the eviction that is written at the same time.
            *(EVICTION_EVENT_RULE,) * self.has_concurrent_verdict,
            # Kueue ends no delay of a Workload without a LocalQueue (C-23).
            *(REQUEUE_RULE,) * self.has_delay_without_queue,
            *LOST_FLAVOR_RULES * (self.has_lost_flavor or self.has_concurrent_move),
            # The reservation may go through the LocalQueue that the Workload is about to leave.
            *(LOCAL_QUEUE_RULE,) * self.has_concurrent_move,
        )
