"""The manager: starts and stops the parts of a program on a loop; it knows what none of them does.

manager = Manager(program, WallClock())
await manager.start()      # in sync, serving and reconciling
await manager.stop()
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import secrets
import socket
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TextIO

from ..api.resource import Resource
from .client import Client
from .clock import Clock, pause, within
from .errors import ApiError, OutsideError, UnreachableError
from .fence import Fence
from .leader import Leader
from .log import Logger
from .metrics import Registry
from .part import OptionalPart, Part, Runnable, Runtime, Server
from .program import Program
from .recorder import Broadcaster

if TYPE_CHECKING:
    from .health import Endpoints

SERVED_POLL_SECONDS = 1.0
# For so long the end of a leader waits for answers; without them the lease runs out by
# itself.
RELEASE_SECONDS = 5.0


class Manager:
    """Runs a program against one API server, on the loop on which it is started."""

    def __init__(self, program: Program, clock: Clock, *, log_to: TextIO | None = None) -> None:
        self.program = program
        self.clock = clock
        self.metrics = Registry()
        self.metrics.common["replica_role"] = "follower" if program.leader_election else "standalone"
        self.log = Logger(clock=clock, level=program.log_level, stream=log_to)
        self.ready = False
        self.dead = ""
        """Which part died, and of what; empty while all of them live."""
        self._deaths = asyncio.Event()
        self._clients: list[Client] = []
        self._leader: Leader | None = None
        self._parts: Runtime | None = None
        self._tasks: list[asyncio.Task[None]] = []
        self._leading: tuple[asyncio.Task[None], ...] = ()
        self._endpoints: list[Endpoints] = []
        self._servers: list[Server] = []

    async def start(self) -> None:
        """Bring every informer in sync, start the servers, lead if replicas do, then let the parts work.

        Raises OutsideError when a server cannot start or a part dies meanwhile; `stop` ends what was begun.
        """
        with self.clock.busy():
            await self._open_endpoints()
            fence = Fence(self.clock, self.program.election.renew_deadline)
            runtime = self._parts = self._runtime(fence if self.program.leader_election else None)
            served_parts = await self._served_parts(runtime)
            runnables = [
                runnable for program_part in served_parts for runnable in program_part.assemble(runtime)
            ]
            # Events first: handlers record them while informers read the initial
            # objects.
            self._spawn("events", runtime.broadcaster)
            for informer in runtime.informers.values():
                self._spawn(f"informer of {informer.resource}", informer)
            for runnable in runtime.everywhere:
                self._spawn(_name(runnable), runnable)
            for informer in runtime.informers.values():
                await informer.synced.wait()
            # Servers answer from informers: before these are in sync they would deny
            # what exists.
            await self._serve(runtime.servers)
        # A replica that waits to lead is ready: its servers answer, and a rollout may go on.
        self.ready = True
        if self.program.leader_election:
            await self._lead(runtime, fence)
        for runnable in runnables:
            self._spawn(_name(runnable), runnable)

    async def wait_for_death(self) -> None:
        """Wait until a part ends by itself, which is a fault of this program; raises OutsideError."""
        await self._deaths.wait()
        raise OutsideError("a part of the control plane died; see the log above")

    async def stop(self) -> None:
        """End every task and close every connection."""
        self.ready = False
        while self._servers:  # they would answer from what is no longer followed
            await self._servers.pop().stop()
        # The lease is given up only when all writes are answered: otherwise one of ours
        # could arrive after the next leader's first.
        released = self._leader is not None and await self._writes_ended(self._leader)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for task in self._tasks:
            _forget_where(task)
        self._tasks.clear()
        if self._leader is not None and released:
            with contextlib.suppress(ApiError, UnreachableError, TimeoutError):
                await within(self.clock, RELEASE_SECONDS, self._leader.release())
        for endpoints in self._endpoints:
            await endpoints.stop()
        for client in self._clients:
            await client.close()
        if self._parts is not None:
            self._parts.forget()

    def _runtime(self, fence: Fence | None) -> Runtime:
        client = self._client(fence)
        return Runtime(
            client=client,
            clock=self.clock,
            log=self.log,
            metrics=self.metrics,
            broadcaster=Broadcaster(client, self.clock, self.log),
            random=random.Random(self.program.seed),  # noqa: S311 jitter, no secret
            replicated=fence is not None,
        )

    def _client(self, fence: Fence | None) -> Client:
        client = Client(self.program.connection, user_agent=self.program.user_agent, fence=fence)
        self._clients.append(client)
        return client

    async def _open_endpoints(self) -> None:
        """Open the endpoints that were asked for; one address serves both when they are the same."""
        metrics, health = self.program.metrics_address, self.program.health_address
        addresses = dict.fromkeys(filter(None, (metrics, health)))
        if addresses:
            from .health import Endpoints, controller_probes  # most managers have none, and need no TLS
        for address in addresses:
            registry = self.metrics if address == metrics else None
            endpoints = Endpoints(address, probes=controller_probes(lambda: self.ready), metrics=registry)
            await endpoints.start()
            self._endpoints.append(endpoints)

    async def _served_parts(self, runtime: Runtime) -> list[Part]:
        """Return the parts whose kinds are served; kinds that come later count at the next start.

        Raises OutsideError.
        """
        available_parts: list[Part] = []
        for program_part in self.program.components:
            if not isinstance(program_part, OptionalPart):
                available_parts.append(program_part)
            elif await self._is_served(runtime.client, program_part.needs):
                available_parts.append(program_part.component)
            else:
                self.log.warning("part left out", part=program_part.name, not_served=str(program_part.needs))
        return available_parts

    async def _is_served(self, client: Client, resource: Resource) -> bool:
        """Ask until the server says it: one that is about to start, or has too much to do, will.

        Raises OutsideError.
        """
        while True:
            try:
                return await is_served(client, resource)
            except (ApiError, UnreachableError) as error:
                self.log.warning("cannot see what is served", resource=resource, error=error)
            await pause(self.clock, SERVED_POLL_SECONDS)

    async def _serve(self, servers: list[Server]) -> None:
        """Start what answers in every replica. Raises OutsideError."""
        for server in servers:
            await server.start()
            self._servers.append(server)
            self.log.info("serving", server=server.name)

    async def _lead(self, runtime: Runtime, fence: Fence) -> None:
        """Wait until this replica is the one that works, and knows all that the one before it wrote."""
        self._leader = Leader(
            # The Lease itself is written while the fence is closed.
            client=self._client(None),
            clock=self.clock,
            log=self.log.with_name("leader"),
            lease=self.program.lease,
            identity=f"{socket.gethostname()}_{secrets.token_hex(4)}",
            fence=fence,
            times=self.program.election,
        )
        await self._while_alive(self._leader.acquire())
        self.metrics.common["replica_role"] = "leader"
        self._leading = (self._spawn("leader election", self._leader),)
        # The replica before this one may have written until its lease ran out: what it
        # wrote is read before anything is decided from it.
        await self._while_alive(_refresh(runtime))

    async def _writes_ended(self, leader: Leader) -> bool:
        """Send no more writes; tell whether all that were sent
        are answered, so that the lease may be given up.
        """
        for task in self._leading:
            task.cancel()
        leader.fence.close()
        try:
            for client in self._clients:
                await within(self.clock, RELEASE_SECONDS, client.drain())
        except TimeoutError:
            return False
        return True

    async def _while_alive(self, work: Coroutine[Any, Any, None]) -> None:
        """Wait for what may take for ever, as long as every part lives; raises OutsideError."""
        tasks = [asyncio.ensure_future(work_item) for work_item in (work, self.wait_for_death())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            done.pop().result()
        finally:
            for task in tasks:
                task.cancel()

    def _spawn(self, name: str, runnable: Runnable) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(runnable.run(), name=name)
        task.add_done_callback(self._note_end)
        self._tasks.append(task)
        return task

    def _note_end(self, task: asyncio.Task[None]) -> None:
        if task.cancelled() or (error := task.exception()) is None:
            return
        detail = f"{type(error).__name__}: {error}"
        self.dead = self.dead or f"the part {task.get_name()!r} died of {detail}"
        self.log.error("part died", part=task.get_name(), error=detail)
        self._deaths.set()


async def _refresh(runtime: Runtime) -> None:
    await asyncio.gather(*(informer.refresh() for informer in runtime.informers.values()))


async def is_served(client: Client, resource: Resource) -> bool:
    """Tell whether the API server serves a kind in this version.

    Raises OutsideError where that is not to be known, else as the client.
    """
    try:
        served = await client.request("GET", resource.path().rpartition("/")[0])
    except ApiError as error:
        if error.is_not_found:
            return False
        # A server that is starting answers like this, and will know later.
        if error.code >= 500 or error.code == 429:
            raise
        raise OutsideError(f"cannot see whether {resource} is served: {error.message or error}") from None
    return any(served_resource["name"] == resource.plural for served_resource in served["resources"])


def _forget_where(task: asyncio.Task[None]) -> None:
    """Let a task forget where it was cancelled: a task group's frame and that error hold each other, and all
    they worked on.
    """
    try:
        task.exception()
    except asyncio.CancelledError as error:
        error.__traceback__ = None


def _name(runnable: Runnable) -> str:
    return str(getattr(runnable, "name", runnable))
