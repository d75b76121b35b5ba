"""A model of KEP-993 from a check controller's side: what its entries may say after each act (pure).

It is independent of the reference implementation: a row for each act says when the act is legal and what it
changes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from .acts import DEACTIVATED, FOR_ALL, FORMS, NO_DECISION, Act, Verb
from .check_model import CHECK_RULES, CheckModel
from .entry_model import NO_ENTRY, PENDING, EntryModel, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadModel:
    """A Workload: its conditions, and its entries of the controller's checks."""

    exists: bool = False
    has_quota: bool = False
    had_quota: bool = False
    """Whether it has had quota since it was created."""
    has_predecessor: bool = False
    """Whether another Workload had its name, about which the controller may still ask."""
    is_active: bool = True
    is_evicted: bool = False
    is_admitted: bool = False
    is_finished: bool = False
    entries: tuple[EntryModel, ...] = ()
    is_calm: bool = False
    """Whether the controller had time since the Workload was changed: no write of it is on its way."""
    keeps_work: bool = False
    """Whether its outside work has to be that of the last wait: nothing has ended it since."""

    @property
    def is_open(self) -> bool:
        """Whether the controller may and has to answer: quota is held, and nothing has ended."""
        return (
            self.exists
            and self.has_quota
            and self.is_active
            and not (self.is_evicted or self.is_admitted or self.is_finished)
        )

    @property
    def runs(self) -> bool:
        """Whether it is admitted, and nothing has ended it."""
        return self.is_admitted and self.holds_quota and self.is_active

    @property
    def is_alive(self) -> bool:
        """Whether it exists and has not finished."""
        return self.exists and not self.is_finished

    @property
    def holds_quota(self) -> bool:
        """Whether it can be evicted."""
        return self.is_alive and self.has_quota and not self.is_evicted

    @property
    def listed(self) -> int:
        """How many checks of the controller it lists."""
        return sum(entry.is_listed for entry in self.entries)

    @property
    def outside_work(self) -> range:
        """How much outside work may be there for it when the controller had time (CC-020, CC-061 to CC-065).

        While nothing is decided there is some; without a reservation it may stay unless that was lost by an
        eviction, and not begin before there was one.
        """
        is_over = self.is_evicted and not self.has_quota
        if not self.is_alive or not self.had_quota or is_over:
            return range(1)
        return range(int(self._is_waited_for), self.listed + 1)

    @property
    def _is_waited_for(self) -> bool:
        """Whether the outside system has decided nothing that the controller waits for."""
        return self.is_open and self.listed > 0 and all(map(_is_undecided, self.entries))

    def entry(self, act: Act) -> EntryModel:
        """Return the entry that an act names."""
        return self.entries[act.check - 1]

    def with_entry(self, act: Act, entry: EntryModel) -> WorkloadModel:
        """Return it with another entry of the check that an act names."""
        index = act.check - 1
        return replace(self, entries=(*self.entries[:index], entry, *self.entries[index + 1 :]))

    def with_entries(self, change: Callable[[EntryModel], EntryModel]) -> WorkloadModel:
        """Return it with every entry changed."""
        return replace(self, entries=tuple(map(change, self.entries)))

    def with_time(self) -> WorkloadModel:
        """Return it after the controller had time to do what it has to.

        No document says that it gives a verdict on one entry where it can have none on another.
        """
        is_in_trouble = any(entry.is_listed and entry.lacks_verdict for entry in self.entries)
        work = EntryModel.with_chance if is_in_trouble else EntryModel.with_work
        worked = self.with_entries(work) if self.is_open else self.with_chance()
        noticed = worked.with_entries(EntryModel.with_notice)
        return replace(noticed, is_calm=True, keeps_work=self.is_calm and self._is_waited_for)

    def with_chance(self) -> WorkloadModel:
        """Return it with what the controller may have written by now."""
        if self.is_open:
            return self.with_entries(EntryModel.with_chance)
        return self.with_entries(EntryModel.with_later_decision) if self.runs else self

    def can_be_decided(self, act: Act) -> bool:
        """Tell whether a decision is the first one for an entry, or none is on its way any more: an answer
        that the controller got before may be written when the Workload has quota again.
        """
        has_ended = self.is_admitted or self.is_finished
        return self.exists and not has_ended and (self.entry(act).decision is None or self.is_calm)


Change = Callable[[WorkloadModel, Act], WorkloadModel]
Condition = Callable[[WorkloadModel, Act], bool]


def _create(before: WorkloadModel, _: Act) -> WorkloadModel:
    # The outside system knows a Workload by its name, so a decision outlives a deletion.
    entries = tuple(
        replace(entry, is_listed=False, verdicts=frozenset({NO_ENTRY})) for entry in before.entries
    )
    has_predecessor = before.exists or before.has_predecessor
    return WorkloadModel(exists=True, has_predecessor=has_predecessor, entries=entries)


