"""Queues, cycles and preemption on random clusters decide as a model that computes all anew (P-051)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

import pytest

from reference_impl.kueue.quota.resources import FlavorResource as Pair

from .model.cycle import Model
from .model.values import Queue, Set, Wish
from .preemption.arenas import limited, policies
from .queue_side import V0_19_DIALECT, Cluster, group, pod_set

EACH = replace(V0_19_DIALECT, pending=replace(V0_19_DIALECT.pending, parks_equivalent_workloads=False))
"""v0.19, but every Workload is looked at: one that does not fit takes no equals along."""
NAMES = ("a", "b", "c", "d")
COHORTS = {"left": "root", "deep": "left", "root": ""}
SEEDS = (*range(100, 150), 1033, 1044, 1170, 1283, 1327, 1393, 1525)
"""Fifty, and those that once showed a difference."""


@dataclass(frozen=True)
class Script:
    """Queues, the quotas of cohorts, and what happens, with whether cycles run after it."""

    unit: int
    """How much one of anything is. Where it is the smallest
    amount there is, a decision that is wrong by one shows.
    """
    queues: tuple[tuple[str, Queue, dict[Pair, tuple[int, int | None, int | None]]], ...]
    cohorts: dict[str, dict[Pair, tuple[int, int | None, int | None]]]
    steps: tuple[tuple[Any, ...], ...]


def script(seed: int) -> Script:
    """Four queues in or beside three nested cohorts, of up to three flavors of one or two resources; cycles
    run after some steps.
    """
    drawn, unit = Random(seed), 1 if seed % 2 else 1000
    pick, chance = drawn.choice, lambda share: drawn.random() < share
    resources = pick([("cpu",), ("cpu",), ("cpu", "memory")])

    def quotas(flavors: tuple[str, ...], most: int, *, limits: bool) -> Any:
        limits_of_flavors = {}
        for pair in [Pair(flavor, name) for flavor in flavors for name in resources]:
            nominal = drawn.randint(0, most)
            bl, ll = (
                drawn.randint(0, top) * unit if limits and chance(0.2) else None for top in (3, nominal)
            )
            limits_of_flavors[pair] = nominal * unit, bl, ll
        return limits_of_flavors

    queues = []
    for name in NAMES:
        cohort = pick(["root", "root", "left", "deep", ""])
        flavors = pick([("f",), ("f",), ("f", "g"), ("g", "f", "h")])
        within = pick(["LowerPriority", "LowerOrNewerEqualPriority", "Never"])
        reclaim = pick(["Any", "LowerPriority", "Never"]) if cohort else "Never"
        borrows = reclaim != "Never" and chance(0.35)
        threshold = pick([None, 0, 1]) if borrows else None
        tries = chance(0.4), chance(0.6)
        sparing = all(tries) and chance(0.5)
        queue = Queue(flavors, resources, chance(0.3), within, reclaim, borrows, threshold, *tries, sparing)
        queues.append((f"{name}@{cohort}", queue, quotas(flavors, 4, limits=bool(cohort))))
    cohorts = {
        name: quotas(("f", "g"), 2, limits=bool(parent)) if chance(0.4) else {}
        for name, parent in COHORTS.items()
    }

    def step() -> tuple[Any, ...]:
        dice = drawn.random()
        if dice < 0.65:
            sets = [
                (drawn.randint(1, 3), drawn.randint(0, 2), pick([1, 1, 2]), chance(0.3))
                for _ in range(pick([1, 1, 1, 2]))
            ]
            return "add", pick(NAMES), pick([0, 0, 0, 1, 2, -1]), sets
        if dice < 0.75:
            return "end", drawn.randint(0, 12)
        return ("release", drawn.randint(0, 1)) if dice < 0.9 else ("quota", pick(NAMES), drawn.randint(0, 5))

    steps = tuple((step(), chance(0.6)) for _ in range(16))
    return Script(unit, tuple(queues), cohorts, (*steps, (("rest", ""), True)))


def render(pair: Pair, value: int) -> str:
    return f"{value}m" if pair.resource == "cpu" else str(value)


class Twins:
    """The reference and the model, to both of which the same happens."""

    def __init__(self, script: Script, follows: Any = EACH) -> None:
        self.script, self.serial = script, 0
        self.specs = {key.partition("@")[0]: (key.partition("@")[2], q) for key, q, _ in script.queues}
        self.quotas = {key.partition("@")[0]: dict(quotas) for key, _, quotas in script.queues}
        self.found = Cluster(follows=follows).flavors("f", "g", "h")
        for name, parent in COHORTS.items():
            spec = {
                "resourceGroups": self._groups(script.cohorts[name]),
                **({"parentName": parent} if parent else {}),
            }
            self.found.notes.cohort(None, {"metadata": {"name": name}, "spec": spec})
        parents = COHORTS | {name: cohort for name, (cohort, _) in self.specs.items()}
        queues = {name: queue for name, (_, queue) in self.specs.items()}
        self.model = Model(queues, parents, {**script.cohorts, **self.quotas})
        for name in NAMES:
            self._queue(name)
        self.said: dict[str, str] = {}

    def _groups(self, quotas: Any) -> Any:
        flavors = dict.fromkeys(pair.flavor for pair in quotas)
        resources = tuple(dict.fromkeys(pair.resource for pair in quotas))
        lines = {
            flavor: [
                limited(
                    *(
                        None if limit is None else render(Pair(flavor, r), limit)
                        for limit in quotas[Pair(flavor, r)]
                    )
                )
                for r in resources
            ]
            for flavor in flavors
        }
        return [group(*resources, **lines)]

    def _queue(self, name: str) -> None:
        cohort, queue = self.specs[name]
        bwc = {"borrow": "LowerPriority", "threshold": queue.threshold} if queue.borrows else {}
        fungibility = {
            "whenCanBorrow": "TryNextFlavor" if queue.next_to_borrow else "MayStopSearch",
            "whenCanPreempt": "TryNextFlavor" if queue.next_to_preempt else "MayStopSearch",
            **({"preference": "PreemptionOverBorrowing"} if queue.sparing else {}),
        }
        quotas = {Pair(f, r): self.quotas[name][Pair(f, r)] for f in queue.flavors for r in queue.resources}
        self.found.queue(
            name,
            *self._groups(quotas),
            preemption=policies(queue.within, queue.reclaim, **bwc),
            flavorFungibility=fungibility,
            queueingStrategy="StrictFIFO" if queue.strict else "BestEffortFIFO",
            **({"cohortName": cohort} if cohort else {}),
        )

    def take(self, step: tuple[Any, ...]) -> None:
        kind, target, *rest = step
        if kind == "add":
            self._add(target, *rest)
        elif kind == "end" and f"ns/w{target}" in self.found.objects:
            self.found.remove(f"w{target}")
            self.model.ends(f"w{target}")
        elif kind == "release" and len(evicted := sorted(self.evicted())) > target:
            self.found.release(evicted[target])
            self.model.releases(evicted[target])
        elif kind == "quota":
            pair = next(iter(self.quotas[target]))
            nominal, bl, ll = self.quotas[target][pair]
            nominal = rest[0] * self.script.unit
            self.quotas[target][pair] = (nominal, bl, None if ll is None else min(ll, nominal))
            self._queue(target)
            self.model.sets_quota(target, dict(self.quotas[target]))

    def _add(self, queue: str, priority: int, sets: Any) -> None:
        name, resources = f"w{self.serial}", self.specs[queue][1].resources
        model_sets = [
            Set(
                f"s{n}",
                {r: v * self.script.unit for r, v in zip(resources, values, strict=False) if v},
                count,
                1 if reducible and not n else count,
            )
            for n, (*values, count, reducible) in enumerate(sets)
        ]
        pod_sets = [
            pod_set(
                s.name,
                s.count,
                {r: render(Pair("f", r), v) for r, v in s.each.items()},
                s.least if s.least < s.count else None,
            )
            for s in model_sets
        ]
        self.found.workload(name, *pod_sets, queue=queue, priority=priority)
        uid = self.found.objects[f"ns/{name}"].uid
        self.model.heap[name] = Wish(name, uid, queue, priority, self.serial, tuple(model_sets))
        self.serial += 1

    def settle(self) -> None:
        self.found.now += 1
        self.said |= self.found.wake().run_all()
        self.model.wakes()
        self.model.settle(self.found.now)

    def evicted(self) -> dict[str, str]:
        return {
            workload.name: workload.condition("Preempted")["reason"]
            for workload in self.found.objects.values()
            if workload.is_evicted and workload.has_counted_quota
        }

    def decided(self) -> dict[str, Any]:
        """Of each Workload with quota: counts and flavors."""
        return {
            workload.name: [
                (s["name"], s["count"], s.get("flavors", {})) for s in workload.admission["podSetAssignments"]
            ]
            for workload in self.found.objects.values()
            if workload.has_counted_quota and workload.admission
        }


@pytest.mark.parametrize("seed", SEEDS)
def test_decisions_are_those_of_the_rules_p_051(seed: int) -> None:
    drawn = script(seed)
    twins = Twins(drawn)
    for step, settles in drawn.steps:
        twins.take(step)
        if not settles:
            continue
        twins.settle()
        model = twins.model
        assert twins.decided() == {limit.name: list(limit.given) for limit in model.held}
        assert twins.evicted() == {limit.name: limit.evicted for limit in model.held if limit.evicted}
        plain = [
            limit.name
            for limit in [*model.heap.values(), *model.parked.values()]
            if len(model.queues[limit.queue].flavors) == 1 and limit.name in model.told
        ]
        assert {name: twins.said.get(name) for name in plain} == {name: model.told[name] for name in plain}


@pytest.mark.parametrize("seed", SEEDS)
def test_parking_equals_with_what_does_not_fit_changes_no_decision_q_045(seed: int) -> None:
    drawn = script(seed)
    twins = Twins(drawn, V0_19_DIALECT)
    for step, settles in drawn.steps:
        twins.take(step)
        if settles:
            twins.settle()
            assert twins.decided() == {limit.name: list(limit.given) for limit in twins.model.held}
