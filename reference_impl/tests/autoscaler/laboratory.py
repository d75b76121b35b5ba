"""An autoscaler on a clock that is moved by hand, with a cloud and an API server of a few lines."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from reference_impl.api import instants, kinds
from reference_impl.api.resource import Json, Key, Resource, key_of
from reference_impl.autoscaler.autoscaler_state import AutoscalerState
from reference_impl.autoscaler.cloud import CloudError, Instance, MachineType, NodeGroup
from reference_impl.autoscaler.dialects import DEFAULT, dialect
from reference_impl.autoscaler.flags import Flags
from reference_impl.autoscaler.part import AutoscalerPart
from reference_impl.autoscaler.requests.request import ProvisioningRequest
from reference_impl.autoscaler.static_autoscaler import StaticAutoscaler
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
    """Groups in autoscaler_state; a group of `rejecting` refuses to grow."""

    known: dict[str, NodeGroup]
    rejecting: set[str] = field(default_factory=set)
    calls: list[tuple[Any, ...]] = field(default_factory=list)
    refusing_to_delete: bool = False
    refusing_machines: set[str] = field(default_factory=set)
    """The machines that it does not delete."""
    refusing_to_decrease: set[str] = field(default_factory=set)

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
        if group in self.refusing_to_decrease:
            raise CloudError("rpc error: code = Internal desc = not now")
        self.known[group] = replace(self.known[group], target=self.known[group].target - delta)

    async def delete_nodes(self, group: str, nodes: Sequence[tuple[str, str]]) -> None:
        if self.refusing_to_delete or self.refusing_machines & {provider for _, provider in nodes}:
            raise CloudError("rpc error: code = Unavailable desc = later")
        self.calls.append(("delete", group, sorted(provider for _, provider in nodes)))
        gone = {provider for _, provider in nodes}
        before = self.known[group]
        remaining = [instance for instance in before.instances if instance.id not in gone]
        self.known[group] = replace(before, target=before.target - len(gone), instances=remaining)

    async def close(self) -> None:
        pass


@dataclass
class MakingCloud(SmallCloud):
    """One that makes groups too, of its kinds of machines; `refusing_to_make` makes it refuse."""

    machines: Sequence[MachineType] = ()
    refusing_to_make: bool = False

    async def machine_types(self) -> Sequence[MachineType]:
        return self.machines

    async def create_group(self, group: NodeGroup) -> None:
        self.calls.append(("create", group.id))
        if self.refusing_to_make:
            raise CloudError("rpc error: code = Internal desc = no group today")
        self.known[group.id] = replace(group, exists=True)

    async def delete_group(self, group: str) -> None:
        self.calls.append(("remove", group))
        if self.known[group].target:
            raise CloudError("rpc error: code = FailedPrecondition desc = not empty")
        del self.known[group]


@dataclass
class SmallServer:
    """Keeps objects by kind; `refuses` is the code of every write of a status."""

    stores: dict[Resource, Store] = field(default_factory=dict)
    revision: int = 100
    refuses: int = 0
    refuses_answers_of: str = ""
    """The request whose answers are refused while it may be accepted."""
    refuses_nodes: frozenset[str] = frozenset()
    writes: list[tuple[str, str, list[str]]] = field(default_factory=list)
    events: list[Json] = field(default_factory=list)

    def store(self, resource: Resource) -> Store:
        return self.stores.setdefault(resource, Store())

    def put(self, resource: Resource, obj: Json) -> Json:
        self.revision += 1
        stored = {**obj, "metadata": {**obj["metadata"], "resourceVersion": str(self.revision)}}
        self.store(resource).put(key_of(stored), stored)
        return stored

    async def update(self, resource: Resource, obj: Json) -> Json:
        if resource == kinds.NODES and obj["metadata"]["name"] in self.refuses_nodes:
            raise ApiError(422, "Invalid", "refused by the test")
        stored = await self.get(resource, key_of(obj))
        if stored["metadata"]["resourceVersion"] != obj["metadata"]["resourceVersion"]:
            raise ApiError(409, "Conflict", "changed meanwhile")
        return self.put(resource, obj)

    async def get(self, resource: Resource, key: Key) -> Json:
        stored = self.store(resource).get(key)
        if stored is None:
            raise ApiError(404, "NotFound", "not there")
        return stored

    async def update_status(self, resource: Resource, obj: Json) -> Json:
        self._note("PUT", obj)
        return await self.update(resource, obj)

    async def apply(self, resource: Resource, obj: Json, *, manager: str, subresource: str) -> Json:
        assert (manager, subresource) == ("cluster-autoscaler", "status")
        self._note("APPLY", obj)
        before = self.store(resource).get(key_of(obj))
        news = obj["status"]["conditions"]
        types = {new["type"] for new in news}
        conditions = [
            condition for condition in before["status"]["conditions"] if condition["type"] not in types
        ]
        return self.put(resource, {**before, "status": {"conditions": [*conditions, *news]}})

    async def create(self, resource: Resource, obj: Json) -> Json:
        if resource.plural != "events":
            return self.put(resource, obj)
        self.events.append(obj)
        return obj

    async def delete(self, resource: Resource, key: Key, *, uid: str) -> Json:
        self.store(resource).put(key, None)
        return {}

    async def request(self, method: str, path: str, *, body: Json) -> Json:
        return body

    async def patch(self, resource: Resource, key: Key, body: Json) -> Json:
        return body

    def _note(self, verb: str, obj: Json) -> None:
        lines = [
            f"{condition['type']}={condition['status']}/{condition['reason']}"
            for condition in obj["status"]["conditions"]
        ]
        self.writes.append((verb, obj["metadata"]["name"], lines))
        answers = any(condition["type"] != "Accepted" for condition in obj["status"]["conditions"])
        if self.refuses or (answers and obj["metadata"]["name"] == self.refuses_answers_of):
            raise ApiError(self.refuses or 422, "Invalid", "refused by the test")


class Laboratory:
    """One autoscaler; `loop()` is one loop of it."""

    def __init__(
        self,
        *groups: NodeGroup,
        nodes: int = 0,
        rules: str = DEFAULT,
        machines: Sequence[MachineType] = (),
        **flags: Json,
    ) -> None:
        self.rules = dialect(rules)
        self.clock = HandClock()
        self.server = SmallServer()
        groups_by_id = {group.id: group for group in groups}
        self.cloud = MakingCloud(groups_by_id, machines=machines) if machines else SmallCloud(groups_by_id)
        self.server.put(kinds.POD_TEMPLATES, template())
        for index in range(nodes):
            self.add_node(f"free-{index}")
        chosen = {"write_status_configmap": False, **self.rules.flag_defaults, **flags}
        self._flags = Flags(enable_provisioning_requests=True, **chosen)
        self.restart()

    def restart(self) -> None:
        """Begin with an autoscaler that remembers nothing."""
        runtime: Any = _Runtime(self.server, self.clock)
        self._events, loop = AutoscalerPart(self._flags, self.cloud, self.rules).assemble(runtime)
        assert isinstance(loop, StaticAutoscaler)
        self._loop = loop

    def remove_nodes(self) -> None:
        """Remove the Nodes of machines that the cloud no longer has."""
        there = {instance.id for groups in self.cloud.known.values() for instance in groups.instances}
        nodes = self.server.store(kinds.NODES)
        for obj in list(nodes):
            if obj["spec"]["providerID"] not in there and not obj["metadata"]["name"].startswith("free-"):
                nodes.put(key_of(obj), None)

    def recorded(self) -> list[tuple[str, str, str, str]]:
        """Return what was told in events: the kind and the name of an object, the type and the reason."""
        asyncio.run(self._sent())
        return [
            (
                event["involvedObject"]["kind"],
                event["involvedObject"]["name"],
                event["type"],
                event.get("reason", ""),
            )
            for event in self.server.events
        ]

    async def _sent(self) -> None:
        sending = asyncio.ensure_future(self._events.run())
        for _ in range(50):  # turns of the loop, of which an event takes two
            await asyncio.sleep(0)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)

    def add_node(self, name: str, provider: str = "") -> None:
        """Add a Node that is ready."""
        obj = node_object(name)
        obj["spec"]["providerID"] = provider or obj["spec"]["providerID"]
        self.server.put(kinds.NODES, obj)

    def ask(self, request: ProvisioningRequest) -> None:
        """Make a request."""
        created = instants.render(self.clock.time)
        metadata = {**request.object["metadata"], "creationTimestamp": created}
        self.server.put(self.rules.request_resource, {**request.object, "metadata": metadata})

    def loop(self, after: float = 0.0) -> bool:
        """Go through one loop, some seconds later; tell whether it did anything."""
        self.clock.time += after
        return asyncio.run(self._loop.run_once())

    def pause(self) -> float:
        """Go through one loop; return the seconds until the next one."""
        return asyncio.run(self._loop.seconds_after_a_loop())

    @property
    def autoscaler_state(self) -> AutoscalerState:
        """Return what it remembers."""
        return self._loop.autoscaler_state

    def has(self, name: str) -> bool:
        """Tell whether a request is there."""
        return self.server.store(self.rules.request_resource).get(Key("ns", name)) is not None

    def message(self, name: str, kind: str) -> str:
        """Return the message of a condition of a request."""
        obj = self.server.store(self.rules.request_resource).get(Key("ns", name))
        return next(
            str(condition["message"])
            for condition in obj["status"]["conditions"]
            if condition["type"] == kind
        )

    def boot(self, group: str, *, but: Collection[str] = ()) -> None:
        """Give the machines of a group their Nodes, all ready."""
        for instance in self.cloud.known[group].instances:
            if instance.id not in but:
                self.add_node(instance.id.removeprefix("sim://"), instance.id)

    def told(self, name: str) -> list[str]:
        """Return the conditions of a request."""
        obj = self.server.store(self.rules.request_resource).get(Key("ns", name))
        return [
            f"{condition['type']}={condition['status']}/{condition['reason']}"
            for condition in obj["status"]["conditions"]
        ]


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
