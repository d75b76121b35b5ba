"""Every request's flow and seats, from the FlowSchemas and PriorityLevelConfigurations that are stored
(FK-520).
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil
from typing import Any, TypeVar

from msgspec import Struct

from ..api import routes
from ..api.outcome import Request
from ..api.routes import RequestInfo, flag
from ..base.caching import LONGEST_CHARACTERS
from ..base.clock import Clock
from ..base.json_types import Json
from ..registry.selection.selected_name import selected_name
from ..store import Store, Stored
from .drops import Drops
from .lending import Lending
from .levels import Level
from .queues import QueueSet
from .schemas import Requester, Schema
from .sharding import flow_hash

T = TypeVar("T")
Pairs = tuple[tuple[str, str], ...]
GROUP = "flowcontrol.apiserver.k8s.io"
SCHEMAS, LEVELS = (GROUP, "flowschemas"), (GROUP, "prioritylevelconfigurations")
HEADERS = ("X-Kubernetes-Pf-Flowschema-Uid", "X-Kubernetes-Pf-Prioritylevel-Uid")
OBJECTS_PER_SEAT = 100
LASTING = frozenset({"attach", "exec", "log", "portforward", "proxy"})
"""Subresources whose requests last, and belong to no flow."""
READ = "flow control"
REMEMBERED = 10_000
"""Flows kept before they are looked up anew."""


class Flow(Struct, frozen=True, kw_only=True):
    """What a request belongs to: the headers of its answer, its level, and what tells it from other flows of
    its schema.
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
        self._lending = Lending(clock, total)
        self._known: dict[Any, Flow] = {}
        self._schemas: list[Schema] = []
        self._levels: dict[str, Level] = {}
        self._drops: dict[str, Drops] = {}
        self._revision = -1
        self._read: tuple[Any, Any] = (self, self)

    def flow(self, request: Request) -> Flow:
        """Return the flow of a request."""
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
        found = self._known.get(key)
        if found is not None:
            return found
        found = self._classified(request, info)
        if len(request.path) + len(user.name) + sum(map(len, user.groups)) <= LONGEST_CHARACTERS:
            if len(self._known) >= REMEMBERED:
                self._known.clear()
            self._known[key] = found
        return found

    def seats(self, flow: Flow, request: Request) -> int:
        """Return how many seats a request takes: one, more for the list of many objects."""
        info = routes.parse(request.method, request.path, request.query)
        if flow.level is None or info.name or selected_name(info, request.query) or not _lists(info, request):
            return 1
        count = len(self._store.list((info.group, info.resource)))
        most = flow.level.level.most_seats(flow.level.bounds.nominal)
        return min(most, max(1, ceil(count / OBJECTS_PER_SEAT)))

    def catch_up(self) -> None:
        """Let levels have the seats that others do without by now."""
        self._lending.catch_up()

    def stop(self) -> None:
        """Lend no seats any more."""
        self._lending.stop()

    def dropped(self, level: QueueSet, now: float) -> int:
        """Count a refusal and return the seconds to tell its client."""
        return self._drops.setdefault(level.level.name, Drops()).note(now)

    def _classified(self, request: Request, info: RequestInfo) -> Flow:
        requester = Requester.of(request.user)
        found = next((schema for schema in self._schemas if schema.matches(requester, info)), None)
        if found is None or _lasts(info):
            return NO_FLOW
        level = self._levels[found.level]
        headers = tuple(zip(HEADERS, (found.uid, level.uid), strict=True))
        return Flow(
            headers=headers,
            level=self._lending.sets[level.name],
            schema=found.name,
            distinguisher=found.distinguisher(request.user, info),
        )

    def _follow(self) -> None:
        """See whether the configuration has changed since the last request."""
        self._revision = self._store.revision
        seen = self._store.state_of(SCHEMAS), self._store.state_of(LEVELS)
        if seen[0] is not self._read[0] or seen[1] is not self._read[1]:
            self._refresh(seen)

    def _refresh(self, seen: tuple[Any, Any]) -> None:
        """Read the configuration anew; who waits goes on waiting."""
        self._read = seen
        self._known.clear()
        self._levels = {one.name: one for one in _read(self._store.list(LEVELS), Level.of)}
        schemas = _read(self._store.list(SCHEMAS), Schema.of)
        self._schemas = sorted(
            (one for one in schemas if one.level in self._levels), key=lambda one: one.order
        )
        self._lending.configure(self._levels)


def _read(found: list[Stored], of: Callable[[Json], T]) -> list[T]:
    """Return what stored objects say, read once for all clusters that share them."""
    for one in found:
        if READ not in one.cache:
            one.cache[READ] = of(one.object)
    return [one.cache[READ] for one in found]


def _lasts(info: RequestInfo) -> bool:
    """Tell whether a request is of the kind that lasts: by its subresource, or by the old form of a path to
    proxy (VC-09).
    """
    return info.is_resource and (info.subresource in LASTING or info.resource == "proxy")


def _lists(info: RequestInfo, request: Request) -> bool:
    """Tell whether a request shows all objects of a collection; a watch does when it begins with them."""
    if info.verb != "watch":
        return info.verb == "list"
    initial = request.option("sendInitialEvents")
    return flag(initial) if initial is not None else request.option("resourceVersion") in {None, "", "0"}
