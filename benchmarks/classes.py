"""Upstream's performance scenario end to end over HTTPS: 15 000 Workloads of three classes in 5 cohorts of 6
ClusterQueues (P-006, P-007).

`fakecluster serve`, `kueue-reference`, and this process as user and as job integration: it ends what was
admitted once its time is over, and takes reservations back from what was evicted.
"""

from __future__ import annotations

import asyncio
import heapq
from collections import Counter, defaultdict
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from reference_impl.api import instants, kinds
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client

from . import objects
from .figure import Figure
from .objects import Json
from .processes import Program, running

COHORTS, QUEUES = 5, 6
ALL = COHORTS * QUEUES
LIMIT, WRITERS = 1500.0, 16
OURS = "kueue-admission"
"""The field manager that owns reservations, as which a job integration takes them back."""


@dataclass(frozen=True, slots=True)
class Class:
    """Workloads of one kind in each ClusterQueue; times in seconds."""

    name: str
    count: int
    runs: float
    priority: int
    cores: int
    interval: float
    most: str
    """The average time to admission that upstream allows (P-007)."""


CLASSES = (
    Class("large", 50, 1.0, 200, 20, 1.2, "≤ 23"),
    Class("medium", 100, 0.5, 100, 5, 0.5, "≤ 90"),
    Class("small", 350, 0.2, 50, 1, 0.1, "≤ 260"),
)
TOTAL = ALL * sum(workload_class.count for workload_class in CLASSES)
UPSTREAM = Figure("upstream's own run", (43.0,), "1/s")


def figures() -> Iterator[Figure]:
    """Yield the rate, the time to admission of each class, and the CPU of a Workload."""
    with TemporaryDirectory() as folder:
        config = str(Path(folder) / "kubeconfig")
        nowhere = ("--metrics-bind-address", "0", "--health-bind-address", "0")
        with (
            running(
                "fakecluster", "serve", "--clock", "wall", "--controllers", "none", "--kubeconfig", config
            ) as server,
            running(
                "reference_impl", "--install", "--leader-elect=false", "--kubeconfig", config, *nowhere
            ) as kueue,
        ):
            yield from _figures_of(*asyncio.run(_play(config, (server, kueue))))


def _figures_of(user: User, seconds: float, spent: list[float]) -> Iterator[Figure]:
    note = f"{user.evictions} evictions, {user.seen['Admitted']} Workloads in {seconds:.0f} s"
    yield Figure("admissions of three classes", (TOTAL / seconds,), "1/s", "≥ 42", UPSTREAM, note)
    for workload_class in CLASSES:
        waited = user.waited[workload_class.name]
        cuts = quantiles(waited, n=20)
        note = f"p50 {cuts[9]:.1f}, p95 {cuts[18]:.1f} s"
        mean = sum(waited) / len(waited)
        yield Figure(
            f"  time to admission, {workload_class.name}: mean", (mean,), "s", workload_class.most, note=note
        )
    for name, used in zip(("fakecluster", "kueue-reference"), spent, strict=True):
        yield Figure(f"  CPU of {name} per Workload", (used * 1000 / TOTAL,), "ms")


async def _play(config: str, programs: tuple[Program, ...]) -> tuple[User, float, list[float]]:
    """Return the user, the seconds from the first create
    to the last Finished, and each program's CPU seconds.
    """
    client = Client(kubeconfig.load(Path(config)), user_agent="benchmarks")
    try:
        await client.create(kinds.RESOURCE_FLAVORS, objects.flavor())
        for number in range(ALL):
            await client.create(kinds.CLUSTER_QUEUES, _cluster_queue(number))
            await client.create(kinds.LOCAL_QUEUES, objects.local_queue(number))
        user = User(client)
        before, began = [program.cpu() for program in programs], perf_counter()
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(user.watch(), user.create())
        spent = [program.cpu() - cpu_before for program, cpu_before in zip(programs, before, strict=True)]
        return user, perf_counter() - began, spent
    finally:
        await client.close()