def _submit(before: WorkloadModel, act: Act) -> WorkloadModel:
    reserved = _reserve(_create(before, act), act)
    return reserved.with_entries(lambda entry: replace(entry, is_listed=True).reset())


def _delete(before: WorkloadModel, act: Act) -> WorkloadModel:
    return replace(_create(before, act), exists=False)


def _decide(before: WorkloadModel, act: Act) -> WorkloadModel:
    decision = Verdict(act.word, act.content)
    return before.with_entry(act, replace(before.entry(act), decision=decision, is_troubled=False))


def _after_change_for_all(world: World, act: Act) -> World:
    decision = None if act.word == NO_DECISION else Verdict(act.word, act.content)

    def changed(entry: EntryModel) -> EntryModel:
        return entry.with_outage() if act.verb is Verb.FAIL_ALL else entry.with_common_decision(decision)

    def with_change(workload: WorkloadModel) -> WorkloadModel:
        return replace(workload.with_entries(changed).with_chance(), is_calm=False)

    return World(tuple(map(with_change, world.workloads)), world.checks)


def _evict(before: WorkloadModel, _: Act) -> WorkloadModel:
    return replace(before, is_evicted=True, is_admitted=False).with_entries(EntryModel.reset)


def _reserve(before: WorkloadModel, _: Act) -> WorkloadModel:
    return replace(before, has_quota=True, had_quota=True, is_evicted=False)


def _set_listed(before: WorkloadModel, act: Act) -> WorkloadModel:
    entry = replace(before.entry(act), is_listed=act.verb is Verb.LIST)
    return before.with_entry(act, entry.reset())


def _keep(before: WorkloadModel, _: Act) -> WorkloadModel:
    return before


RULES: Mapping[Verb, tuple[Condition, Change]] = {
    Verb.SUBMIT: (lambda workload, _: not workload.exists, _submit),
    Verb.CREATE: (lambda workload, _: not workload.exists, _create),
    Verb.DECIDE: (lambda workload, act: workload.can_be_decided(act), _decide),
    Verb.TROUBLE: (
        lambda workload, act: workload.can_be_decided(act),
        lambda before, act: before.with_entry(act, replace(before.entry(act), is_troubled=True)),
    ),
    Verb.ANNOTATE: (lambda workload, _: workload.exists, _keep),
    Verb.EXTEND: (lambda workload, _: workload.is_alive and workload.has_quota, _keep),
    Verb.EXPLAIN: (lambda workload, _: workload.is_open, _keep),
    Verb.NEIGHBOUR: (lambda workload, _: workload.is_open, _keep),
    Verb.EVICT: (
        lambda workload, act: workload.holds_quota and workload.is_active != (act.word == DEACTIVATED),
        _evict,
    ),
    Verb.RELEASE: (
        lambda workload, _: workload.is_alive and workload.is_evicted and workload.has_quota,
        lambda before, _: replace(before, has_quota=False),
    ),
    Verb.RESERVE: (
        lambda workload, _: workload.is_alive and workload.is_active and not workload.has_quota,
        _reserve,
    ),
    Verb.REQUEUE: (
        lambda workload, _: workload.holds_quota and workload.is_active,
        lambda before, act: _reserve(_evict(before, act), act),
    ),
    Verb.OVERWRITE: (
        lambda workload, act: workload.is_open and workload.entry(act).is_listed,
        lambda before, act: before.with_entry(act, before.entry(act).reset()),
    ),
    Verb.CANCEL: (
        lambda workload, _: workload.holds_quota and not workload.is_admitted,
        lambda before, _: replace(before, has_quota=False),
    ),
    Verb.ADMIT: (
        lambda workload, _: workload.is_open and all(map(_is_ready, workload.entries)),
        lambda before, _: replace(before, is_admitted=True),
    ),
    Verb.FINISH: (
        lambda workload, _: workload.holds_quota,
        lambda before, _: replace(before, is_finished=True),
    ),
    Verb.DEACTIVATE: (
        lambda workload, _: workload.is_alive and workload.is_active,
        lambda before, _: replace(before, is_active=False),
    ),
    Verb.REACTIVATE: (
        lambda workload, _: workload.is_alive and not workload.is_active,
        lambda before, _: replace(before, is_active=True),
    ),
    Verb.UNLIST: (lambda workload, act: workload.is_open and workload.entry(act).is_listed, _set_listed),
    Verb.LIST: (
        lambda workload, act: workload.is_alive and not workload.entry(act).is_listed,
        _set_listed,
    ),
    Verb.DELETE: (lambda workload, _: workload.exists, _delete),
    Verb.RECREATE: (lambda workload, _: workload.exists, _submit),
}
"""By verb of an act on a Workload: when it is legal, and what it changes."""


