"""Every request's flow and seats, from the FlowSchemas and
PriorityLevelConfigurations that are stored (FK-520).
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any, TypeVar

from msgspec import Struct

from ..api import routes
from ..api.outcome import Request
from ..api.routes import RequestInfo, flag
from ..base.caching import MAX_CACHED_CHARACTERS
from ..base.clock import Clock
from ..base.json_types import Json
from ..registry.selection.name_selector import name_from_selector
from ..store import Store, Stored
from .drops import Drops
from .levels import Level
from .queues import QueueSet
from .schemas import Requester, Schema
from .seat_lending import SeatLending
from .sharding import flow_hash

T = TypeVar("T")
Pairs = tuple[tuple[str, str], ...]
GROUP = "flowcontrol.apiserver.k8s.io"
SCHEMAS, LEVELS = (GROUP, "flowschemas"), (GROUP, "prioritylevelconfigurations")
HEADERS = ("X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid")
OBJECTS_PER_SEAT = 100
LONG_RUNNING = frozenset({"attach", "exec", "log", "portforward", "proxy"})
"""Subresources whose requests last, and belong to no flow."""
READ = "flow control"
FLOW_CACHE_SIZE = 10_000
"""Flows kept before they are looked up anew."""


class Flow(Struct, frozen=True, kw_only=True):
    """What a request belongs to: the headers of its answer,
    its level, and what tells it from other flows of its schema.
    """

    headers: Pairs = ()
    level: QueueSet | None = None
    """None when it belongs to no level."""
    schema: str = ""
    distinguisher: str = ""

    @property
    def number(self) -> int:
        """The number that its queues are dealt by; only who waits needs it."""
        return flow_hash(self.schema, self.distinguisher)


NO_FLOW = Flow()


class Fairness:
    """Classifies requests; `total` is the number of seats of the whole server."""

    def __init__(self, store: Store, total: int, clock: Clock) -> None:
        self._store = store
        self._lending = SeatLending(clock, total)
        self._flow_cache: dict[Any, Flow] = {}
        self._schemas: list[Schema] = []
        self._levels: dict[str, Level] = {}
        self._drops: dict[str, Drops] = {}
        self._revision = -1
        self._states_read: tuple[Any, Any] = (self, self)

    def flow(self, request: Request) -> Flow:
        """Return the flow of a request."""
        # Looked at only after a write: between two writes the configuration cannot have changed.
        if self._store.revision != self._revision:
            self._follow()
        info = routes.parse(request.method, request.path, request.query)
        user = request.user
        key = (
            user.name,
            user.groups,
            info.verb,
            info.group,
            info.resource,
            info.subresource,
            info.namespace,
            "" if info.is_resource else info.path,
        )
        flow = self._flow_cache.get(key)
        if flow is not None:
            return flow
        flow = self._classify(request, info)
        # Long keys are not kept, or clients could fill the memory with them.
        if len(request.path) + len(user.name) + sum(map(len, user.groups)) <= MAX_CACHED_CHARACTERS:
            if len(self._flow_cache) >= FLOW_CACHE_SIZE:
                self._flow_cache.clear()
            self._flow_cache[key] = flow
        return flow

    def seats(self, flow: Flow, request: Request) -> int:
        """Return how many seats a request takes: one, more for the list of many objects."""
        info = routes.parse(request.method, request.path, request.query)
        if (
            flow.level is None
            or info.name
            or name_from_selector(info, request.query)
            or not _lists(info, request)
        ):
            return 1
        count = len(self._store.list((info.group, info.resource)))
        max_seats = flow.level.level.max_seats(flow.level.bounds.nominal)
        # Upstream's estimate: a list costs a seat for each hundred objects.
        return min(max_seats, max(1, ceil(count / OBJECTS_PER_SEAT)))

    def catch_up(self) -> None:
        """Let levels have the seats that others do without by now."""
        self._lending.catch_up()

    def stop(self) -> None:
        """Lend no seats any more."""
        self._lending.stop()

    def count_refusal(self, level: QueueSet, current_time: float) -> int:
        """Count a refusal and return the seconds to tell its client."""
        return self._drops.setdefault(level.level.name, Drops()).note(current_time)

    def _classify(self, request: Request, info: RequestInfo) -> Flow:
        requester = Requester.of(request.user)
        schema = next((schema for schema in self._schemas if schema.matches(requester, info)), None)
        if schema is None or _is_long_running(info):
            return NO_FLOW
        level = self._levels[schema.level]
        headers = tuple(zip(HEADERS, (schema.uid, level.uid), strict=True))
        return Flow(
            headers=headers,
            level=self._lending.sets[level.name],
            schema=schema.name,
            distinguisher=schema.distinguisher(request.user, info),
        )

    def _follow(self) -> None:
        """See whether the configuration has changed since the last request."""
        self._revision = self._store.revision
        states = self._store.state_of(SCHEMAS), self._store.state_of(LEVELS)
        if states[0] is not self._states_read[0] or states[1] is not self._states_read[1]:
            self._refresh(states)

    def _refresh(self, states: tuple[Any, Any]) -> None:
        """Read the configuration anew; who waits goes on waiting."""
        self._states_read = states
        self._flow_cache.clear()
        self._levels = {level.name: level for level in _read(self._store.list(LEVELS), Level.of)}
        schemas = _read(self._store.list(SCHEMAS), Schema.of)
        self._schemas = sorted(
            (schema for schema in schemas if schema.level in self._levels), key=lambda one: one.order
        )
        self._lending.configure(self._levels)


def _read(stored_objects: list[Stored], of: Callable[[Json], T]) -> list[T]:
    """Return what stored objects say, read once for all clusters that share them."""
    for stored in stored_objects:
        # Stored objects never change and are shared by forks, so what is read of one is read once.
        if READ not in stored.cache:
            stored.cache[READ] = of(stored.object)
    return [stored.cache[READ] for stored in stored_objects]


def _is_long_running(info: RequestInfo) -> bool:
    """Tell whether a request is of the kind that lasts:
    by its subresource, or by the old form of a path to proxy (VC-09).
    """
    return info.is_resource and (info.subresource in LONG_RUNNING or info.resource == "proxy")


def _lists(info: RequestInfo, request: Request) -> bool:
    """Tell whether a request shows all objects of a collection; a watch does when it begins with them."""
    if info.verb != "watch":
        return info.verb == "list"
    initial = request.option("sendInitialEvents")
    return flag(initial) if initial is not None else request.option("resourceVersion") in {None, "", "0"}
