"""The state of a cloud: groups, their machines, and what was asked of it.

It reads the time from a function and does no I/O.

model = CloudModel([GroupSpec("ng-a", max=5)], now=clock.now)
model.plan.add(FailureRule(Stockout(succeed=1), group="ng-a", times=1))
model.increase("ng-a", 3)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reference_impl.autoscaler.cloud import NodeGroup

from .actions import CallRefusal, CloudMethod, FailureAction
from .failures import CloudCall, FailurePlan
from .groups import GroupError, NodeGroupSpec
from .machine_schedule import MachineChange, MachineSchedule
from .machines import Machine, present
from .node_group import CloudNodeGroup

KEPT: Final = 10_000
"""Calls, and changes of machines, that are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One call of the journal; `result` is empty where it was carried out, else what its caller was told."""

    time: float
    method: CloudMethod
    group: str
    arguments: Mapping[str, object]
    result: str = ""


class CloudModel:
    """A cloud without its clients. `now` returns seconds since the epoch. All calls raise Refusal.

    `plan` says what goes wrong. `listeners` are told the id of each machine whose future has changed,
    `revocations` the request whose capacity is gone. The journal has the last calls; listings are in it only
    where something went wrong. `changes` has what happened to machines by itself.
    """

    def __init__(
        self,
        groups: Iterable[NodeGroupSpec] = (),
        *,
        current_time: Callable[[], float],
        plan: FailurePlan | None = None,
    ) -> None:
        self.plan = plan or FailurePlan()
        self.journal: deque[JournalEntry] = deque(maxlen=KEPT)
        self.changes: deque[MachineChange] = deque(maxlen=KEPT)
        self.listeners: list[Callable[[str], None]] = []
        self.revocations: list[Callable[[str], None]] = []
        self._now = current_time
        self._began = current_time()
        self._schedule = MachineSchedule()
        self._groups: dict[str, CloudNodeGroup] = {}
        for spec in groups:
            self._add(spec)

    @property
    def specs(self) -> Sequence[NodeGroupSpec]:
        """Return the configured groups."""
        return [group.spec for group in self._groups.values()]

    @property
    def machines(self) -> Sequence[Machine]:
        """Return the machines that there are."""
        self.advance()
        return [machine for group in self._groups.values() for machine in group.machines.values()]

    def machine(self, name: str) -> Machine | None:
        """Return a machine by its id, which is the name of its Node."""
        self.advance()
        group = self._groups.get(name.rpartition("-")[0])
        return group.machines.get(name) if group else None

    def spec(self, group: str) -> NodeGroupSpec | None:
        """Return how a group is configured, None for one that there is not."""
        node_group = self._groups.get(group)
        return node_group.spec if node_group else None

    def groups(self) -> Sequence[NodeGroup]:
        """Return the listing of all groups."""
        return [self.group(name) for name in tuple(self._groups)]

    def group(self, name: str) -> NodeGroup:
        """Return the listing of a group."""
        node_groups: list[NodeGroup] = []

        def work(group: CloudNodeGroup, action: FailureAction) -> None:
            node_groups.append(action.group(group.snapshot(self._now())))

        self._do("list", name, {}, work)
        return node_groups[0]

    def increase(self, group: str, delta: int, *, atomic: bool = False) -> None:
        """Have so many machines more; with `atomic` all or none."""

        def work(group: CloudNodeGroup, action: FailureAction) -> None:
            group.check_increase(delta, atomic=atomic)
            machines = [
                action.machine(index, machine)
                for index, machine in enumerate(group.booting(delta, self._now()))
            ]
            error = next((machine.error for machine in machines if machine.error is not None), None)
            if atomic and error is not None:
                raise CallRefusal("ResourceExhausted", error.message)
            self._store(*machines)

        self._do("atomic_increase" if atomic else "increase", group, {"delta": delta}, work)

    def decrease_target(self, group: str, delta: int) -> None:
        """Give up so many machines that have no Node; those that are not listed go first, then the newest."""

        def work(group: CloudNodeGroup, _: FailureAction) -> None:
            self._forget(*group.without_node(delta, self._now()))

        self._do("decrease_target", group, {"delta": delta}, work)

    def delete_nodes(self, group: str, names: Sequence[str]) -> None:
        """Delete machines, named by their id or as the provider of a Node; all of them or none."""

        def work(group: CloudNodeGroup, _: FailureAction) -> None:
            self._delete(group, group.deletable(names))

        self._do("delete_nodes", group, {"nodes": list(names)}, work)

    def create_group(self, spec: NodeGroupSpec) -> None:
        """Make a group."""

        def work(_: CloudNodeGroup, __: FailureAction) -> None:
            if spec.id in self._groups:
                raise CallRefusal("AlreadyExists", f"there is a group {spec.id!r}")
            self._add(spec)

        self._do("create_group", spec.id, {}, work, CloudNodeGroup(spec))

    def delete_group(self, group: str) -> None:
        """Remove a group that was made when it was needed and has no machines."""

        def work(group: CloudNodeGroup, _: FailureAction) -> None:
            if group.machines or not group.spec.autoprovisioned:
                raise CallRefusal(
                    "FailedPrecondition", f"group {group.spec.id!r} is not autoprovisioned and empty"
                )
            del self._groups[group.spec.id]

        self._do("delete_group", group, {}, work)

    def configure(self, group: str, *, least: int | None = None, most: int | None = None) -> None:
        """Change the limits of a group by hand. Raises GroupError where its size is not between them."""
        node_group = self._group_of(group)
        spec = node_group.spec
        least, most = spec.min if least is None else least, spec.max if most is None else most
        if not least <= len(node_group.counted_machines) <= most:
            raise GroupError(
                f"limits are {least} to {most}: expected limits around {len(node_group.counted_machines)}, the size"
            )
        node_group.spec = replace(spec, min=least, max=most, target=least)

    def resize(self, group: str, target: int) -> None:
        """Change the size of a group by hand, past all rules; the newest machines go first."""
        self.advance()
        node_group = self._group_of(group)
        if not 0 <= target <= node_group.spec.max:
            raise CallRefusal("InvalidArgument", f"target is {target}: expected 0 to {node_group.spec.max}")
        size = len(node_group.counted_machines)
        self._store(*node_group.booting(max(0, target - size), self._now()))
        self._delete(node_group, node_group.counted_machines[target:])

    def take_away(self, name: str, *, remain_counted: bool = False, revoke: str = "") -> None:
        """Let a machine vanish now, as a preemptible one does."""
        machine = self.machine(name)
        if machine is None:
            raise CallRefusal("NotFound", f"there is no machine {name!r}")
        self._store(replace(machine, ends_at=self._now(), remains_counted=remain_counted, revokes=revoke))
        self.advance()

    def adopt(self, name: str) -> None:
        """Take over a machine whose Node was there before this cloud began, in place of one that its group
        has from the start.
        """
        group, _, number = name.rpartition("-")
        node_group = self._groups.get(group)
        if node_group is None or not number.isdecimal() or name in node_group.machines:
            return
        # The size of the group stays: the adopted machine is one of those that it has
        # from the start.
        self._forget(*node_group.from_start(self._began)[-1:])
        # Numbers are never given twice, not even over a restart.
        node_group.last = max(node_group.last, int(number))
        self._store(present(node_group.spec, name, self._now(), adopted=True))

    def advance(self) -> Sequence[MachineChange]:
        """Tell what has happened to machines since this was last done;
        those that have ended are no longer there.
        """
        due = self._schedule.due(self._now(), self._current)
        for change in due:
            self.changes.append(change)
            if change.event == "ended":
                self._end(change.machine)
        return due

    def next_due(self) -> float | None:
        """Return when something will happen to a machine; None where nothing will."""
        return self._schedule.next(self._current)

    def _do(
        self,
        method: CloudMethod,
        name: str,
        arguments: Mapping[str, object],
        work: Callable[[CloudNodeGroup, FailureAction], None],
        new_group: CloudNodeGroup | None = None,
    ) -> None:
        """Carry a call out as the rules allow, and write it into the journal;
        `made` is a group that is not there yet.
        """
        self.advance()
        group, result = new_group or self._group_of(name), ""
        # Counted before the rules are asked: "the second call fails" means this one.
        group.calls[method] += 1
        current_time, delta = self._now(), arguments.get("delta", 0)
        call = CloudCall(
            method=method,
            group=name,
            attempt=group.calls[method],
            seconds=current_time - self._began,
            delta=delta if isinstance(delta, int) else 0,
        )
        action = self.plan.action_for(call)
        try:
            action.before()
            work(group, action)
            action.after()
        except CallRefusal as refusal:
            result = str(refusal)
            raise
        finally:
            # Autoscalers list in every loop: only listings that failed are worth
            # remembering.
            if result or method != "list":
                entry = JournalEntry(
                    time=current_time, method=method, group=name, arguments=arguments, result=result
                )
                self.journal.append(entry)

    def _add(self, spec: NodeGroupSpec) -> None:
        group = self._groups[spec.id] = CloudNodeGroup(spec)
        group.last = spec.size
        self._store(*(present(spec, f"{spec.id}-{number + 1}", self._now()) for number in range(spec.size)))

    def _group_of(self, group: str) -> CloudNodeGroup:
        node_group = self._groups.get(group)
        if node_group is None:
            raise CallRefusal("NotFound", f"there is no group {group!r}")
        return node_group

    def _current(self, machine: Machine) -> bool:
        """Tell whether a machine is as it was: what was to happen to it has not been changed."""
        group = self._groups.get(machine.group)
        return group is not None and group.machines.get(machine.id) is machine

    def _store(self, *machines: Machine) -> None:
        for machine in machines:
            self._groups[machine.group].machines[machine.id] = machine
            self._schedule.add(machine, self._now())
            self._tell(machine)

    def _delete(self, group: CloudNodeGroup, machines: Iterable[Machine]) -> None:
        at = self._now() + group.spec.delete_seconds
        self._store(*(machine.mark_deleted(at) for machine in machines))
        self.advance()

    def _forget(self, *machines: Machine) -> None:
        for machine in machines:
            del self._groups[machine.group].machines[machine.id]
            self._tell(machine)

    def _end(self, machine: Machine) -> None:
        """Let go of a machine that has ended; one that remains counted is only listed no more."""
        if machine.remains_counted and not machine.deleting:
            self._store(machine.lost())
        else:
            self._forget(machine)
        for listener in self.revocations if machine.revokes else ():
            listener(machine.revokes)

    def _tell(self, machine: Machine) -> None:
        for listener in self.listeners:
            listener(machine.id)
