"""Workloads that each wait for a ProvisioningRequest, end to end over HTTPS: `fakecluster serve`,
`kueue-reference`, and this process.

This process is the user, and the autoscaler: it answers each request with one patch of its status. CPU is
that of the two programs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from reference_impl.api import kinds
from reference_impl.api.resource import Resource, key_of
from reference_impl.runtime import kubeconfig
from reference_impl.runtime.client import Client

from . import objects
from .figure import Figure
from .objects import Json
from .processes import Program, running

NUMBERS = (100, 1_000, 10_000)
ANSWERED = 1_000
QUEUES, WRITERS = 5, 16
LIMIT = 3600.0
QUIET = ("--metrics-bind-address", "0", "--health-bind-address", "0")


def figures() -> Iterator[Figure]:
    """Yield what requests cost, in growing numbers, and what admissions without them cost beside."""
    for number in NUMBERS:
        yield from _figures(number, "requests made", asks=True, answers=False)
    yield from _figures(NUMBERS[-1], "admitted without a check", asks=False, answers=False)
    for asks in (False, True):
        title = "admitted after an answer" if asks else "admitted without a check"
        yield from _figures(ANSWERED, title, asks=asks, answers=asks)


def _figures(number: int, title: str, *, asks: bool, answers: bool) -> Iterator[Figure]:
    with TemporaryDirectory() as folder:
        config = str(Path(folder) / "kubeconfig")
        serve = ("serve", "--clock", "wall", "--controllers", "none", "--kubeconfig", config)
        with (
            running("fakecluster", *serve) as server,
            running(
                "reference_impl", "--install", "--leader-elect=false", "--kubeconfig", config, *QUIET
            ) as kueue,
        ):
            seconds, spent = asyncio.run(
                _measure(config, (server, kueue), number, asks=asks, answers=answers)
            )
    yield Figure(f"{number} Workloads, {title}: until the last", (seconds,), "s")
    for name, used in zip(("fakecluster", "kueue-reference"), spent, strict=True):
        yield Figure(f"  CPU of {name} per Workload", (used * 1000 / number,), "ms")


async def _measure(
    config: str, programs: tuple[Program, ...], number: int, *, asks: bool, answers: bool
) -> tuple[float, list[float]]:
    """Return the seconds from the first create to the last event, and the CPU seconds of each program."""
    client = Client(kubeconfig.load(Path(config)), user_agent="benchmarks")
    try:
        await _prepare(client, asks=asks)
        autoscaler = _Autoscaler(client) if answers else None
        waits = [_await_objects(client, kinds.WORKLOADS, number, _is_admitted)] if answers or not asks else []
        if asks:
            waits.append(
                _await_objects(
                    client, kinds.PROVISIONING_REQUESTS, number, autoscaler.answer if autoscaler else _any
                )
            )
        watching = [asyncio.create_task(wait) for wait in waits]
        before, began = [program.cpu() for program in programs], perf_counter()
        await asyncio.gather(*(_create(client, range(start, number, WRITERS)) for start in range(WRITERS)))
        async with asyncio.timeout(LIMIT):
            await asyncio.gather(*watching)
        return perf_counter() - began, [
            program.cpu() - cpu_before for program, cpu_before in zip(programs, before, strict=True)
        ]
    finally:
        await client.close()


async def _prepare(client: Client, *, asks: bool) -> None:
    if asks:
        await client.create(kinds.PROVISIONING_REQUEST_CONFIGS, objects.provisioning_config())
        await client.create(kinds.ADMISSION_CHECKS, objects.provisioning_check())
    await client.create(kinds.RESOURCE_FLAVORS, objects.flavor())
    for number in range(QUEUES):
        await client.create(kinds.CLUSTER_QUEUES, objects.cluster_queue(number, checked=asks))
        await client.create(kinds.LOCAL_QUEUES, objects.local_queue(number))


async def _create(client: Client, numbers: range) -> None:
    for number in numbers:
        manifest = objects.workload(f"workload-{number}", f"queue-{number % QUEUES}")
        await client.create(kinds.WORKLOADS, manifest)


async def _await_objects(
    client: Client, resource: Resource, number: int, counts: Callable[[Json], bool]
) -> None:
    """Return when so many objects counted."""
    names: set[str] = set()
    async with client.watch(resource, {}) as stream:
        async for batch in stream.batches:
            names.update(event["object"]["metadata"]["name"] for event in batch if counts(event["object"]))
            if len(names) == number:
                return


def _any(_obj: Json) -> bool:
    return True


def _is_admitted(workload: Json) -> bool:
    conditions = (workload.get("status") or {}).get("conditions") or ()
    return any(condition["type"] == "Admitted" and condition["status"] == "True" for condition in conditions)


class _Autoscaler:
    """Finds room for every request at once."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._answers: set[asyncio.Task[Json]] = set()

    def answer(self, request: Json) -> bool:
        if (request.get("status") or {}).get("conditions"):
            return True
        patch = {"status": {"conditions": [objects.condition("Provisioned", "found")]}}
        resource = kinds.PROVISIONING_REQUESTS
        sending = self._client.patch(resource, key_of(request), patch, subresource="status")
        task = asyncio.create_task(sending)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)
        return False
