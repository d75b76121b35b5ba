"""A cluster with watchers of every view,
brought into the same state before each write that is interrupted.
"""

from __future__ import annotations

import asyncio
from contextlib import nullcontext

from .interruption import Interruption, Step
from .wire import VIEWS, Client, Watcher

MAPS = "/api/v1/namespaces/default/configmaps"
OBJECTS = {
    name: {"metadata": {"name": name, "labels": {"kind": "seen"}}} for name in ("old", "older", "oldest")
}
TURNS, MOST_TURNS, PAUSE_SECONDS = 8, 40, 0.001
"""How often the loop turns after a request: at least, and until it is answered where a webhook is asked."""


class Stage:
    """A cluster with watchers of every view."""

    def __init__(self, cluster) -> None:
        self.cluster, self.store = cluster, cluster._core.store
        self.watchers: list[Watcher] = []

    def stored(self, view: str) -> dict[str, int]:
        """The revisions of what a watcher of a view has to know, by name."""
        stored_objects = self.store.list(
            ("", "configmaps"), namespace="default" if view in {"namespace", "fields"} else ""
        )
        return {
            obj.name[1]: obj.revision
            for obj in stored_objects
            if view != "selected" or "labels" in obj.object["metadata"]
        }

    async def set(self) -> None:
        """Bring about the same state before every attempt, with every watcher open and complete."""
        for name in ("new", *OBJECTS):
            await self.ask("DELETE", f"{MAPS}/{name}")
        for body in OBJECTS.values():
            assert await self.ask("POST", MAPS, body) == 201
        self.watchers = [obj for obj in self.watchers if not obj.ended]
        there = {obj.view for obj in self.watchers}
        self.watchers += [Watcher(self.cluster, view) for view in VIEWS if view not in there]
        assert self.wrong() == []

    async def ask(self, method, path, body=None, headers=None, at: Step | None = None) -> int | None:
        """Send a request that is interrupted at a step; return the code of its answer, None without one."""
        return await self._asked(Interruption(at) if at else nullcontext(), method, path, body, headers)

    async def steps(self, method, path, body=None, headers=None) -> list[Step]:
        """Send a request; return the steps that it takes."""
        interruption = Interruption()
        code = await self._asked(interruption, method, path, body, headers)
        assert code in {200, 201}
        return sorted(interruption.steps)

    async def _asked(self, interruption, method, path, body, headers) -> int | None:
        client = Client(self.cluster)
        with interruption:
            client.send(method, path, body, **(headers or {}))
            for turn in range(MOST_TURNS):
                await asyncio.sleep(0 if turn < TURNS else PAUSE_SECONDS)
                if turn >= TURNS and client.answered:
                    break
        assert client.answered, "a client waits for ever"
        assert not self.cluster.listener.streams.pending
        code = client.code
        client.transport.close()
        return code

    def close(self) -> None:
        for obj in self.watchers:
            obj.client.transport.close()

    def wrong(self) -> list[tuple[str, dict[str, int], dict[str, int]]]:
        """The watchers that go on without what is stored."""
        return [
            (obj.view, obj.seen(), self.stored(obj.view))
            for obj in self.watchers
            if obj.seen() != self.stored(obj.view) and not obj.ended
        ]
