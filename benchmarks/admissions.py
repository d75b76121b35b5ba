"""2 000 bare Workloads in 5 ClusterQueues, end to end over HTTPS: `fakecluster serve`, `kueue-reference`, and
this process as user.

Once without a check, once with one that this process answers at
once by server-side apply. CPU is that of the two programs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from reference_impl.api import kinds
from reference_impl.api.resource import Resource
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client

from . import objects, real_stack
from .figure import Figure
from .objects import Json
from .processes import Program, running

WORKLOADS, QUEUES, WRITERS = 2000, 5, 16
LIMIT = 240.0


def figures() -> Iterator[Figure]:
    """Yield rate and CPU per Workload, without and with a check."""
    for checked in (False, True):
        with TemporaryDirectory() as folder:
            yield from _stack(str(Path(folder) / "kubeconfig"), checked=checked)


def _stack(config: str, *, checked: bool) -> Iterator[Figure]:
    with (
        running(
            "fakecluster", "serve", "--clock", "wall", "--controllers", "none", "--kubeconfig", config
        ) as server,
        running(
            "reference_impl",
            "--install",
            "--leader-elect=false",
            "--kubeconfig",
            config,
            "--metrics-bind-address",
            "0",
            "--health-bind-address",
            "0",
        ) as kueue,
    ):
        seconds, spent = asyncio.run(_measure_admissions(config, (server, kueue), checked=checked))
    label = "with a check" if checked else "without checks"
    yield Figure(
        f"admissions {label}",
        (WORKLOADS / seconds,),
        "1/s",
        "≥ 26" if checked else "≥ 138",
        real_stack.RATE[checked],
    )
    peers = (real_stack.SERVER_CPU[checked], real_stack.KUEUE_CPU[checked])
    for name, used, peer in zip(("fakecluster", "kueue-reference"), spent, peers, strict=True):
        yield Figure(f"  CPU of {name} per Workload", (used * 1000 / WORKLOADS,), "ms", "", peer)


async def _measure_admissions(
    config: str, programs: tuple[Program, ...], *, checked: bool
) -> tuple[float, list[float]]:
    """Return the seconds from the first create to the last Admitted, and each program's CPU seconds."""
    client = Client(kubeconfig.load(Path(config)), user_agent="benchmarks")
    try:
        await _prepare(client, checked=checked)
        user = _User(client)
        watching = asyncio.create_task(user.watch(checked=checked))
        before, began = [program.cpu() for program in programs], perf_counter()
        await asyncio.gather(*(user.create(range(start, WORKLOADS, WRITERS)) for start in range(WRITERS)))
        async with asyncio.timeout(LIMIT):
            await watching
        return perf_counter() - began, [
            program.cpu() - cpu_before for program, cpu_before in zip(programs, before, strict=True)
        ]
    finally:
        await client.close()


async def _prepare(client: Client, *, checked: bool) -> None:
    if checked:
        await client.create(kinds.ADMISSION_CHECKS, objects.check())
        await client.apply(
            kinds.ADMISSION_CHECKS, objects.active(), manager="benchmarks", subresource="status"
        )
    await client.create(kinds.RESOURCE_FLAVORS, objects.flavor())
    for number in range(QUEUES):
        await client.create(kinds.CLUSTER_QUEUES, objects.cluster_queue(number, checked=checked))
        await client.create(kinds.LOCAL_QUEUES, objects.local_queue(number))


class _User:
    """Creates Workloads, watches them, and answers their check."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._kind: Resource = kinds.WORKLOADS
        self._answers: set[asyncio.Task[Json]] = set()

    async def create(self, numbers: range) -> None:
        for number in numbers:
            await self._client.create(
                self._kind, objects.workload(f"workload-{number}", f"queue-{number % QUEUES}")
            )

    async def watch(self, *, checked: bool) -> None:
        """Return when every Workload is admitted."""
        admitted: set[str] = set()
        answered: set[str] = set()
        async with self._client.watch(self._kind, {}) as stream:
            async for batch in stream.batches:
                for event in batch:
                    status = event["object"].get("status") or {}
                    name = event["object"]["metadata"]["name"]
                    if checked and name not in answered and _waits(status):
                        answered.add(name)
                        self._answer(event["object"])
                    if any(
                        condition["type"] == "Admitted" and condition["status"] == "True"
                        for condition in status.get("conditions", ())
                    ):
                        admitted.add(name)
                if len(admitted) == WORKLOADS:
                    return

    def _answer(self, workload: Json) -> None:
        sending = self._client.apply(
            self._kind, objects.verdict(workload), manager=objects.CONTROLLER, subresource="status"
        )
        task = asyncio.create_task(sending)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)


def _waits(status: Json) -> bool:
    return any(check_entry["state"] == "Pending" for check_entry in status.get("admissionChecks", ()))
