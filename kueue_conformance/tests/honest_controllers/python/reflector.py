"""A cache of a kind that follows the server: it lists, watches, and lists again when that is needed."""

import asyncio
import json
from collections.abc import Callable

import httpx
from kube import NOT_FOUND, TOO_MANY_REQUESTS, Api, ApiError
from objects import MISTAKE, Object

SHORTEST_WAIT, LONGEST_WAIT = 0.25, 3.0
Name = tuple[str, str]


def name_of(document: Object) -> Name:
    """Return namespace and name; the namespace of a check is empty."""
    return document["metadata"].get("namespace", ""), document["metadata"]["name"]


class Reflector:
    """Keeps `cache`, and calls `notify` with the name of what has changed."""

    def __init__(self, api: Api, path: str, notify: Callable[[Name], None]) -> None:
        self.api, self.path, self.notify = api, path, notify
        self.cache: dict[Name, Object] = {}
        self.synced = asyncio.Event()
        self.revision, self.wait = "", SHORTEST_WAIT

    async def run(self) -> None:
        """Follow for ever; what goes wrong is printed, and tried again later and later."""
        while True:
            try:
                await self._follow()
                continue
            except ApiError as problem:
                if problem.status != TOO_MANY_REQUESTS:
                    self.revision = ""
                if problem.status == NOT_FOUND:
                    self.synced.set()
                else:
                    print(f"watching {self.path}: {problem}", flush=True)
                await asyncio.sleep(max(problem.retry_after, self.wait))
            except (httpx.HTTPError, json.JSONDecodeError) as problem:
                print(f"watching {self.path}: {problem!r}", flush=True)
                await asyncio.sleep(self.wait)
            self.wait = min(LONGEST_WAIT, self.wait * 2)

    async def _follow(self) -> None:
        if not self.revision:
            items, self.revision = await self.api.list(self.path, all_pages=MISTAKE != "first-page-only")
            self._replace({name_of(item): item for item in items})
            self.synced.set()
        async for event in self.api.watch(self.path, self.revision):
            document = event["object"]
            self.revision, self.wait = document["metadata"]["resourceVersion"], SHORTEST_WAIT
            if event["type"] == "DELETED":
                self._set(name_of(document), None)
            elif event["type"] != "BOOKMARK":
                self._set(name_of(document), document)

    def _replace(self, fresh: dict[Name, Object]) -> None:
        if MISTAKE != "list-adds-only":
            for name in self.cache.keys() - fresh.keys():
                self._set(name, None)
        for name, document in fresh.items():
            self._set(name, document)

    def _set(self, name: Name, document: Object | None) -> None:
        if document is None:
            self.cache.pop(name, None)
        else:
            self.cache[name] = document
        self.notify(name)
