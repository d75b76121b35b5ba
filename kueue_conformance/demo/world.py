"""The cluster of the demonstration: a fake cluster, Kueue, an autoscaler and a cloud, on one manual clock.

Kueue, the autoscaler and the cloud are the programs of the reference, clients of one API server.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

from fakecluster import FakeCluster
from reference_impl.api.crds import definitions, definitions_for_requests
from reference_impl.api.kinds import JOBS
from reference_impl.api.resource import Key
from reference_impl.autoscaler.flags import Flags
from reference_impl.autoscaler.part import AutoscalerPart
from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.in_process import InProcessCloud
from reference_impl.cloud.model import CloudModel
from reference_impl.cloud.part import CloudPart
from reference_impl.kueue.composition import program
from reference_impl.kueue.config import Config
from reference_impl.runtime.alarm import Alarm
from reference_impl.runtime.kubeconfig import Connection
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.part import Runnable, Runtime
from reference_impl.runtime.program import Program

from ..base.json_types import Json

# The user of the demonstration: a client that creates a Job at a fixed time, on the shared event loop, so
# that each run is the same.
AFTER = 5.0
"""Seconds after the start, when everything else is quiet."""


@dataclass(frozen=True, slots=True)
class User:
    """A part of a program that creates Jobs."""

    jobs: Sequence[Json]

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Return what waits for its time."""
        return [_JobCreation(runtime, self.jobs)]


@dataclass(frozen=True, slots=True)
class _JobCreation:
    runtime: Runtime
    jobs: Sequence[Json]
    name: str = "user"

    async def run(self) -> None:
        """Wait, then create the Jobs."""
        alarm = Alarm(self.runtime.clock)
        try:
            await alarm.wait(AFTER)
            for job in self.jobs:
                await self.runtime.client.create(JOBS, job)
            await alarm.wait(math.inf)
        finally:
            alarm.close()


DIALECT = "v0.19"
CONTROLLERS = "namespaces,garbage,jobs,kubelets"


@contextmanager
def world(
    groups: Sequence[NodeGroupSpec], flags: Flags, queues: Sequence[Json], jobs: Sequence[Json]
) -> Iterator[FakeCluster]:
    """Start everything, with queues and a user who creates Jobs;
    time stands still until the cluster is told to `advance`.
    """
    with (
        FakeCluster(controllers=CONTROLLERS, clock="virtual", tls=False, seed=1) as cluster,
        ExitStack() as exit_stack,
    ):
        cluster.apply([*definitions(DIALECT), *definitions_for_requests("ca"), *queues])
        cluster.settle()
        connection = Connection(server=cluster.url, token=cluster.token(), dial=cluster.dial)
        model = CloudModel(groups, current_time=cluster.clock.now)
        autoscaler = AutoscalerPart(flags, InProcessCloud(model))
        programs = (
            program(Config(connection=connection, dialect=DIALECT, leader_election=False)),
            _program("cloud", connection, CloudPart(model)),
            _program("cluster-autoscaler", connection, autoscaler),
            _program("kubectl", connection, User(jobs)),
        )
        exit_stack.callback(
            _start(cluster, [Manager(program_, cluster.virtual_clock) for program_ in programs])
        )
        yield cluster


def _program(agent: str, connection: Connection, component: Any) -> Program:
    return Program(
        user_agent=f"{agent}/demo",
        lease=Key("kube-system", agent),
        connection=connection,
        components=(component,),
    )


def _start(cluster: FakeCluster, managers: Sequence[Manager]) -> Callable[[], None]:
    """Start programs; return a function that stops them when the cluster is quiet.

    They start at a moment of virtual time, so that all they do is done in turns of the cluster's loop: its
    order is the same in each run.
    """
    clock, busy, tasks = cluster.virtual_clock, ExitStack(), []

    async def start() -> None:
        with busy:
            for manager in managers:
                await manager.start()

    def begin() -> None:
        busy.enter_context(clock.busy())
        tasks.append(asyncio.get_running_loop().create_task(start()))

    async def stop() -> None:
        for manager in managers:
            await manager.stop()

    cluster.call(lambda: clock.call_at(clock.now(), begin))
    cluster.settle()
    tasks[0].result()
    return lambda: cluster.run(stop())