def _is_undecided(entry: EntryModel) -> bool:
    # One that was Ready when a decision for all was taken back may be Ready still.
    is_silent = entry.decision is None and not entry.is_troubled and entry.is_pending
    return not entry.is_listed or (entry.is_served and entry.is_usable and is_silent)


def _is_ready(entry: EntryModel) -> bool:
    return entry.is_listed and {verdict.state for verdict in entry.verdicts} == {"Ready"}


_CALM = frozenset({Verb.ANNOTATE, Verb.EXTEND, Verb.EXPLAIN, Verb.NEIGHBOUR})
"""What gives a controller that is right nothing to do."""


@dataclass(frozen=True, slots=True)
class World:
    """The Workloads and the controller's checks."""

    workloads: tuple[WorkloadModel, ...]
    checks: tuple[CheckModel, ...]
    is_at_rest: bool = False
    """Whether nothing has happened since the controller had time."""

    @property
    def is_silent(self) -> bool:
        """Whether the controller has nothing to write until something happens."""
        return self.is_at_rest and not any(
            workload.is_open and entry.is_listed and _is_unsettled(entry)
            for workload in self.workloads
            for entry in workload.entries
        )


def _is_unsettled(entry: EntryModel) -> bool:
    """Tell whether the controller may write about trouble, or try again."""
    return entry.lacks_verdict or not entry.is_usable or not entry.is_served


def new_world(workloads: int, checks: int) -> World:
    """Return a world before the first act: checks, and no Workload."""
    workload = WorkloadModel(entries=(EntryModel(),) * checks)
    return World((workload,) * workloads, (CheckModel(),) * checks)


def is_legal(world: World, act: Act) -> bool:
    """Tell whether an act can come next."""
    form = FORMS[act.verb]
    if act.workload > len(world.workloads) or act.check > len(world.checks):
        return False
    if form.workload:
        return RULES[act.verb][0](world.workloads[act.workload - 1], act)
    if form.check:
        return CHECK_RULES[act.verb][0](world.checks[act.check - 1])
    if act.verb in FOR_ALL:
        return _is_new_for_all(world, act)
    return act.verb is Verb.SETTLE or world.is_at_rest


def _is_new_for_all(world: World, act: Act) -> bool:
    """Tell whether the outside system works before an outage, or decides otherwise than before."""
    entry = world.workloads[0].entries[0]
    if act.verb is Verb.FAIL_ALL or entry.is_troubled:
        return not (act.verb is Verb.FAIL_ALL and entry.is_troubled)
    return Verdict(act.word, act.content) != (entry.decision or PENDING)


def after(world: World, act: Act) -> World:
    """Return the world after an act."""
    form = FORMS[act.verb]
    if form.workload:
        index = act.workload - 1
        changed = _after_own(world.workloads[index], act)
        workloads = (*world.workloads[:index], changed, *world.workloads[index + 1 :])
        return replace(world, workloads=workloads, is_at_rest=False)
    if form.check:
        return _after_change_of_check(world, act)
    if act.verb is Verb.IDLE:
        return world
    if act.verb in FOR_ALL:
        return _after_change_for_all(world, act)
    return World(
        tuple(workload.with_time() for workload in world.workloads),
        tuple(check.with_time() for check in world.checks),
        is_at_rest=True,
    )


def _after_own(before: WorkloadModel, act: Act) -> WorkloadModel:
    changed = RULES[act.verb][1](before, act).with_chance()
    return replace(changed, is_calm=changed.is_calm and act.verb in _CALM)


def _after_change_of_check(world: World, act: Act) -> World:
    index = act.check - 1
    check = CHECK_RULES[act.verb][1](world.checks[index], act)
    checks = (*world.checks[:index], check, *world.checks[index + 1 :])
    if check == world.checks[index]:
        return replace(world, is_at_rest=False)

    def with_check(workload: WorkloadModel) -> WorkloadModel:
        entry = replace(workload.entry(act), is_served=check.is_served, is_usable=check.is_usable)
        return replace(workload.with_entry(act, entry).with_chance(), is_calm=False)

    return World(tuple(map(with_check, world.workloads)), checks)


def are_legal(acts: Sequence[Act], workloads: int, checks: int = 1) -> bool:
    """Tell whether acts on so many Workloads and checks can follow one another."""
    world = new_world(workloads, checks)
    for act in acts:
        if not is_legal(world, act):
            return False
        world = after(world, act)
    return True


def worlds_of(acts: Sequence[Act], workloads: int, checks: int = 1) -> Sequence[World]:
    """Return the world before acts that are legal, and after each."""
    return [*accumulate(acts, after, initial=new_world(workloads, checks))]
