"""A model of an entry of a controller's check: what it may say, by what the outside system decides (pure).

A controller that is slow is right too, so what an entry may say is a set until the controller had time; where
the documents leave a choice, the set has both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from .acts import STATES
from .content import NOTHING, Content


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an entry says: its state, empty where there is no entry, and what was decided with it."""

    state: str
    content: Content = NOTHING


PENDING = Verdict("Pending")
NO_ENTRY = Verdict("")


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryModel:
    """The entry of a check of the controller: what the outside system has decided, and what it may say."""

    is_listed: bool = False
    is_served: bool = True
    """Whether its check exists, and is the controller's."""
    was_served: bool = True
    """The same at the last wait: the controller may not have noticed since."""
    is_usable: bool = True
    """Whether the parameters of its check are good."""
    decision: Verdict | None = None
    superseded: frozenset[Verdict] = frozenset()
    """Decisions for all Workloads that stood since the last wait: the controller may know no later one."""
    is_troubled: bool = False
    """Whether the outside system answers what is no verdict."""
    verdicts: frozenset[Verdict] = frozenset({NO_ENTRY})

    @property
    def lacks_verdict(self) -> bool:
        """Whether the outside system answers nothing that can be passed on."""
        return self.is_troubled or (self.decision is not None and self.decision.content.is_wrong)

    def with_work(self) -> EntryModel:
        """Return it when the controller has looked at it; the Workload is open."""
        return replace(self, verdicts=frozenset().union(*map(self._next, self.verdicts)))

    def with_chance(self) -> EntryModel:
        """Return it when the controller may have looked at it, or not; the Workload is open."""
        earlier = [replace(self, decision=decision, is_troubled=False) for decision in self.superseded]
        known = [self, *earlier]
        return replace(self, verdicts=self.verdicts.union(*(entry.with_work().verdicts for entry in known)))

    def with_later_decision(self) -> EntryModel:
        """Return it when the controller may have looked at it; the Workload is admitted.

        That a Ready follows a decision which is taken back is a should (CC-051, CC-054).
        """
        later = {self._later(verdict, self.decision or PENDING) for verdict in self.verdicts}
        return replace(self, verdicts=self.verdicts | later)

    def with_common_decision(self, decision: Verdict | None) -> EntryModel:
        """Return it when the outside system has decided on every Workload; None takes a decision back."""
        before = {self.decision} if self.decision else frozenset[Verdict]()
        return replace(self, decision=decision, is_troubled=False, superseded=self.superseded | before)

    def with_outage(self) -> EntryModel:
        """Return it when the outside system of every Workload has failed: the controller may answer by what
        it knew last.
        """
        return replace(self.with_common_decision(None), is_troubled=True)

    def with_notice(self) -> EntryModel:
        """Return it when the controller has read everything, which cannot be what an outage hides."""
        superseded = self.superseded if self.is_troubled else frozenset[Verdict]()
        return replace(self, was_served=self.is_served, superseded=superseded)

    @property
    def is_pending(self) -> bool:
        """Whether it can say nothing but Pending."""
        return self.verdicts == {PENDING}

    def reset(self) -> EntryModel:
        """Return it as Kueue lists it, or puts it back."""
        return replace(self, verdicts=frozenset({PENDING if self.is_listed else NO_ENTRY}))

    def _next(self, verdict: Verdict) -> frozenset[Verdict]:
        """Return what a verdict may become when the controller looks at it: Kueue moves on from a denial."""
        if not (self.is_served or self.was_served) or verdict.state not in ("Pending", "Ready"):
            return frozenset({verdict})
        if self.is_troubled or self.decision is None:
            return frozenset({verdict, PENDING})
        if not self.is_usable or not self.is_served:
            # That an entry is undecided whose check cannot be used is no must (CC-067).
            return frozenset({verdict, PENDING, self.decision})
        if self.decision.content.is_wrong:
            # What the controller makes of an answer that it must not pass on is its own affair; that it is
            # not passed on is for the safety rules.
            return frozenset({verdict, PENDING, *map(Verdict, STATES)})
        if verdict.state == "Pending":
            return frozenset({self.decision})
        return frozenset({verdict, self._later(verdict, self.decision)})

    def _later(self, verdict: Verdict, decision: Verdict) -> Verdict:
        """Return what a Ready becomes where the controller follows a later decision: its message moves, what
        it changes of pods does not (CC-037).
        """
        if decision.state != verdict.state:
            return decision
        content = replace(verdict.content, message=decision.content.message, long=decision.content.long)
        return replace(verdict, content=content)
