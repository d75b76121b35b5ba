"""Guards that say what a test wants, and queues filled by hand."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from reference_impl.kueue.queueing.pending import PendingWorkload
from reference_impl.kueue.queueing.queues import Queues
from reference_impl.kueue.queueing.strategies import Strategy
from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.visibility.attributes import Attributes, User
from reference_impl.kueue.visibility.guards import Decision, Flow
from reference_impl.kueue.visibility.server import Guards, VisibilitySite, visibility
from reference_impl.kueue.visibility.surface import ApiSurface
from reference_impl.kueue.workload.view import Workload
from reference_impl.runtime.serving.exchange import Request, Response

NOW = 1_700_000_000.0
BASE = "/apis/visibility.kueue.x-k8s.io"
CQ = f"{BASE}/v1beta2/clusterqueues/kvis-cq/pendingworkloads"
LQ = f"{BASE}/v1beta2/namespaces/kvis-a/localqueues/main/pendingworkloads"
OPEN_PATHS = ("/healthz", "/livez", "/readyz")
OWNERS = (
    {"apiVersion": "example.com/v1", "kind": "Run", "name": "first", "uid": "u-1", "controller": True},
    {"apiVersion": "v1", "kind": "ConfigMap", "name": "second", "uid": "u-2"},
)


def workload(namespace: str, name: str, queue: str, priority: int | None, owners=()) -> Workload:
    metadata = {
        "name": name,
        "namespace": namespace,
        "uid": f"{namespace}/{name}",
        "creationTimestamp": "2026-11-20T10:00:00Z",
        "labels": {"secret": "label"},
    }
    if owners:
        metadata["ownerReferences"] = list(owners)
    return Workload({"metadata": metadata, "spec": {"queueName": queue, "priority": priority, "podSets": []}})


def seven() -> Queues:
    """The queues of the recording: seven Workloads in two LocalQueues of two namespaces."""
    queues = Queues()
    for name in ("kvis-cq", "kvis-cq-empty"):
        queues.set_cluster_queue(name, Strategy.BEST_EFFORT_FIFO)
    for key in ("kvis-a/main", "kvis-a/side", "kvis-b/main"):
        queues.set_local_queue(key, "kvis-cq", ())
    queues.set_local_queue("kvis-a/empty", "kvis-cq-empty", ())
    queues.set_local_queue("kvis-a/stray", "kvis-cq-missing", ())
    for waiting in (
        workload("kvis-a", "w1", "main", 70),
        workload("kvis-b", "w2", "main", 60, OWNERS),
        workload("kvis-a", "w3", "side", 50),
        workload("kvis-a", "w4", "main", 40),
        workload("kvis-b", "w5", "main", 30),
        workload("kvis-a", "w6", "main", None),
        workload("kvis-a", "w7", "side", -5),
    ):
        queues.push(PendingWorkload.of(waiting, frozenset()), NOW)
    return queues


@dataclass
class Doors:
    """All guards: every fault is switched on by itself, and what they were asked is kept."""

    user: User = field(default_factory=lambda: User(name="root"))
    refuses: Callable[[User, Attributes], str | None] = lambda user, attributes: None
    flow: Flow = field(default_factory=lambda: Flow("schema", "level"))
    authentication_fault: Exception | None = None
    impersonation_fault: Exception | None = None
    acts_as: User | None = None
    seat_fault: Exception | None = None
    authorizer_fault: Exception | None = None
    waits_for: asyncio.Event | None = None
    asked: list[tuple[User, Attributes]] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)

    @property
    def guards(self) -> Guards:
        return Guards(authenticator=self, impersonator=self, authorizer=self, flow_control=self)

    async def authenticate(self, request: Request) -> User:
        if self.authentication_fault:
            raise self.authentication_fault
        return self.user

    async def impersonate(self, user: User, request: Request, attributes: Attributes) -> User:
        if self.impersonation_fault:
            raise self.impersonation_fault
        return self.acts_as or user

    async def authorize(self, user: User, attributes: Attributes) -> Decision:
        self.asked.append((user, attributes))
        if self.waits_for is not None:
            await self.waits_for.wait()
        if self.authorizer_fault:
            raise self.authorizer_fault
        reason = self.refuses(user, attributes)
        return Decision(reason is None, reason or "")

    def classify(self, user: User, attributes: Attributes) -> Flow:
        return self.flow

    @asynccontextmanager
    async def seat(self, user: User, attributes: Attributes):
        if self.seat_fault:
            raise self.seat_fault
        self.seats.append("taken")
        yield
        self.seats.append("left")


def anonymous() -> Doors:
    """A caller without credentials, who may look at the health alone."""
    return Doors(
        user=User(name="system:anonymous"), refuses=lambda _, wish: None if wish.path in OPEN_PATHS else ""
    )


def site(release=(0, 19, 2), **fields) -> VisibilitySite:
    return VisibilitySite(surface=ApiSurface.of(release), current_time=lambda: NOW, **fields)


class Server:
    """A handler and a short way to ask it."""

    def __init__(
        self, doors: Doors | None = None, queues: Queues | None = None, at: VisibilitySite | None = None
    ):
        self.doors = doors or Doors()
        self.queues = queues or seven()
        self.handler = visibility(QueueView(self.queues), self.doors.guards, at or site())

    def ask(self, target: str, method: str = "GET", headers: Mapping[str, str] | None = None) -> Response:
        sent = tuple((headers or {}).items())
        return asyncio.run(self.handler(Request(method=method, target=target, headers=sent)))


def header(response: Response, name: str) -> str | None:
    return next((value for header_name, value in response.headers if header_name == name), None)
