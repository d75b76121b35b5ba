"""The requests as this program knows them: what the API server told,
with its own last writes (PR-090a, PR-090b).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from reference_impl.api.resource import Json, Key, Resource
from reference_impl.runtime.client import Client
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.store import Store

from . import conditions
from .conditions import RequestCondition
from .request import ProvisioningRequest
from .sorted_requests import SortedRequests

FIELD_MANAGER = "cluster-autoscaler"


class RequestCache:
    """Reads requests and writes their conditions.

    What is written by PUT counts at once, even where the write fails: the real one changes its cached object
    first. It counts until the server tells of a newer revision. What is applied counts only when the server
    has told of it (finding X18).
    """

    def __init__(
        self,
        client: Client,
        store: Store,
        current_time: Callable[[], float],
        log: Logger,
        *,
        resource: Resource,
        read: Callable[[Json], ProvisioningRequest],
    ) -> None:
        self._client, self._store, self._now, self._log = client, store, current_time, log
        self._resource, self._read = resource, read
        self.written = 0
        """How many writes have changed a request."""
        self._ours: dict[Key, tuple[str, Json]] = {}
        self._requests: dict[Key, ProvisioningRequest] = {}
        self._in_order = SortedRequests()
        self._all: Sequence[ProvisioningRequest] | None = None
        self._unread = store.follow()
        """What has to be read again: what the server told, and what was written."""
        self._followers: list[set[Key]] = []
        self._refused: set[Key] = set()

    def all(self) -> Sequence[ProvisioningRequest]:
        """Return all requests, those that were made first before the others."""
        self.refresh()
        if self._all is None:
            self._all = self._in_order.all()
        return self._all

    def refresh(self) -> None:
        """Read what has changed; who follows hears of it."""
        if self._unread:
            for key in sorted(self._unread):
                self._read_again(key)
            for changed in self._followers:
                changed.update(self._unread)
            self._unread.clear()
            self._all = None

    def follow(self) -> set[Key]:
        """Return a set to which `refresh` adds the key of each request that has changed; its reader takes out
        what it has read.
        """
        changed = set(self._requests)
        self._followers.append(changed)
        return changed

    def read(self, key: Key) -> ProvisioningRequest | None:
        """Return a request as `all` has it."""
        return self._requests.get(key)

    def pop_refused(self) -> Sequence[Key]:
        """Return the requests of which a write has failed since this was asked last."""
        refused, self._refused = sorted(self._refused), set()
        return refused

    def get(self, key: Key) -> ProvisioningRequest | None:
        """Return the newest known state of a request."""
        obj = self._store.get(key)
        return None if obj is None else self._request(key, obj)

    async def put_status(
        self, request: ProvisioningRequest, *news: RequestCondition, details: Mapping[str, str] | None = None
    ) -> bool:
        """Write conditions with the whole status (PR-089); tell whether the server took them."""
        changed = conditions.with_conditions(request, news, self._now(), details)
        revision = self._revision(request.key)
        # Before the write, and kept when it fails: the real one changes its cached
        # object first (PR-090a).
        self._remember(request.key, revision, changed)
        answer = await self._send(request, lambda: self._client.update_status(self._resource, changed))
        return self._note_answer(request, revision, answer)

    async def apply(self, request: ProvisioningRequest, new: RequestCondition) -> bool:
        """Write one condition by server-side apply,
        without a generation (PR-089); tell whether the server took it.
        """
        namespace, name = request.key
        body = {
            "apiVersion": self._resource.api_version,
            "kind": self._resource.kind,
            "metadata": {"name": name, "namespace": namespace},
            "status": {"conditions": [conditions.render(new, request, self._now(), observed=False)]},
        }
        revision = self._revision(request.key)
        answer = await self._send(
            request,
            lambda: self._client.apply(self._resource, body, manager=FIELD_MANAGER, subresource="status"),
        )
        return self._note_answer(request, revision, answer)

    async def delete(self, request: ProvisioningRequest) -> None:
        """Delete a request."""
        await self._send(request, lambda: self._client.delete(self._resource, request.key, uid=request.uid))

    def _note_answer(self, request: ProvisioningRequest, revision: str, answer: Json | None) -> bool:
        """Keep the answer to a write; tell whether there is one."""
        if answer is None:
            return False
        # An apply that changes nothing gets the same revision: no progress.
        self.written += _revision(answer) != _revision(request.object)
        self._remember(request.key, revision, answer)
        return True

    def _remember(self, key: Key, revision: str, ours: Json) -> None:
        """Keep what was written while the store had the revision `seen`."""
        self._ours[key] = (revision, ours)
        self._unread.add(key)

    def _read_again(self, key: Key) -> None:
        self._in_order.remove(self._requests.get(key))
        obj = self._store.get(key)
        if obj is None:
            self._requests.pop(key, None)
        else:
            request = self._requests[key] = self._request(key, obj)
            self._in_order.add(request)

    def _request(self, key: Key, obj: Json) -> ProvisioningRequest:
        """Return a parsed request; each revision is parsed once."""
        request = self._latest(key, obj)
        cached = self._requests.get(key)
        # Each revision is parsed once: loops ask for all requests again and again.
        return cached if cached is not None and cached.object is request else self._read(request)

    def _latest(self, key: Key, obj: Json) -> Json:
        answer = self._ours.get(key)
        if answer is None:
            return obj
        revision, ours = answer
        if (
            obj["metadata"]["resourceVersion"] == revision
            and obj["metadata"]["uid"] == ours["metadata"]["uid"]
        ):
            return ours
        if _revision(obj) < _revision(ours) and obj["metadata"]["uid"] == ours["metadata"]["uid"]:
            return ours
        del self._ours[key]
        return obj

    def _revision(self, key: Key) -> str:
        obj = self._store.get(key)
        return "" if obj is None else str(obj["metadata"]["resourceVersion"])

    async def _send(self, request: ProvisioningRequest, send: Callable[[], Awaitable[Json]]) -> Json | None:
        try:
            return await send()
        except (ApiError, UnreachableError, TimeoutError) as error:
            self._log.warning("request not written", request=request.key, error=error)
            self._refused.add(request.key)
            return None


def _revision(obj: Json) -> int:
    return int(obj["metadata"]["resourceVersion"])
