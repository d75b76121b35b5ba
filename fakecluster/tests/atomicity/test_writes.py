"""A write that is interrupted anywhere between its arrival and the last watcher told happened for all of them, or for none.

The interruption is an exception that no function of the server expects, raised at every step in turn: the client gets an
answer or loses its connection, and each watcher knows what is stored or has been told to list again.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import nullcontext

import pytest

from fakecluster import FakeCluster
from fakecluster.server import streams

from .interruption import Interruption, Step
from .wire import VIEWS, Client, Watcher

MAPS = "/api/v1/namespaces/default/configmaps"
MERGE, JSON_PATCH, APPLY = (
    {"Content-Type": f"application/{name}"}
    for name in ("merge-patch+json", "json-patch+json", "apply-patch+yaml")
)
TELLING = ("server/", "store.py", "followers.py")
"""Where something is stored and told: tried at every run of the tests; the sweep over all of the server is marked slow."""
WRITES = {
    "create": ("POST", MAPS, {"metadata": {"name": "new", "labels": {"kind": "seen"}}}, {}),
    "update": ("PUT", f"{MAPS}/old", {"metadata": {"name": "old", "labels": {"kind": "seen"}}, "data": {"a": "b"}}, {}),
    "update out of a selection": ("PUT", f"{MAPS}/old", {"metadata": {"name": "old"}}, {}),
    "merge patch": ("PATCH", f"{MAPS}/old", {"data": {"a": "b"}}, MERGE),
    "json patch": ("PATCH", f"{MAPS}/old", [{"op": "add", "path": "/data", "value": {"a": "b"}}], JSON_PATCH),
    "apply": ("PATCH", f"{MAPS}/old?fieldManager=m", {"apiVersion": "v1", "kind": "ConfigMap", "data": {"a": "b"}}, APPLY),
    "apply of a new one": (
        "PATCH", f"{MAPS}/new?fieldManager=m", {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "new"}}, APPLY,
    ),
    "delete": ("DELETE", f"{MAPS}/old", None, {}),
    "deletecollection": ("DELETE", f"{MAPS}?labelSelector=kind%3Dseen", None, {}),
}  # fmt: skip
OBJECTS = {
    name: {"metadata": {"name": name, "labels": {"kind": "seen"}}} for name in ("old", "older", "oldest")
}


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(tls=False, controllers="none") as running:
        yield running


@pytest.fixture(autouse=True)
def at_once(monkeypatch, caplog):
    """Rounds of writing that follow one another without a pause; a log that stays short."""
    monkeypatch.setattr(streams, "LONGEST_REST", 0.0)
    caplog.set_level(logging.CRITICAL)


class Stage:
    """A cluster with watchers of every view."""

    def __init__(self, cluster) -> None:
        self.cluster, self.store = cluster, cluster._core.store
        self.watchers: list[Watcher] = []

    def stored(self, view: str) -> dict[str, int]:
        """The revisions of what a watcher of a view has to know, by name."""
        found = self.store.list(
            ("", "configmaps"), namespace="default" if view in {"namespace", "fields"} else ""
        )
        return {
            one.name[1]: one.revision
            for one in found
            if view != "selected" or "labels" in one.object["metadata"]
        }

    async def set(self) -> None:
        """Bring about the same state before every attempt, with every watcher open and complete."""
        for name in ("new", *OBJECTS):
            await self.ask("DELETE", f"{MAPS}/{name}")
        for body in OBJECTS.values():
            assert (await self.ask("POST", MAPS, body))[1] == 201
        self.watchers = [one for one in self.watchers if not one.ended]
        there = {one.view for one in self.watchers}
        self.watchers += [Watcher(self.cluster, view) for view in VIEWS if view not in there]
        assert self.wrong() == []

    async def ask(
        self, method, path, body=None, headers=None, at: int | None = None
    ) -> tuple[list[Step], int | None]:
        """Send a request that is interrupted at a step; return the steps it took, and the code of its answer."""
        client, interruption = Client(self.cluster), Interruption(at or 0)
        with nullcontext() if at is None else interruption:
            client.send(method, path, body, **(headers or {}))
            for _ in range(6):
                await asyncio.sleep(0)
        code = client.code
        assert code is not None or client.transport.closed, "a client waits for ever"
        assert not self.cluster.listener.streams.pending
        client.transport.close()
        return interruption.steps, code

    def close(self) -> None:
        for one in self.watchers:
            one.client.transport.close()

    def wrong(self) -> list[tuple[str, dict[str, int], dict[str, int]]]:
        """The watchers that go on without what is stored."""
        return [
            (one.view, one.seen(), self.stored(one.view))
            for one in self.watchers
            if one.seen() != self.stored(one.view) and not one.ended
        ]


def first_of_each(steps: list[Step]) -> list[tuple[int, Step]]:
    """The first time that each function begins and ends."""
    known = {step: at for at, step in reversed(list(enumerate(steps, 1)))}
    return [(at, step) for step, at in known.items()]


def where_it_is_told(steps: list[Step]) -> list[tuple[int, Step]]:
    return [(at, step) for at, step in first_of_each(steps) if step[0].startswith(TELLING)]


async def swept(cluster, write, chosen) -> list[object]:
    """Return what was wrong after the interruptions at chosen steps of a write."""
    stage, wrong = Stage(cluster), []
    await stage.set()
    steps, code = await stage.ask(*write, 0)
    assert code in {200, 201}
    for at, step in chosen(steps):
        await stage.set()
        before = stage.stored("json")
        _, code = await stage.ask(*write, at)
        happened = before != stage.stored("json")
        told = code is None or code >= 500 or happened == (code < 300)
        if (found := stage.wrong()) or not told:
            wrong.append((at, step, code, happened, found))
    stage.close()
    return wrong


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_happens_for_everybody_or_for_nobody(cluster, write):
    wrong = cluster.run(swept(cluster, write, where_it_is_told))

    assert wrong == []


@pytest.mark.slow
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_happens_for_everybody_or_for_nobody_wherever_it_fails(cluster, write):
    wrong = cluster.run(swept(cluster, write, first_of_each))

    assert wrong == []
