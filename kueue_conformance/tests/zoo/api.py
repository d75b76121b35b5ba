"""A small client of the Kubernetes API and of the outside system that is asked for verdicts."""

from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlencode

import aiohttp
import orjson
import yaml

KUEUE = "/apis/kueue.x-k8s.io/v1beta2"
BUDGETS = "/apis/example.com/v1"
LEASES = "/apis/coordination.k8s.io/v1"
CORE = "/api/v1"
MERGE, APPLY, STRATEGIC = (
    f"application/{item}" for item in ("merge-patch+json", "apply-patch+yaml", "strategic-merge-patch+json")
)
NOT_FOUND, CONFLICT, GONE = 404, 409, 410


class ApiError(Exception):
    """An answer that is no success; `wait` is how long the server wants to be left alone."""

    def __init__(self, code, body, wait=0.0):
        super().__init__(f"{code} {body.get('reason', '')}: {body.get('message', '')}")
        self.code, self.body, self.wait = code, body, wait


TROUBLE = (ApiError, aiohttp.ClientError, OSError, TimeoutError, ValueError)


class Api:
    """One session with an API server, as the user of a kubeconfig."""

    def __init__(self, kubeconfig, agent="zoo/1"):
        known_names = yaml.load(Path(kubeconfig).read_text(), yaml.CSafeLoader)
        self.user = known_names["users"][0]["name"]
        self._server = known_names["clusters"][0]["cluster"]["server"]
        token = known_names["users"][0]["user"]["token"]
        self._session = aiohttp.ClientSession(
            headers={"Authorization": f"Bearer {token}", "User-Agent": agent},
            connector=aiohttp.TCPConnector(ssl=False, limit=0),
        )

    async def close(self):
        """End every connection."""
        await self._session.close()

    async def get(self, path, **query):
        """Read an object or a list."""
        return await self.send("GET", path, query)

    async def post(self, path, body):
        """Create an object."""
        return await self.send("POST", path, body=body)

    async def put(self, path, body):
        """Replace an object or its status."""
        return await self.send("PUT", path, body=body)

    async def patch(self, path, body, kind=MERGE, **query):
        """Change parts of an object."""
        return await self.send("PATCH", path, query, body, kind)

    async def delete(self, path):
        """Delete an object."""
        return await self.send("DELETE", path)

    async def send(self, method, path, query=None, body=None, kind="application/json"):
        """Send a request and return what came back. Raises ApiError."""
        data = None if body is None else orjson.dumps(body)
        async with self._session.request(
            method, f"{self._server}{path}", params=query or None, data=data, headers={"Content-Type": kind}
        ) as answer:
            return await _read_body(answer)

    @asynccontextmanager
    async def watch(self, path, **query):
        """Open a watch: its name, and batches of events as they come."""
        url = f"{self._server}{path}?{urlencode({**query, 'watch': 'true'})}"
        async with self._session.get(url, timeout=aiohttp.ClientTimeout(total=None)) as answer:
            if answer.status >= 400:
                await _read_body(answer)
            yield answer.headers.get("Audit-Id", ""), _batches(answer.content)

    async def ask(self, url, **about):
        """Ask the outside system."""
        async with self._session.get(url, params=about, headers={"Authorization": ""}) as answer:
            return await _read_body(answer)


async def _read_body(answer):
    text = await answer.read()
    body = orjson.loads(text) if text else {}
    if answer.status >= 400:
        raise ApiError(answer.status, body, float(answer.headers.get("Retry-After", 0)))
    return body


async def _batches(content):
    rest = b""
    while chunk := await content.readany():
        *lines, rest = (rest + chunk).split(b"\n")
        yield [orjson.loads(line) for line in lines if line]
