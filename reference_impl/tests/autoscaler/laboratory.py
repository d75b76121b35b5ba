"""An autoscaler on a clock that is moved by hand, with a cloud and an API server of a few lines."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reference_impl import instants
from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key, Resource, key_of
from reference_impl.autoscaler.cloud import CloudError, Instance, NodeGroup
from reference_impl.autoscaler.dialects import DEFAULT, dialect
from reference_impl.autoscaler.flags import Flags
from reference_impl.autoscaler.loop import Loop
from reference_impl.autoscaler.memory import Memory
from reference_impl.autoscaler.part import AutoscalerPart
from reference_impl.autoscaler.requests.request import Request
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store

from .objects import START, node_object, template


@dataclass
class HandClock:
    """A clock that stands still."""

    time: float = START

    def now(self) -> float:
        return self.time

    def elapsed(self) -> float:
        return self.time

    def call_at(self, when: float, action: Callable[[], None]) -> Any:
        raise AssertionError("a single loop waits for nothing")

    @contextlib.contextmanager
    def busy(self) -> Iterator[None]:
        yield

    def saw(self, stream: str, revision: int) -> None:
        del stream, revision


@dataclass
class SmallCloud:
    """Groups in memory; a group of `rejecting` refuses to grow."""

    known: dict[str, NodeGroup]
    rejecting: set[str] = field(default_factory=set)
    calls: list[tuple[Any, ...]] = field(default_factory=list)

    async def groups(self) -> Sequence[NodeGroup]:
        return tuple(self.known.values())

    async def increase(self, group: str, delta: int) -> None:
        self.calls.append(("increase", group, delta))
        if group in self.rejecting:
            raise CloudError("rpc error: code = ResourceExhausted desc = none left")
        before = self.known[group]
        added = [Instance(f"sim://{group}-{before.target + n}", "creating") for n in range(delta)]
        self.known[group] = replace(
            before, target=before.target + delta, instances=[*before.instances, *added]
        )

    async def decrease_target(self, group: str, delta: int) -> None:
        self.calls.append(("decrease", group, delta))
        self.known[group] = replace(self.known[group], target=self.known[group].target - delta)

    async def delete_nodes(self, group: str, nodes: Sequence[tuple[str, str]]) -> None:
        self.calls.append(("delete", group, sorted(provider for _, provider in nodes)))
        gone = {provider for _, provider in nodes}
        before = self.known[group]
        left = [each for each in before.instances if each.id not in gone]
        self.known[group] = replace(before, target=before.target - len(gone), instances=left)

    async def close(self) -> None:
        pass


@dataclass
class SmallServer:
    """Keeps objects by kind; `refuses` is the code of every write of a status."""

    stores: dict[Resource, Store] = field(default_factory=dict)
    revision: int = 100
    refuses: int = 0
    writes: list[tuple[str, str, list[str]]] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)

    def store(self, resource: Resource) -> Store:
        return self.stores.setdefault(resource, Store())

    def put(self, resource: Resource, obj: Json) -> Json:
        self.revision += 1
        stored = {**obj, "metadata": {**obj["metadata"], "resourceVersion": str(self.revision)}}
        self.store(resource).put(key_of(stored), stored)
        return stored

    async def update_status(self, resource: Resource, obj: Json) -> Json:
        self._note("PUT", obj)
        if (
            self.store(resource).get(key_of(obj))["metadata"]["resourceVersion"]
            != obj["metadata"]["resourceVersion"]
        ):
            raise ApiError(409, "Conflict", "changed meanwhile")
        return self.put(resource, obj)

    async def apply(self, resource: Resource, obj: Json, *, manager: str, subresource: str) -> Json:
        assert (manager, subresource) == ("cluster-autoscaler", "status")
        self._note("APPLY", obj)
        before = self.store(resource).get(key_of(obj))
        news = obj["status"]["conditions"]
        types = {each["type"] for each in news}
        kept = [each for each in before["status"]["conditions"] if each["type"] not in types]
        return self.put(resource, {**before, "status": {"conditions": [*kept, *news]}})

    async def create(self, resource: Resource, obj: Json) -> Json:
        self.events.append(obj)
        return obj

    async def delete(self, resource: Resource, key: Key, *, uid: str) -> Json:
        self.store(resource).put(key, None)
        return {}

    async def patch(self, resource: Resource, key: Key, body: Json) -> Json:
        return body

    def _note(self, verb: str, obj: Json) -> None:
        told = [f"{each['type']}={each['status']}/{each['reason']}" for each in obj["status"]["conditions"]]
        self.writes.append((verb, obj["metadata"]["name"], told))
        if self.refuses:
            raise ApiError(self.refuses, "Invalid", "refused by the test")


class Laboratory:
    """One autoscaler; `loop()` is one loop of it."""

    def __init__(self, *groups: NodeGroup, nodes: int = 0, rules: str = DEFAULT, **flags: Json) -> None:
        self.rules = dialect(rules)
        self.clock = HandClock()
        self.server = SmallServer()
        self.cloud = SmallCloud({each.id: each for each in groups})
        self.server.put(kinds.POD_TEMPLATES, template())
        for index in range(nodes):
            self.add_node(f"free-{index}")
        self._loop = self._assembled(
            Flags(enable_provisioning_requests=True, **{**self.rules.defaults, **flags})
        )

    def add_node(self, name: str, provider: str = "") -> None:
        """Add a Node that is ready."""
        obj = node_object(name)
        obj["spec"]["providerID"] = provider or obj["spec"]["providerID"]
        self.server.put(kinds.NODES, obj)

    def ask(self, request: Request) -> None:
        """Make a request."""
        created = instants.render(self.clock.time)
        metadata = {**request.object["metadata"], "creationTimestamp": created}
        self.server.put(self.rules.requests, {**request.object, "metadata": metadata})

    def loop(self, after: float = 0.0) -> bool:
        """Go through one loop, some seconds later; tell whether it did anything."""
        self.clock.time += after
        return asyncio.run(self._loop.run_once())

    @property
    def memory(self) -> Memory:
        """Return what it remembers."""
        return self._loop.memory

    def told(self, name: str) -> list[str]:
        """Return the conditions of a request."""
        obj = self.server.store(self.rules.requests).get(Key("ns", name))
        return [f"{each['type']}={each['status']}/{each['reason']}" for each in obj["status"]["conditions"]]

    def _assembled(self, flags: Flags) -> Loop:
        runtime: Any = _Runtime(self.server, self.clock)
        _, loop = AutoscalerPart(flags, self.cloud, self.rules).assemble(runtime)
        assert isinstance(loop, Loop)
        return loop


class _Informer:
    def __init__(self, store: Store) -> None:
        self.store = store

    def add_handler(self, handler: object) -> None:
        del handler


class _Runtime:
    """What a part is given, over the small server."""

    def __init__(self, server: SmallServer, clock: HandClock) -> None:
        self.client, self.clock = server, clock
        self.metrics = Registry()
        self.log = Logger(clock=clock, level="error")

    def informer(self, resource: Resource) -> _Informer:
        return _Informer(self.client.store(resource))
