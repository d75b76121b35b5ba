"""A zoo: a right implementation and wrong ones of the same thing, judged by the scenarios of one profile."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Protocol

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.options.settings import UPGRADE
from kueue_conformance.scenarios.dialect import every

from . import judging, judging_planes
from .mutants import mutants
from .planes import integrations, planes
from .seeding import in_seeds

SEEDS = range(1, 21)
"""A wrong implementation must be caught in each of them: names and orders are other ones."""
Caught = Iterator[tuple[str, int, bool]]
"""The name of a wrong implementation, a seed, and whether the scenario named for it caught it."""


class Wrong(Protocol):
    """A wrong implementation: it breaks a row of the documents, and a scenario must catch it."""

    @property
    def name(self) -> str: ...
    @property
    def family(self) -> str: ...
    @property
    def row(self) -> str: ...
    @property
    def wrong(self) -> str: ...
    @property
    def named(self) -> str: ...
    @property
    def level(self) -> str: ...
    @property
    def dialect(self) -> str: ...


@dataclass(frozen=True)
class Zoo:
    """`judge(one, select, exclude=…, seed=…)` returns the scenarios that failed and those that ran; None is
    the right one.
    """

    name: str
    title: str
    place: str
    """The folder of the wrong ones, beside this one."""
    profile: str
    right: str
    find: Callable[[], Sequence[Any]]
    judge: Callable[..., tuple[list[str], list[str]]]
    in_seeds: Callable[[Sequence[str], Sequence[int]], Caught]
    """Judges some of them, by their names, in some seeds."""
    expensive: tuple[str, ...] = ()
    """Scenarios that take longer than all others together: run against those that are named for them."""

    @cached_property
    def wrong(self) -> Sequence[Wrong]:
        """The wrong ones, in the order of the modules."""
        return self.find()

    @property
    def file(self) -> Path:
        """The file of their recorded verdicts."""
        return Path(__file__).with_name(f"{self.name}.yaml")

    def one(self, name: str) -> Wrong:
        """Return a wrong one by its name."""
        return next(named_item for named_item in self.wrong if named_item.name == name)

    def level_of(self, scenario: str) -> str:
        """Return how binding a scenario is."""
        return str(inventory()[scenario].level)


def _one_by_one(zoo: str, names: Sequence[str], seeds: Sequence[int]) -> Caught:
    """Judge wrong ones of a zoo, each in each seed in a run of its own."""
    jobs = [(zoo, name, seed) for name in names for seed in seeds]
    with get_context("spawn").Pool(os.cpu_count(), maxtasksperchild=100) as pool:
        for name, seed, failed in pool.imap_unordered(by_its_scenario, jobs):
            yield name, seed, bool(failed)


def _planes_in_seeds(names: Sequence[str], seeds: Sequence[int]) -> Caught:
    """Judge wrong control planes in forks of a process that has collected the cases, and those whose cases
    it does not collect in runs of their own.
    """
    alone = [plane.name for plane in planes() if plane.name in names and _needs_own_run(plane)]
    yield from in_seeds([name for name in names if name not in alone], seeds)
    yield from _one_by_one("control-planes", alone, seeds)


def _needs_own_run(plane: Wrong) -> bool:
    """Return whether a run for its scenario begins with another release, or judges a patch of a release."""
    return inventory()[plane.named].profile.name == UPGRADE or plane.dialect not in every()


CHECK_CONTROLLERS = Zoo(
    "check-controllers",
    "check controllers",
    "zoo",
    "CHECK-CONTROLLER",
    "check controller",
    mutants,
    judging.judge_mutant,
    partial(_one_by_one, "check-controllers"),
    judging.EXPENSIVE,
)
CONTROL_PLANES = Zoo(
    "control-planes",
    "control planes",
    "wrong_planes",
    "ADMISSION",
    "reference",
    planes,
    judging_planes.judge,
    _planes_in_seeds,
)
JOB_INTEGRATIONS = Zoo(
    "job-integrations",
    "job integrations",
    "wrong_integrations",
    "JOB-INTEGRATION",
    "integration of Jobs",
    integrations,
    judging_planes.judge_integration,
    partial(_one_by_one, "job-integrations"),
)
ZOOS = {zoo.name: zoo for zoo in (CHECK_CONTROLLERS, CONTROL_PLANES, JOB_INTEGRATIONS)}


def by_its_scenario(job: tuple[str, str, int]) -> tuple[str, int, list[str]]:
    """Return the name of a wrong one, the seed, and what it failed of the one scenario that is named for it:
    a job of a worker.
    """
    zoo, name, seed = job
    item = ZOOS[zoo].one(name)
    return name, seed, ZOOS[zoo].judge(item, [item.named], seed=seed)[0]


def by_everything(job: tuple[str, str]) -> tuple[str, list[str], float]:
    """Return the name of a wrong one, what it failed of everything,
    and how many seconds that took: a job of a worker.
    """
    name, zoo, began = job[1], ZOOS[job[0]], time.monotonic()
    item = zoo.one(name)
    failed, _ = zoo.judge(
        item,
        exclude=[
            expensive_scenario for expensive_scenario in zoo.expensive if expensive_scenario != item.named
        ],
    )
    return name, failed, time.monotonic() - began
