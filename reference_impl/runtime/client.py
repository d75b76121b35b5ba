"""The client: verbs on resources over pooled HTTP connections, JSON in and out (spec/stack.md D10)."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlencode

import aiohttp
import orjson
from yarl import URL

from ..api.resource import Json, Key, Resource, key_of
from .errors import ApiError, UnreachableError
from .kubeconfig import Connection

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


@dataclass(frozen=True, slots=True)
class Stream:
    """An open watch: the Audit-Id that names it, and its events in batches as they arrive."""

    audit_id: str
    batches: AsyncIterator[Batch]


class Client:
    """Talks to one API server. Made on the running loop, closed with `close`."""

    def __init__(self, connection: Connection, *, user_agent: str) -> None:
        self._base = connection.server
        self._server_name = connection.server_name or None
        headers = {"User-Agent": user_agent, "Accept": JSON_TYPE}
        if connection.token:
            headers["Authorization"] = f"Bearer {connection.token}"
        tls = connection.ssl_context()
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(
                limit=0, ssl=tls if tls is not None else True, keepalive_timeout=75
            ),
            headers=headers,
            timeout=aiohttp.ClientTimeout(total=REQUEST_SECONDS),
            auto_decompress=True,
            cookie_jar=aiohttp.DummyCookieJar(),
            read_bufsize=1 << 20,
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._session.close()

    async def get(self, resource: Resource, key: Key, *, subresource: str = "") -> Json:
        """Read one object."""
        return await self.request("GET", resource.path(*key, subresource))

    async def list(self, resource: Resource, namespace: str = "", **options: str) -> Json:
        """Read all objects, of a namespace or of the cluster, as a List."""
        return await self.request("GET", resource.path(namespace), options)

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
        data = None if body is None else orjson.dumps(body)
        headers = {"Content-Type": content_type} if data is not None else None
        try:
            async with self._session.request(
                method,
                self._url(path, options),
                data=data,
                headers=headers,
                server_hostname=self._server_name,
            ) as response:
                answer = await response.read()
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise self._unreachable(error) from error
        if response.status >= 400:
            raise ApiError.of_body(response.status, answer)
        return self._decoded(answer) if answer else None

    @asynccontextmanager
    async def watch(self, resource: Resource, options: Mapping[str, str]) -> AsyncIterator[Stream]:
        """Open a watch on all objects of a resource."""
        url = self._url(resource.path(), {**options, "watch": "true"})
        timeout = aiohttp.ClientTimeout(total=None, sock_connect=REQUEST_SECONDS)
        try:
            async with self._session.get(url, timeout=timeout, server_hostname=self._server_name) as response:
                if response.status >= 400:
                    raise ApiError.of_body(response.status, await response.read())
                async with aclosing(self._batches(response.content)) as batches:
                    yield Stream(response.headers.get("Audit-Id", ""), batches)
        except (aiohttp.ClientError, OSError, TimeoutError) as error:
            raise self._unreachable(error) from error

    async def _batches(self, content: aiohttp.StreamReader) -> AsyncGenerator[Batch, None]:
        # Lines are split here because StreamReader.readline refuses lines longer than its buffer.
        rest = b""
        async for chunk in content.iter_any():
            *lines, rest = (rest + chunk).split(b"\n")
            if lines:
                yield [self._decoded(line) for line in lines if line]

    def _decoded(self, text: bytes) -> Json:
        try:
            return orjson.loads(text)
        except orjson.JSONDecodeError:
            raise UnreachableError(
                f"{self._base} answers something that is not JSON: {text[:80]!r}"
            ) from None

    def _unreachable(self, error: Exception) -> UnreachableError:
        if isinstance(error, aiohttp.ClientConnectorCertificateError):
            why = f"its certificate is not trusted: {error.certificate_error}; check the kubeconfig's CA"
        elif isinstance(error, aiohttp.ClientSSLError):
            why = f"no TLS there: {error.os_error}; is it https?"
        elif isinstance(error, aiohttp.ClientConnectorError):
            why = f"{_system_text(error.os_error)}; is the API server running?"
        else:
            why = str(error) or type(error).__name__
        return UnreachableError(f"no answer from {self._base}: {why}")

    def _url(self, path: str, options: Mapping[str, str] | None) -> URL:
        query = f"?{urlencode(options)}" if options else ""
        return URL(f"{self._base}{path}{query}", encoded=True)


def _system_text(error: OSError) -> str:
    # asyncio puts the address into strerror; the system's own word for the number says what happened.
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
