"""A system that is reached through the drivers of the subject file alone (harness/H-11).

It decides about each Workload as soon as there is one;
one that would decide by itself at once is told before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NoReturn

from ...base.bounds import Bound
from ...base.json_types import Json
from ...case.context import CaseContext
from ...history.fact import Fact
from ...subject.drivers import (
    ASKS,
    DETAILS,
    DriverContext,
    Drivers,
    NoDecisionTarget,
    RepeatingDriver,
    StateDriver,
)
from ...subject.drivers.decision import Decision
from ...subject.verdicts import UNDECIDED, PlannedAnswer
from .early_decisions import EarlyDecisions
from .outage import Outage
from .outside_system import ACTOR, Key, skip_unsupported

_MORE = tuple(name for name in DETAILS if name != "message")


class DrivenSystem:
    """A system behind drivers; a stand-in of the context,
    so that a Workload is decided about when it comes into being.
    """

    asks = False

    def __init__(
        self, context: CaseContext, drivers: Drivers, controller: str, checks: Sequence[str]
    ) -> None:
        self._context = context
        self._drivers = drivers
        self._controller = controller
        self._checks = checks
        self._means = DriverContext(
            context.client.with_agent(ACTOR), context.cluster.kubeconfig, context.cluster.now
        )
        self._outage = Outage(drivers.trouble, self._decision_of_outage)
        self._early = EarlyDecisions()
        self._wanted: dict[Key, PlannedAnswer] = {}
        self._given: dict[Key, tuple[PlannedAnswer, list[Decision]]] = {}
        self._taken_back = 0
        self._has_failed = False
        """Whether an outage has ended since the last decision for all, which it may have changed."""
        self.through_requests = any(
            isinstance(state_driver.driver, RepeatingDriver) for state_driver in drivers.by_state.values()
        )

    @property
    def common_state(self) -> str:
        """The state that is decided for every Workload, where drivers decide for all; empty while nothing has
        been decided and the system may be in any state.
        """
        newest = next(reversed(self._wanted.values()), None)
        if newest is None:
            return "Pending" if self._drivers.can_be_left_open else ""
        return str(newest.answer["state"])

    @property
    def is_out_of_order(self) -> bool:
        """Whether a driver has brought about an outage for all."""
        return self._outage.is_total

    def has_failed_for(self, namespace: str, workload: str) -> Fact:
        """The outage goes on for as long as a subject that polls takes to ask."""
        story = self._context.history.of("Workload", workload, namespace)
        created = next((change.at for change in story), 0.0)
        seconds = self._context.cluster.now() - max(created, self._outage.began_at)
        bound = Bound("s", least=self._context.budgets.seconds("polling"))
        return Fact(
            bound.holds(seconds), f"the outside system is out of order for {bound}", bound.describe(seconds)
        )

    def set_answers(
        self, plan: Sequence[PlannedAnswer], namespace: str, workload: str = "", check: str = ""
    ) -> bool:
        """Make the decision by a driver, or begin an outage; skips the case when there is no driver."""
        if len(plan) == 1 and plan[0].is_outage:
            self._outage.begin(self._means, namespace, workload)
            self.act()
            return False
        if len(plan) > 1 or not plan[0].is_plain or check:
            skip_unsupported(ASKS)
        lacking = self._drivers.lacks([plan[0].answer["state"].lower(), *_details(plan[0])])
        if lacking:
            skip_unsupported(lacking)
        before = self._taken_back
        # First: what is out of order takes no decision.
        self._has_failed = self._outage.is_total and self._drivers.are_shared
        self._outage.end(self._means, namespace, workload)
        self._wanted[self._drivers.group_of(namespace, workload)] = plan[0]
        self.act()
        self._has_failed = False
        return self._taken_back > before

    def questions(self, namespace: str, workload: str) -> NoReturn:
        """Skip the case: the subject asks the system behind the drivers, not the harness."""
        del namespace, workload
        skip_unsupported(ASKS)

    def open_all(self, namespace: str) -> None:
        """Have the system decide nothing yet, where a driver for Pending decides about every Workload."""
        self._wanted[self._drivers.group_of(namespace, "")] = UNDECIDED
        self.act()

    def act(self) -> bool:
        """Decide about every Workload that is not decided
        about as it should be; tells whether there was one.
        """
        self._means = replace(self._means, listed={})
        if self._outage.is_total:
            return False
        has_failed = self._outage.is_wanted and self._outage.act(self._means, self._workloads())
        due = [(key, plan) for key, plan in self._plans() if self._is_due(key, plan)]
        return sum([self._decide(key, plan) for key, plan in due]) > 0 or has_failed

    def prepare(self, manifest: Json) -> Json:
        """Decide about a Workload that is about to be created, where the system would decide by itself before
        it is told, and begin an outage that is about it; return the manifest that is created.
        """
        metadata = manifest["metadata"]
        key = metadata.get("namespace", ""), metadata["name"]
        if manifest["kind"] != "Workload":
            return manifest
        manifest = self._outage.prepare(key, manifest, self._means, self._early)
        plan = self._wanted.get(key) or self._wanted.get((key[0], ""))
        state_driver = self._way(plan) if plan else None
        if not plan or not state_driver or self._drivers.are_shared:
            return manifest
        if state_driver.driver is not None and state_driver.driver.needs_workload:
            # Another Workload of that name has nothing of an earlier decision on it.
            self._given.pop(key, None)
        if key in self._given or self._drivers.can_be_left_open:
            return manifest
        decisions = self._decisions(key, plan)
        prepared = self._early.make(state_driver, decisions, manifest, self._means)
        if prepared is None:
            return manifest
        self._given[key] = plan, decisions
        return prepared

    def _is_due(self, key: Key, plan: PlannedAnswer) -> bool:
        """Tell whether there is something to decide: for the first time, otherwise than before, about more
        Workloads or checks, or anew because the subject asks in another object.
        """
        decided, state_driver = self._given.get(key), self._way(plan)
        if decided is None or decided[0] != plan or self._has_failed:
            return True
        if self._drivers.are_shared and len(decided[1]) < len(self._decisions(key, plan)):
            return True
        driver = state_driver.driver if state_driver else None
        return isinstance(driver, RepeatingDriver) and any(
            driver.is_due(decision, self._means) for decision in decided[1]
        )

    def reset(self) -> None:
        """Undo the decisions; what lies in a cluster that ends with the case goes with it."""
        self._outage.end_all(self._means)
        if self._drivers.are_shared and "pending" in self._drivers.by_state:
            # A switch stays where it is when the case ends, also one that nothing else can undo.
            self._wanted = dict.fromkeys(self._given, UNDECIDED)
            self.act()
            return
        for key, (plan, _) in self._given.items():
            if not self._context.budgets.virtual or self._must_undo_first(plan):
                self._take_back(key, frozenset())
        self._given.clear()

    def _plans(self) -> Iterator[tuple[Key, PlannedAnswer]]:
        if self._drivers.are_shared:
            yield from self._wanted.items()
            return
        for key in self._workloads() if self._wanted else ():
            plan = self._wanted.get(key) or self._wanted.get((key[0], ""))
            if plan is not None:
                yield key, plan

    def _workloads(self) -> Sequence[Key]:
        # A Workload that was made beside a Job of its own is listed with those of the namespace as well.
        return list(dict.fromkeys(self._created_workloads()))

    def _created_workloads(self) -> Iterator[Key]:
        created = self._context.client.created
        yield from ((namespace, name) for resource, namespace, name in created if resource.kind == "Workload")
        for namespace in {namespace for resource, namespace, _ in created if resource.kind == "Job"}:
            workloads = self._context.client.list("Workload", namespace)
            yield from ((namespace, workload["metadata"]["name"]) for workload in workloads)

    def _decide(self, key: Key, plan: PlannedAnswer) -> bool:
        """Make the decision; return whether a driver could."""
        state_driver, old = self._way(plan), self._given.get(key)
        decisions = self._decisions(key, plan)
        changed = old is not None and old[0] != plan
        explicit = bool(old and changed and old[1] and self._must_undo_first(old[0]))
        if explicit:
            self._take_back(key, frozenset())
        # Made once: of a switch that stays as it is only what is new is decided.
        stands = old is not None and not changed and not self._has_failed and self._drivers.are_shared
        done = old[1] if old and stands else ()
        for decision in decisions:
            if state_driver and state_driver.driver and decision not in done and self._is_there(decision):
                try:
                    state_driver.driver.decide(decision, self._means, state_driver.timeout)
                except NoDecisionTarget:
                    return False
        if old and not explicit and (changed or not self._drivers.are_shared):
            self._take_back(key, _names_in_use(state_driver, decisions))
        if old and changed and plan.answer["state"] == "Pending" != old[0].answer["state"]:
            self._taken_back += 1
        self._given[key] = plan, decisions
        return True

    def _is_there(self, decision: Decision) -> bool:
        """Tell whether the Workload of a decision exists; one about all Workloads needs none."""
        about = decision.workload
        return not about or self._context.client.find("Workload", about, decision.namespace) is not None

    def _take_back(self, key: Key, keep: frozenset[str]) -> None:
        plan, decisions = self._given[key]
        state_driver = self._way(plan)
        if state_driver is None:
            return
        for decision in decisions:
            state_driver.take_back(decision, self._means, keep)

    def _must_undo_first(self, plan: PlannedAnswer) -> bool:
        """Tell whether an `undo` was written for a decision:
        it may take back more than that decision left.
        """
        state_driver = self._way(plan)
        return state_driver is not None and state_driver.undo is not None

    def _way(self, plan: PlannedAnswer) -> StateDriver | None:
        """Return the way to a state; none to Pending, where it is not declared: then nothing is decided."""
        return self._drivers.by_state.get(plan.answer["state"].lower())

    def _decisions(self, key: Key, plan: PlannedAnswer) -> list[Decision]:
        """Return what a driver is to decide: about one Workload, about all at once, or about each of them
        where another driver of the subject decides about all at once.
        """
        state_driver = self._way(plan)
        if state_driver is None:
            return []
        workloads = [key]
        if self._drivers.are_shared and not state_driver.is_shared:
            workloads = [workload for workload in self._workloads() if key[0] in ("", workload[0])]
        return [decision for workload in workloads for decision in self._of(workload, plan, state_driver)]

    def _decision_of_outage(self, key: Key) -> Decision:
        return Decision(
            namespace=key[0],
            workload=key[1],
            state="Trouble",
            message="the outside system is out of order",
            check=next(iter(self._checks), ""),
            controller=self._controller,
        )

    def _of(self, key: Key, plan: PlannedAnswer, state_driver: StateDriver) -> list[Decision]:
        answer: Mapping[str, str] = plan.answer
        checks = list(self._checks) if state_driver.tells("check") else list(self._checks[:1])
        details = {name: answer[name] for name in _MORE if name in answer}
        return [
            Decision(
                namespace=key[0],
                workload=key[1],
                state=answer["state"],
                message=answer["message"],
                check=check,
                controller=self._controller,
                details=details,
            )
            for check in checks or [""]
        ]


def _names_in_use(state_driver: StateDriver | None, decisions: Sequence[Decision]) -> frozenset[str]:
    if state_driver is None or state_driver.driver is None:
        return frozenset()
    return frozenset().union(*map(state_driver.driver.leaves, decisions))


def _details(plan: PlannedAnswer) -> list[str]:
    """Return what the scenario wants to be told beside the state."""
    names = [name for name in _MORE if name in plan.answer]
    return ["message", *names] if plan.exact else names
