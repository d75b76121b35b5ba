"""A write that is interrupted anywhere between its arrival and the last watcher told happened for all of
them, or for none.

The interruption is an exception that no function of the server expects, raised
at every step in turn: the client gets an answer or loses its connection, and
each watcher knows what is stored or has been told to list again.
"""

from __future__ import annotations

import pytest

from fakecluster import FakeCluster
from fakecluster.tests.hooks import allow, configuration

from .stage import MAPS, Stage

TELLING = ("server/", "store.py", "subscribers.py", "registry/machinery.py", "journal/")
"""Where something is stored and told: tried with some writes at every step; the sweep over all writes and all
of the server is `make interruptions`.
"""
HOOK = "https://hooks.example.com/"
MERGE, JSON_PATCH, APPLY = (
    {"Content-Type": f"application/{name}"}
    for name in ("merge-patch+json", "json-patch+json", "apply-patch+yaml")
)
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


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(tls=False, controllers="none") as running:
        yield running


async def wrong_watchers(cluster, write, where=("",), first=0, every=1) -> list[object]:
    """Return what was wrong after the interruptions of a write at each step in some files, or at every so
    many of them.
    """
    stage, wrong = Stage(cluster), []
    await stage.set()
    steps = [step for step in await stage.steps(*write) if step[0].startswith(where)]
    for step in steps[first::every]:
        await stage.set()
        before = stage.stored("json")
        code = await stage.ask(*write, step)
        happened = before != stage.stored("json")
        is_consistent = code is None or code >= 500 or happened == (code < 300)
        if (problems := stage.wrong()) or not is_consistent:
            wrong.append((step, code, happened, problems))
    stage.close()
    return wrong


@pytest.mark.parametrize("name", ["create", "update out of a selection", "delete"])
def test_a_write_happens_for_all_watchers_or_none(cluster, name):
    assert cluster.run(wrong_watchers(cluster, WRITES[name], TELLING)) == []


@pytest.mark.slow
@pytest.mark.parametrize("position", range(len(WRITES)), ids=WRITES)
def test_a_write_happens_for_all_watchers_or_none_at_a_step_here_and_there(cluster, position):
    """Each write takes its turn at the steps, most of which they have in common."""
    write = list(WRITES.values())[position]
    assert cluster.run(wrong_watchers(cluster, write, first=position, every=len(WRITES))) == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_write_happens_for_all_watchers_or_none_wherever_it_fails(cluster, write):
    assert cluster.run(wrong_watchers(cluster, write)) == []


async def hook(review):
    return allow(review)


# What is interrupted before it is awaited never is.
@pytest.mark.filterwarnings("ignore:coroutine", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_write_that_waits_for_a_webhook_happens_for_all_watchers_or_none():
    with FakeCluster(tls=False, controllers="none", webhooks={HOOK: hook}) as cluster:
        cluster.apply([configuration({"url": HOOK})])

        assert cluster.run(wrong_watchers(cluster, WRITES["update"], TELLING)) == []
