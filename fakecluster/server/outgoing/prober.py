"""Asks extension servers whether they are there and what they serve,
and writes it down (FK-436, FK-442, FK-458).

An APIService is looked at when it, its Service or the endpoints
of that change, then every half minute of the cluster's time.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import orjson
from msgspec import Struct
from msgspec.structs import replace

from ...aggregation import availability, extension_documents
from ...aggregation.availability import AvailableCondition
from ...aggregation.extension import APISERVICES, Extension, ExtensionIndex
from ...aggregation.extension_documents import DISCOVERY_ACCEPT, ExtensionDocuments, ExtensionKnowledge
from ...aggregation.handler import address_of, forward
from ...api.outcome import CallResult, Request, Response, User
from ...api.service_address import SERVICE_OF_SLICE, SLICES, ServiceUnreachableError
from ...api.steps import Begun
from ...auth.authentication.authenticator import SYSTEM
from ...base.clock import Timer
from ...base.json_types import Json
from ...base.numbers.timestamps import at
from ...registry.machinery import Api
from ...store import Event
from .answer import NoAnswerError
from .relay import Relay, RelayedAnswer

LOG = logging.getLogger(__name__)
PROBER = User(name="system:kube-aggregator", groups=("system:masters",))
PROBE_TIMEOUT_SECONDS = 5.0
"""Real seconds that an extension server has for an answer."""
PROBE_SECONDS = 30.0
FIRST_RETRY = 1.0
WATCHED_RESOURCES = frozenset({APISERVICES, ("", "services"), SLICES})
STATUS_PATH = "/apis/apiregistration.k8s.io/v1/apiservices/{}/status"
Complete = Callable[[Begun], Any]


class ApiServiceProbe(Struct):
    """One APIService under observation."""

    task: asyncio.Task[None] | None = None
    timer: Timer | None = None
    dirty: bool = False
    failures: int = 0


class Prober:
    """Observes the APIServices of one running cluster."""

    def __init__(
        self, api: Api, book: ExtensionIndex, knowledge: ExtensionKnowledge, relay: Relay, complete: Complete
    ) -> None:
        self._api = api
        self._book = book
        self._knowledge = knowledge
        self._relay = relay
        self._complete = complete
        self._rounds: dict[str, ApiServiceProbe] = {}
        self._unsubscribe: Callable[[], None] = lambda: None

    def start(self) -> None:
        """Look at every extension there is, at those that a forked cluster has found available when that
        would, and at every change.
        """
        self._unsubscribe = self._api.store.subscribe(self._observe, self._look_at_all, WATCHED_RESOURCES)
        for extension in self._extensions():
            self._look_in_time(extension)

    def look_for(self, service: str) -> None:
        """Look at what a Service, given as `namespace/name`, answers, unless it is known to answer."""
        for extension in self._extensions():
            if extension.service_key == service:
                self._look_in_time(extension)

    def stop(self) -> None:
        """Stop probing; the next start probes everything at once."""
        self._unsubscribe()
        for name, state in self._rounds.items():
            self._knowledge.next_looks.pop(name, None)
            if state.task is not None:
                state.task.cancel()
            if state.timer is not None:
                state.timer.cancel()
        self._rounds.clear()

    def _extensions(self) -> list[Extension]:
        return [extension for extension in self._book.all().values() if extension.service]

    def _look_at_all(self) -> None:
        for extension in self._extensions():
            self._look(extension.name)

    def _observe(self, event: Event) -> None:
        if event.resource == APISERVICES:
            # Our own writes of the status must not begin another round.
            before = event.before.object["spec"] if event.before and event.type != "DELETED" else None
            if before != event.after.object["spec"]:
                self._look(event.after.name[1])
            return
        service = _service(event)
        for extension in self._extensions():
            if extension.service_key == service:
                self._look(extension.name)

    def _look_in_time(self, extension: Extension) -> None:
        """Begin a round, or plan it where the extension is known to answer."""
        due = self._knowledge.next_looks.get(extension.name) if extension.available else None
        if due is None:
            self._look(extension.name)
        elif extension.name not in self._rounds:
            self._rounds[extension.name] = ApiServiceProbe(timer=self._at(due, extension.name))

    def _at(self, due: float, name: str) -> Timer:
        return self._api.clock.call_at(due, lambda: self._look(name))

    def _look(self, name: str) -> None:
        """Begin a round, or have another one follow that which goes on."""
        rounds = self._rounds.setdefault(name, ApiServiceProbe())
        if rounds.timer is not None:
            rounds.timer.cancel()
        self._knowledge.next_looks.pop(name, None)
        if rounds.task is not None:
            # One more round after this one, however many changes came meanwhile.
            rounds.dirty = True
            return
        rounds.dirty = False
        rounds.task = asyncio.get_running_loop().create_task(self._round(name, rounds))

    async def _round(self, name: str, rounds: ApiServiceProbe) -> None:
        extension = next((candidate for candidate in self._extensions() if candidate.name == name), None)
        with self._api.clock.busy():
            try:
                if extension is not None:
                    await self._check(extension, rounds)
            except Exception:
                # A defect in one round must not keep the next one away.
                LOG.exception("looking at the APIService %s failed", name)
        rounds.task = None
        if extension is None:
            self._rounds.pop(name, None)
        elif rounds.dirty:
            self._look(name)

    async def _check(self, extension: Extension, rounds: ApiServiceProbe) -> None:
        verdict = availability.judge(extension, self._api.services) or await self._probe(extension)
        await self._write(extension, verdict)
        self._knowledge.learn(extension, await self._read_documents(extension))
        good = verdict.status == "True"
        rounds.failures = 0 if good else rounds.failures + 1
        # Doubled with each failure, up to the usual interval.
        pause = PROBE_SECONDS if good else min(FIRST_RETRY * 2 ** (rounds.failures - 1), PROBE_SECONDS)
        due = self._api.clock.now() + pause
        rounds.timer = self._at(due, extension.name)
        if good:
            self._knowledge.next_looks[extension.name] = due

    async def _probe(self, extension: Extension) -> AvailableCondition:
        address = address_of(extension, self._api.services)
        url = f"https://{address.host}:{address.port}{extension.path}"
        return availability.conclude(url, await self._get(extension, extension.path))

    async def _read_documents(self, extension: Extension) -> ExtensionDocuments:
        """Ask what it serves, in one document for all its versions or in one for this version."""
        previous = self._knowledge.of(extension)
        resources = extension_documents.resources_of(
            extension, await self._json(extension, "/apis", DISCOVERY_ACCEPT)
        )
        if resources is None:
            resources = extension_documents.resources_of(
                extension, await self._json(extension, extension.path)
            )
        if resources is None:
            # Its OpenAPI documents stay as they were; of its resources nothing is told any more.
            return replace(previous, fresh=False, resources=())
        index = await self._json(extension, "/openapi/v3")
        openapi = extension_documents.openapi_of(extension, index) or previous.openapi
        group_openapi = extension_documents.group_openapi_of(extension, index) or previous.group_openapi
        document = await self._json(extension, "/openapi/v2")
        swagger = extension_documents.swagger_of(extension, document, previous.swagger)
        return ExtensionDocuments(
            resources=resources,
            fresh=True,
            openapi=openapi,
            group_openapi=group_openapi,
            swagger=swagger or previous.swagger,
        )

    async def _json(self, extension: Extension, path: str, accept: str = "application/json") -> Json:
        result = await self._get(extension, path, accept)
        try:
            return orjson.loads(result.body) if result.code == 200 else None
        except orjson.JSONDecodeError:
            return None

    async def _get(self, extension: Extension, path: str, accept: str = "") -> CallResult:
        """Ask an extension as the aggregator itself."""
        headers = (("accept", accept),) if accept else ()
        request = Request(method="GET", path=path, all_headers=headers, user=PROBER, audit_id="")
        try:
            proxy = forward(extension, request, self._api.services)
        except ServiceUnreachableError as error:
            return CallResult(error=str(error))
        proxy = replace(proxy, refused=lambda _: None, failed=lambda why: Response(code=0, body=why.encode()))
        try:
            async with asyncio.timeout(PROBE_TIMEOUT_SECONDS):
                answer = await self._relay.ask(proxy)
                response = await self._relay.whole(answer) if isinstance(answer, RelayedAnswer) else answer
        except NoAnswerError as error:
            return CallResult(error=str(error))
        except TimeoutError:
            return CallResult(
                error="context deadline exceeded (Client.Timeout exceeded while awaiting headers)"
            )
        return (
            CallResult(code=response.code, body=response.body)
            if response.code
            else CallResult(error=response.body.decode())
        )

    async def _write(self, extension: Extension, verdict: AvailableCondition) -> None:
        """Write the condition, unless it stands there already or the APIService has changed meanwhile."""
        stored = self._api.store.get(APISERVICES, ("", extension.name))
        # It may have been deleted while the probe ran.
        if stored is None:
            return
        apiservice = availability.with_condition(stored.object, verdict, at(self._api.clock.now()))
        if apiservice.get("status") == stored.object.get("status"):
            return
        request = Request(
            method="PUT",
            path=STATUS_PATH.format(extension.name),
            body=orjson.dumps(apiservice),
            user=SYSTEM,
            headers={
                "content-type": "application/json",
                "accept": "application/json",
                "user-agent": "kube-apiserver",
            },
            audit_id=f"availability-{extension.name}-{stored.revision}",
            shares_loop=True,
        )
        await self._complete(self._api.handle(request))


def _service(event: Event) -> str:
    """Return the Service that a change is about, as `namespace/name`."""
    namespace, name = event.after.name
    if event.resource == SLICES:
        name = (event.after.object["metadata"].get("labels") or {}).get(SERVICE_OF_SLICE, "")
    return f"{namespace}/{name}"
