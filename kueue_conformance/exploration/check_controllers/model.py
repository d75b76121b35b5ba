"""A model of KEP-993 from a check controller's side: which states its entry may have after each act (pure).

It is independent of the reference implementation: a row for each act says when the act is legal and what it
changes. A controller that is slow is right too, so a state is a set until the controller had time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from .acts import Act, Verb

PENDING = frozenset({"Pending"})
NO_ENTRY = frozenset({""})


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadModel:
    """A Workload with one check of the controller: its conditions, what the outside system has decided, and
    the states that the entry may have now; an empty state stands for no entry.
    """

    exists: bool = False
    has_quota: bool = False
    is_evicted: bool = False
    is_admitted: bool = False
    is_finished: bool = False
    is_listed: bool = False
    decision: str = ""
    states: frozenset[str] = NO_ENTRY
    is_calm: bool = False
    """Whether the controller had time since the Workload was changed: no write of it is on its way."""

    @property
    def is_open(self) -> bool:
        """Whether the controller may and has to answer: quota is held, and nothing has ended."""
        return (
            self.exists
            and self.has_quota
            and self.is_listed
            and not (self.is_evicted or self.is_admitted or self.is_finished)
        )

    @property
    def can_be_decided(self) -> bool:
        """Whether a decision is the first one for this entry, or one for the next attempt.

        A former one must not be on its way any more: an answer that the controller got before may be written
        when the Workload has quota again.
        """
        has_ended = self.is_admitted or self.is_finished
        is_first = not self.decision or (self.is_calm and not self.is_open)
        return self.exists and not has_ended and is_first

    def with_time(self) -> WorkloadModel:
        """Return it after the controller had time to do what it has to."""
        is_due = self.is_open and self.decision
        return replace(self, states=frozenset({self.decision}) if is_due else self.states, is_calm=True)

    def with_open_entry(self, states: frozenset[str]) -> WorkloadModel:
        """Return it with these states, and that of a decision which the controller may have read by now."""
        decided = frozenset({self.decision} if self.is_open and self.decision else ())
        return replace(self, states=states | decided)


NEW = WorkloadModel()
Change = Callable[[WorkloadModel, Act], WorkloadModel]
Condition = Callable[[WorkloadModel], bool]


def _submit(before: WorkloadModel, _: Act) -> WorkloadModel:
    # The outside system knows a Workload by its name, so a decision outlives a deletion.
    fresh = WorkloadModel(exists=True, has_quota=True, is_listed=True, decision=before.decision)
    return fresh.with_open_entry(PENDING)


def _decide(before: WorkloadModel, act: Act) -> WorkloadModel:
    return replace(before, decision=act.state).with_open_entry(before.states)


def _evict(before: WorkloadModel, _: Act) -> WorkloadModel:
    states = PENDING if before.is_listed else NO_ENTRY
    return replace(before, is_evicted=True, is_admitted=False, states=states)


def _reserve(before: WorkloadModel, _: Act) -> WorkloadModel:
    return replace(before, has_quota=True, is_evicted=False).with_open_entry(before.states)


def _requeue(before: WorkloadModel, act: Act) -> WorkloadModel:
    return _reserve(_evict(before, act), act)


def _overwrite(before: WorkloadModel, _: Act) -> WorkloadModel:
    return before.with_open_entry(PENDING)


def _unlist(before: WorkloadModel, _: Act) -> WorkloadModel:
    return replace(before, is_listed=False, states=NO_ENTRY)


def _list(before: WorkloadModel, _: Act) -> WorkloadModel:
    return replace(before, is_listed=True).with_open_entry(PENDING)


def _delete(before: WorkloadModel, _: Act) -> WorkloadModel:
    return WorkloadModel(decision=before.decision)


def _is_active(workload: WorkloadModel) -> bool:
    return workload.exists and not workload.is_finished


def _holds_quota(workload: WorkloadModel) -> bool:
    return _is_active(workload) and workload.has_quota and not workload.is_evicted


RULES: Mapping[Verb, tuple[Condition, Change]] = {
    Verb.SUBMIT: (lambda workload: not workload.exists, _submit),
    Verb.DECIDE: (lambda workload: workload.can_be_decided, _decide),
    Verb.ANNOTATE: (lambda workload: workload.exists, lambda before, _: before),
    Verb.EVICT: (_holds_quota, _evict),
    Verb.RELEASE: (
        lambda workload: _is_active(workload) and workload.is_evicted and workload.has_quota,
        lambda before, _: replace(before, has_quota=False),
    ),
    Verb.RESERVE: (lambda workload: _is_active(workload) and not workload.has_quota, _reserve),
    Verb.REQUEUE: (_holds_quota, _requeue),
    Verb.OVERWRITE: (lambda workload: workload.is_open, _overwrite),
    Verb.CANCEL: (
        lambda workload: _holds_quota(workload) and not workload.is_admitted,
        lambda before, _: replace(before, has_quota=False),
    ),
    Verb.ADMIT: (
        lambda workload: workload.is_open and workload.states == frozenset({"Ready"}),
        lambda before, _: replace(before, is_admitted=True),
    ),
    Verb.FINISH: (_holds_quota, lambda before, _: replace(before, is_finished=True)),
    Verb.UNLIST: (lambda workload: workload.is_open, _unlist),
    Verb.LIST: (lambda workload: _is_active(workload) and not workload.is_listed, _list),
    Verb.DELETE: (lambda workload: workload.exists, _delete),
    Verb.RECREATE: (lambda workload: workload.exists, _submit),
}
"""By verb: when it is legal, and what it changes."""
_CALM = frozenset({Verb.ANNOTATE})
"""What gives a controller that is right nothing to do."""
Workloads = tuple[WorkloadModel, ...]


def is_legal(workloads: Workloads, act: Act) -> bool:
    """Tell whether an act can come next."""
    if act.verb is Verb.SETTLE:
        return True
    return 1 <= act.workload <= len(workloads) and RULES[act.verb][0](workloads[act.workload - 1])


def after(workloads: Workloads, act: Act) -> Workloads:
    """Return the Workloads after an act."""
    if act.verb is Verb.SETTLE:
        return tuple(workload.with_time() for workload in workloads)
    place = act.workload - 1
    changed = RULES[act.verb][1](workloads[place], act)
    is_calm = changed.is_calm and act.verb in _CALM
    return (*workloads[:place], replace(changed, is_calm=is_calm), *workloads[place + 1 :])


def are_legal(acts: Sequence[Act], number: int) -> bool:
    """Tell whether acts on so many Workloads can follow one another."""
    workloads: Workloads = (NEW,) * number
    for act in acts:
        if not is_legal(workloads, act):
            return False
        workloads = after(workloads, act)
    return True


def model_of(acts: Sequence[Act], number: int) -> Workloads:
    """Return so many Workloads after acts that are legal."""
    return reduce(after, acts, (NEW,) * number)