class User:
    """Creates Workloads as time passes, ends them when they have run, and lets go of what was evicted."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._class = {
            f"{workload_class.name}-{n}": workload_class
            for workload_class in CLASSES
            for n in range(workload_class.count * ALL)
        }
        self._created: dict[str, float] = {}
        self._running: dict[str, asyncio.TimerHandle] = {}
        self._released: set[tuple[str, str]] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._writing = asyncio.Semaphore(WRITERS)
        self.waited: defaultdict[str, list[float]] = defaultdict(list)
        self.seen: Counter[str] = Counter()
        self.evictions = 0

    async def create(self) -> None:
        """Create every Workload when it is due."""
        due = [
            (workload_class.interval * (number // ALL + 1), f"{workload_class.name}-{number}", number % ALL)
            for workload_class in CLASSES
            for number in range(workload_class.count * ALL)
        ]
        heapq.heapify(due)
        began = perf_counter()
        creating = asyncio.Semaphore(WRITERS)
        while due:
            at, name, queue = heapq.heappop(due)
            await asyncio.sleep(max(0.0, began + at - perf_counter()))
            await creating.acquire()
            self._start(self._create(name, queue)).add_done_callback(lambda _: creating.release())

    async def _create(self, name: str, queue: int) -> None:
        kind = self._class[name]
        manifest = objects.workload(name, f"queue-{queue}", cores=kind.cores)
        manifest["spec"]["priority"] = kind.priority
        self._created[name] = perf_counter()
        await self._client.create(kinds.WORKLOADS, manifest)

    async def watch(self) -> None:
        """Return when every Workload has ended."""
        done: set[str] = set()
        async with self._client.watch(kinds.WORKLOADS, {}) as stream:
            async for batch in stream.batches:
                for event in batch:
                    workload = Workload(event["object"])
                    if workload.is_finished:
                        done.add(workload.name)
                    else:
                        self._look(workload)
                if len(done) == TOTAL:
                    return

    def _look(self, workload: Workload) -> None:
        name, kind = workload.name, self._class[workload.name]
        if workload.is_evicted:
            if (timer := self._running.pop(name, None)) is not None:
                timer.cancel()
            since = workload.condition("Evicted") or {}
            mark = (name, since.get("lastTransitionTime", ""))
            if workload.has_counted_quota and mark not in self._released:
                self._released.add(mark)
                self.evictions += 1
                self._start(self._release(workload))
        elif workload.is_admitted and name not in self._running:
            if name in self._created:
                self.waited[kind.name].append(perf_counter() - self._created.pop(name))
                self.seen["Admitted"] += 1
            loop = asyncio.get_running_loop()
            self._running[name] = loop.call_later(kind.runs, lambda: self._start(self._finish(name)))

    async def _finish(self, name: str) -> None:
        await self._apply(name, {"conditions": [objects.condition("Finished", "done")]}, "benchmarks")

    async def _release(self, workload: Workload) -> None:
        """Take a reservation back as a job integration does once the pods are gone."""
        written_at = instants.render(perf_counter())
        condition_fields = {"reason": "Pending", "message": "preempted", "lastTransitionTime": written_at}
        conditions_that_stay = [
            condition for condition in workload.conditions if condition["type"] in {"Evicted", "Preempted"}
        ]
        gone = [
            {"type": kind, "status": "False", **condition_fields} for kind in ("QuotaReserved", "Admitted")
        ]
        requeued = {"type": "Requeued", "status": "True", **condition_fields, "reason": "Preempted"}
        await self._apply(workload.name, {"conditions": [*conditions_that_stay, *gone, requeued]}, OURS)

    async def _apply(self, name: str, status: Json, manager: str) -> None:
        body = {"apiVersion": objects.VERSION, "kind": "Workload"}
        body |= {"metadata": {"name": name, "namespace": "default"}, "status": status}
        async with self._writing:
            await self._client.apply(kinds.WORKLOADS, body, manager=manager, subresource="status")

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


def _cluster_queue(number: int) -> Json:
    queue = objects.cluster_queue(number, checked=False)
    quota = [
        {"name": "cpu", "nominalQuota": "20", "borrowingLimit": "100"},
        {"name": "memory", "nominalQuota": "1000Ti"},
    ]
    queue["spec"]["resourceGroups"][0]["flavors"][0]["resources"] = quota
    policies = {"reclaimWithinCohort": "Any", "withinClusterQueue": "LowerPriority"}
    queue["spec"] |= {"cohortName": f"cohort-{number % COHORTS}", "preemption": policies}
    return queue
