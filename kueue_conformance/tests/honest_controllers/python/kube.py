"""Requests to the API server over httpx: pages and watches, without a client library."""

import base64
import json
import os
import ssl
import tempfile
from collections.abc import AsyncIterator
from typing import Any

import httpx
import yaml
from objects import Object

KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
PAGE = 100
NOT_FOUND, CONFLICT, TOO_MANY_REQUESTS = 404, 409, 429


class ApiError(Exception):
    """A status code of the API server that is no success."""

    def __init__(self, status: int, text: str, retry_after: float) -> None:
        super().__init__(f"{status} {text[:200]}")
        self.status, self.retry_after = status, retry_after


class Api:
    """Requests to the API server that a kubeconfig names."""

    def __init__(self, agent: str) -> None:
        with open(os.environ["KUBECONFIG"], encoding="utf-8") as file:
            config = yaml.safe_load(file)
        cluster, user = config["clusters"][0]["cluster"], config["users"][0]["user"]
        trust = ssl.create_default_context(cadata=material(cluster, "certificate-authority").decode())
        if "client-certificate" in user or "client-certificate-data" in user:
            with tempfile.NamedTemporaryFile(suffix=".pem") as pem:
                pem.write(material(user, "client-certificate") + b"\n" + material(user, "client-key"))
                pem.flush()
                trust.load_cert_chain(pem.name)
        headers = {"User-Agent": agent}
        if "token" in user:
            headers["Authorization"] = f"Bearer {user['token']}"
        self.http = httpx.AsyncClient(
            base_url=cluster["server"], verify=trust, headers=headers, timeout=10, trust_env=False
        )

    async def call(
        self, method: str, path: str, body: Any = None, kind: str = "json", **query: Any
    ) -> Object:
        """Send a request; a status code that is no success is raised."""
        content = None if body is None else json.dumps(body)
        answer = await self.http.request(
            method, path, content=content, params=query, headers={"Content-Type": f"application/{kind}"}
        )
        if answer.is_error:
            raise ApiError(answer.status_code, answer.text, float(answer.headers.get("Retry-After", 0)))
        return answer.json()  # type: ignore[no-any-return]

    async def list(self, path: str, all_pages: bool = True) -> tuple[list[Object], str]:
        """Return every object of a kind, page by page, and the revision to watch from."""
        items: list[Object] = []
        query: dict[str, Any] = {"limit": PAGE}
        while True:
            page = await self.call("GET", path, **query)
            items += page["items"]
            token = page["metadata"].get("continue")
            if not token or not all_pages:
                return items, page["metadata"]["resourceVersion"]
            query["continue"] = token

    async def watch(self, path: str, since: str) -> AsyncIterator[Object]:
        """Yield the events of a kind until the server ends the watch."""
        query = {
            "watch": "true",
            "resourceVersion": since,
            "allowWatchBookmarks": "true",
            "timeoutSeconds": "280",
        }
        limits = httpx.Timeout(10, read=300)
        async with self.http.stream("GET", path, params=query, timeout=limits) as answer:
            if answer.is_error:
                text = (await answer.aread()).decode(errors="replace")
                raise ApiError(answer.status_code, text, float(answer.headers.get("Retry-After", 0)))
            async for line in answer.aiter_lines():
                if line.strip():
                    event = json.loads(line)
                    if event["type"] == "ERROR":
                        raise ApiError(event["object"].get("code", 500), str(event["object"]), 0)
                    yield event


def material(section: Object, name: str) -> bytes:
    """Return a certificate or key of a kubeconfig, written in it or beside it."""
    if f"{name}-data" in section:
        return base64.b64decode(section[f"{name}-data"])
    with open(section[name], "rb") as file:
        return file.read()
