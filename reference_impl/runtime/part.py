"""The interface between the runtime and the parts of the control plane."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..api.resource import Resource
from .client import Client
from .clock import Clock
from .informer import Informer
from .log import Logger
from .metrics import Registry
from .recorder import Broadcaster, Recorder


class Runnable(Protocol):
    """Something that works until it is cancelled: a Controller, most of the time."""

    async def run(self) -> None:
        """Work until cancelled."""


class Server(Protocol):
    """Answers requests while a replica lives, whether it leads or not."""

    name: str

    async def start(self) -> None:
        """Begin to answer. Raises OutsideError, which ends the manager."""

    async def stop(self) -> None:
        """Stop answering."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Runtime:
    """What all parts share. Informers are made once a resource, however many parts ask for it."""

    client: Client
    clock: Clock
    log: Logger
    metrics: Registry
    broadcaster: Broadcaster
    random: random.Random
    # There may be other replicas: a write that follows from what was read is made on
    # that revision only.
    replicated: bool = False
    informers: dict[Resource, Informer] = field(default_factory=dict)
    everywhere: list[Runnable] = field(default_factory=list)
    """What also runs in a replica that does not lead."""
    servers: list[Server] = field(default_factory=list)
    """What parts serve in every replica: started once the
    informers are in sync, before a replica asks to lead.
    """
    endings: list[Callable[[], None]] = field(default_factory=list)
    """How parts that refer to each other let go once nothing runs any more: no search for
    cycles is needed then.
    """

    def informer(self, resource: Resource) -> Informer:
        """Return the informer of a resource; add handlers and indexes before the manager starts it."""
        if resource not in self.informers:
            self.informers[resource] = Informer(
                self.client, resource, self.clock, self.log, random=self.random
            )
        return self.informers[resource]

    def forget(self) -> None:
        """Let go of everything, so that a stopped manager is freed without a search for cycles."""
        for informer in self.informers.values():
            informer.forget()
        self.servers.clear()
        while self.endings:
            self.endings.pop()()

    def recorder(self, controller: str) -> Recorder:
        """Return the recorder of events that `controller` reports."""
        return self.broadcaster.recorder(controller)


class Part(Protocol):
    """A piece of the control plane that can be left out: checks, jobs, queueing, scheduling …"""

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Ask for informers, add handlers to them and servers to the runtime;
        return what runs once they are in sync.
        """


@dataclass(frozen=True, slots=True)
class OptionalPart:
    """A part that works only where the API server serves a kind when the manager starts."""

    component: Part
    needs: Resource
    name: str
