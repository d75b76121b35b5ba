"""The client: verbs on resources over kept HTTP connections, JSON in and out."""

from __future__ import annotations

import asyncio
import os
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal
from urllib.parse import urlencode

import orjson

from ..api.resource import Json, Key, Resource, key_of
from .errors import ApiError, UnreachableError
from .fence import Fence
from .kubeconfig import Connection
from .wire import Answer, Server

PatchKind = Literal["json", "merge", "strategic", "apply"]
PATCH_TYPES: Mapping[PatchKind, str] = {
    "json": "application/json-patch+json",
    "merge": "application/merge-patch+json",
    "strategic": "application/strategic-merge-patch+json",
    "apply": "application/apply-patch+yaml",
}
Batch = list[Json]
JSON_TYPE = "application/json"
REQUEST_SECONDS = 60.0
TOKEN_SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Stream:
    """An open watch: the Audit-Id that names it, and its events in batches as they arrive."""

    audit_id: str
    batches: AsyncIterator[Batch]


class Client:
    """Talks to one API server. Made on the running loop, closed with `close`.

    With a fence, nothing that may change an object is sent while that is closed:
    NotLeadingError is raised in its place.
    """

    def __init__(self, connection: Connection, *, user_agent: str, fence: Fence | None = None) -> None:
        self._check = fence.check if fence else _pass
        self._writing = 0
        self._written = asyncio.Event()
        self._base = connection.server
        self._headers = {"User-Agent": user_agent, "Accept": JSON_TYPE}
        self._token, self._token_file, self._token_due = connection.token, connection.token_file, 0.0
        self._wire = Server(
            connection.server,
            self._always(),
            connection.ssl_context(),
            connection.server_name,
            connection.dial,
        )

    def _always(self) -> Mapping[str, str]:
        authorization = {"Authorization": f"Bearer {self._token}"} if self._token else {}
        return {**self._headers, **authorization}

    def _renew_token(self, file: Path) -> None:
        """Read the token again from time to time: the kubelet replaces it before it expires."""
        current_time = asyncio.get_running_loop().time()
        if current_time < self._token_due:
            return
        self._token_due = current_time + TOKEN_SECONDS
        try:
            token = file.read_text("utf-8").strip()
        except OSError:
            return  # the old one may still do
        if token and token != self._token:
            self._token = token
            self._wire.always(self._always())

    async def close(self) -> None:
        """Close every connection."""
        self._wire.close()

    async def drain(self) -> None:
        """Return when every write that was sent has its answer."""
        while self._writing:
            self._written.clear()
            await self._written.wait()

    async def get(self, resource: Resource, key: Key, *, subresource: str = "") -> Json:
        """Read one object."""
        return await self.request("GET", resource.path(*key, subresource))

    async def list(self, resource: Resource, namespace: str = "", **options: str) -> Json:
        """Read all objects, of a namespace or of the cluster, as a List."""
        return await self.request("GET", resource.path(namespace), options)

    async def find(self, resource: Resource, key: Key) -> Json | None:
        """Read one object by a list, as informers may; None when there is none."""
        # Informers have the right to list and watch, which a right to get does not
        # follow from.
        answer = await self.list(resource, key.namespace, fieldSelector=f"metadata.name={key.name}")
        meta = {"apiVersion": resource.api_version, "kind": resource.kind}
        return next(({**meta, **item} for item in answer.get("items") or ()), None)

    async def create(self, resource: Resource, obj: Json) -> Json:
        """Create an object."""
        namespace = obj["metadata"].get("namespace", "")
        return await self.request("POST", resource.path(namespace), body=obj)

    async def update(self, resource: Resource, obj: Json, *, subresource: str = "") -> Json:
        """Replace an object; its resourceVersion is the precondition."""
        return await self.request("PUT", resource.path(*key_of(obj), subresource), body=obj)

    async def update_status(self, resource: Resource, obj: Json) -> Json:
        """Replace the status of an object."""
        return await self.update(resource, obj, subresource="status")

    async def patch(
        self,
        resource: Resource,
        key: Key,
        body: Json,
        *,
        kind: PatchKind = "merge",
        subresource: str = "",
        **options: str,
    ) -> Json:
        """Patch an object; `options` are query parameters such as fieldManager."""
        path = resource.path(*key, subresource)
        return await self.request("PATCH", path, options, body, content_type=PATCH_TYPES[kind])

    async def apply(
        self, resource: Resource, obj: Json, *, manager: str, subresource: str = "", force: bool = True
    ) -> Json:
        """Apply an object as a field manager (server-side apply)."""
        # Kueue forces: a condition that a user once applied must not stop the state
        # machine.
        options = {"fieldManager": manager, "force": "true" if force else "false"}
        return await self.patch(resource, key_of(obj), obj, kind="apply", subresource=subresource, **options)

    async def delete(
        self,
        resource: Resource,
        key: Key,
        *,
        propagation: str = "",
        uid: str = "",
        resource_version: str = "",
    ) -> Json:
        """Delete an object, if it still has the uid and the resourceVersion when they are given."""
        preconditions = {
            name: value for name, value in (("uid", uid), ("resourceVersion", resource_version)) if value
        }
        body: Json = {"kind": "DeleteOptions", "apiVersion": "v1"}
        body |= {"propagationPolicy": propagation} if propagation else {}
        body |= {"preconditions": preconditions} if preconditions else {}
        return await self.request("DELETE", resource.path(*key), body=body)

    async def request(
        self,
        method: str,
        path: str,
        options: Mapping[str, str] | None = None,
        body: Json = None,
        *,
        content_type: str = JSON_TYPE,
    ) -> Json:
        """Send one request and return the decoded answer; an answer that is no success raises ApiError."""
        # Encoded before a connection is taken: an object that is no JSON must not cost
        # one.
        data = None if body is None else orjson.dumps(body)
        headers = {} if data is None else {"Content-Type": content_type}
        # A read changes nothing: no fence, and `drain` does not wait for it.
        if method == "GET":
            return await self._send(method, _target(path, options), headers, data, _pass)
        self._writing += 1
        try:
            return await self._send(method, _target(path, options), headers, data, self._check)
        finally:
            self._writing -= 1
            self._written.set()

    async def review(self, path: str, options: Mapping[str, str] | None, body: Json) -> Json:
        """Post a question and return the answer: it changes no object, so no fence holds it back.

        Raises ApiError.
        """
        target, headers = _target(path, options), {"Content-Type": JSON_TYPE}
        return await self._send("POST", target, headers, orjson.dumps(body), _pass, repeatable=True)

    async def _send(
        self,
        method: str,
        target: str,
        headers: Mapping[str, str],
        data: bytes | None,
        check: Callable[[], None],
        *,
        repeatable: bool = False,
    ) -> Json:
        if self._token_file is not None:
            self._renew_token(self._token_file)
        try:
            async with asyncio.timeout(REQUEST_SECONDS):
                status, answer = await self._wire.exchange(
                    method, target, headers, data, check=check, repeatable=repeatable
                )
        except OSError as error:
            raise self._unreachable(error) from error
        if status >= 400:
            raise ApiError.of_body(status, answer)
        return self._decode(answer) if answer else None

    @asynccontextmanager
    async def watch(
        self, resource: Resource, options: Mapping[str, str], namespace: str = ""
    ) -> AsyncIterator[Stream]:
        """Open a watch on all objects of a resource, of a namespace or of the cluster."""
        if self._token_file is not None:
            self._renew_token(self._token_file)
        try:
            target = _target(resource.path(namespace), {**options, "watch": "true"})
            async with self._wire.stream(target) as answer:
                if answer.status >= 400:
                    raise ApiError.of_body(answer.status, await answer.body())
                async with aclosing(self._batches(answer)) as batches:
                    yield Stream(answer.headers.get("audit-id", ""), batches)
        except OSError as error:
            raise self._unreachable(error) from error

    async def _batches(self, answer: Answer) -> AsyncGenerator[Batch, None]:
        rest = b""
        async for chunk in answer.chunks():
            # A chunk may end within a line: the rest waits for the next one.
            *lines, rest = (rest + chunk).split(b"\n")
            if lines:
                yield [self._decode(line) for line in lines if line]

    def _decode(self, text: bytes) -> Json:
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            raise UnreachableError(
                f"{self._base} answers something that is not JSON: {text[:80]!r}"
            ) from None

    def _unreachable(self, error: OSError) -> UnreachableError:
        if isinstance(error, ssl.SSLCertVerificationError):
            why = f"its certificate is not trusted: {error}; check the kubeconfig's CA"
        elif isinstance(error, ssl.SSLError):
            why = f"no TLS there: {error}; is it https?"
        elif isinstance(error, TimeoutError):
            why = f"nothing came within {REQUEST_SECONDS:.0f} s"
        else:
            why = f"{_system_text(error)}; is the API server running?"
        return UnreachableError(f"no answer from {self._base}: {why}")


def _pass() -> None:
    """Let a request be sent."""


def _target(path: str, options: Mapping[str, str] | None) -> str:
    return f"{path}?{_query(tuple(options.items()))}" if options else path


@lru_cache(maxsize=64)
def _query(options: tuple[tuple[str, str], ...]) -> str:
    """Encode options; a control plane asks with the same few again and again."""
    return urlencode(options)


def _system_text(error: OSError) -> str:
    # asyncio puts the address into strerror; the system's own word for the number says what happened.
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
