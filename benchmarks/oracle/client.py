"""One asynchronous client and two kinds of objects of about 1 KiB: a ConfigMap, and a custom resource with a
schema and a rule.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from aiohttp import ClientSession, ClientTimeout, TCPConnector

from ..objects import Json
from .servers import Server

NAMESPACE, GROUP = "bench", "bench.example.com"
PAYLOAD = "x" * 900
JSON_BODY, MERGE, APPLY = "application/json", "application/merge-patch+json", "application/apply-patch+yaml"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind: its name in the table, its path, and how an object is made from a name and a number."""

    name: str
    path: str
    make: Callable[[str, int], Json]

    def change(self, number: int) -> Json:
        """Return the merge patch that puts a number into an object."""
        return {key: value for key, value in self.make("", number).items() if key in {"data", "spec"}}


def _config_map(name: str, number: int) -> Json:
    return {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name},
        "data": {"p": PAYLOAD, "seq": str(number)},
    }


def _custom(name: str, number: int) -> Json:
    spec = {"p": PAYLOAD, "seq": str(number), "n": 5}
    return {"apiVersion": f"{GROUP}/v1", "kind": "Load", "metadata": {"name": name}, "spec": spec}


KINDS = (
    Kind("ConfigMap", f"/api/v1/namespaces/{NAMESPACE}/configmaps", _config_map),
    Kind("custom resource", f"/apis/{GROUP}/v1/namespaces/{NAMESPACE}/loads", _custom),
)
_SPEC = {
    "type": "object",
    "properties": {
        "p": {"type": "string", "maxLength": 2000},
        "seq": {"type": "string"},
        "n": {"type": "integer", "maximum": 10},
        "d": {"type": "string", "default": "x"},
    },
    "x-kubernetes-validations": [{"rule": "self.n < 10", "message": "n is too large"}],
}
DEFINITION = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": f"loads.{GROUP}"},
    "spec": {
        "group": GROUP,
        "scope": "Namespaced",
        "names": {"plural": "loads", "kind": "Load"},
        "versions": [
            {
                "name": "v1",
                "served": True,
                "storage": True,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": _SPEC}}},
            }
        ],
    },
}


class Client:
    """Asks one server; every answer is read whole."""

    def __init__(self, server: Server, session: ClientSession) -> None:
        self.server = server
        self.session = session
        self.headers = {"Accept": "application/json", "Authorization": f"Bearer {server.token}"}

    async def ask(self, method: str, path: str, body: Json = None, media: str = JSON_BODY) -> bytes:
        """Return the body of an answer. Raises RuntimeError for a failure."""
        headers, data = self.headers, None
        if body is not None:
            headers, data = {**headers, "Content-Type": media}, json.dumps(body).encode()
        async with self.session.request(method, self.server.url + path, data=data, headers=headers) as answer:
            content = await answer.read()
            if answer.status >= 300:
                raise RuntimeError(f"{method} {path}: {answer.status} {content[:300]!r}")
            return content

    async def prepare(self) -> None:
        """Make the namespace and the definition, and wait until its kind is served."""
        await self.ask("POST", "/api/v1/namespaces", {"metadata": {"name": NAMESPACE}})
        await self.ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION)
        while True:
            try:
                await self.ask("GET", KINDS[1].path)
            except RuntimeError:
                continue
            return


@asynccontextmanager
async def connect(server: Server) -> AsyncIterator[Client]:
    """Return a client of a server, with everything prepared."""
    connector = TCPConnector(ssl=ssl.create_default_context(cafile=server.ca), limit=0)
    async with ClientSession(
        connector=connector, read_bufsize=1 << 20, timeout=ClientTimeout(total=300)
    ) as session:
        client = Client(server, session)
        await client.prepare()
        yield client
