"""The composition: which parts make the control plane, and how they start and stop on a loop.

manager = Manager(Config(connection=kubeconfig.load(path)), WallClock())
await manager.start()      # in sync and reconciling
await manager.stop()
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from .config import Config
from .runtime.client import Client
from .runtime.clock import Clock
from .runtime.errors import OutsideError
from .runtime.health import Endpoints
from .runtime.log import Logger
from .runtime.metrics import Registry
from .runtime.part import Part, Runtime
from .runtime.recorder import Broadcaster

if TYPE_CHECKING:
    from .dialects import Dialect

Composition = Callable[[Config], Sequence[Part]]
USER_AGENT = "kueue/v0.19.2 (reference) kubernetes/unknown"


def compose(config: Config) -> Sequence[Part]:
    """Return the parts of Kueue's control plane."""
    from .jobs.controller import JobPart
    from .queues.part import QueuePart
    from .workload.controller import WorkloadPart

    dialect = _dialect(config)
    rules = dialect.workload
    queues = QueuePart(config, rules)
    jobs = JobPart(
        rules=rules,
        order=dialect.job_order,
        manages_all=config.manage_jobs_without_queue_name,
        finishes_orphans=config.features["FinishOrphanedWorkloads"],
    )
    return (queues, WorkloadPart(rules, queues.board), jobs)


def _dialect(config: Config) -> Dialect:
    """Return the dialect that was asked for, with its own patience for pods unless that was configured."""
    from . import defects, dialects
    from .workload.rules import PodsReady

    dialect = dialects.dialect(config.dialect)
    if config.pods_ready != PodsReady():
        rules = replace(dialect.workload, pods_ready=config.pods_ready)
        dialect = replace(dialect, workload=rules)
    return dialect if config.defects else defects.without(dialect)


class Manager:
    """Runs parts against one API server, on the loop on which it is started."""

    def __init__(self, config: Config, clock: Clock, composition: Composition = compose) -> None:
        self.config = config
        self.clock = clock
        self.metrics = Registry(common={"replica_role": "standalone"})
        self.log = Logger(clock=clock, level=config.log_level)
        self.ready = False
        self._deaths = asyncio.Event()
        self._composition = composition
        self._client: Client | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._endpoints: list[Endpoints] = []

    async def start(self) -> None:
        """Bring every informer in sync, then let the parts work."""
        with self.clock.busy():
            await self._serve()
            runtime = self._runtime()
            parts = [(part, part.assemble(runtime)) for part in self._composition(self.config)]
            self._spawn("events", runtime.broadcaster.run())
            for informer in runtime.informers.values():
                self._spawn(f"informer {informer.resource}", informer.run())
            await asyncio.gather(*(informer.synced.wait() for informer in runtime.informers.values()))
            for part, runnables in parts:
                for runnable in runnables:
                    self._spawn(part.name, runnable.run())
            self.ready = True

    async def died(self) -> None:
        """Wait until a part ends by itself, which is a fault of this program; raises OutsideError."""
        await self._deaths.wait()
        raise OutsideError("a part of the control plane died; see the log above")

    async def stop(self) -> None:
        """End every task and close every connection."""
        self.ready = False
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        for endpoints in self._endpoints:
            await endpoints.stop()
        if self._client is not None:
            await self._client.close()

    def _runtime(self) -> Runtime:
        self._client = Client(self.config.connection, user_agent=USER_AGENT)
        return Runtime(
            client=self._client,
            clock=self.clock,
            log=self.log,
            metrics=self.metrics,
            broadcaster=Broadcaster(self._client, self.clock, self.log),
            random=random.Random(self.config.seed),  # noqa: S311 jitter, no secret
        )

    async def _serve(self) -> None:
        """Open the endpoints that were asked for; one address serves both when they are the same."""
        metrics, health = self.config.metrics_address, self.config.health_address
        for address in dict.fromkeys(filter(None, (metrics, health))):
            registry = self.metrics if address == metrics else None
            endpoints = Endpoints(address, ready=lambda: self.ready, metrics=registry)
            await endpoints.start()
            self._endpoints.append(endpoints)

    def _spawn(self, name: str, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        task.add_done_callback(self._ended)
        self._tasks.append(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (error := task.exception()) is None:
            return
        self.log.error("part died", part=task.get_name(), error=f"{type(error).__name__}: {error}")
        self._deaths.set()
