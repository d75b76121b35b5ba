"""Informers: what reaches the handlers from streams, lists and broken streams (apiserver.md §2.3)."""

import asyncio
import io
import random
from contextlib import asynccontextmanager

import pytest

from reference_impl.api.kinds import JOBS
from reference_impl.api.resource import Key
from reference_impl.runtime.client import Stream
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.informer import Informer
from reference_impl.runtime.log import Logger

from .clocks import HandClock


def obj(name, revision):
    return {"metadata": {"namespace": "ns", "name": name, "resourceVersion": str(revision)}}


def event(kind, name, revision):
    return {"type": kind, "object": obj(name, revision)}


def bookmark(revision, *, end=False):
    metadata = {"resourceVersion": str(revision)}
    return {
        "type": "BOOKMARK",
        "object": {
            "metadata": metadata | ({"annotations": {"k8s.io/initial-events-end": "true"}} if end else {})
        },
    }


def too_old():
    return {"type": "ERROR", "object": {"code": 410, "reason": "Expired", "message": "too old"}}


HANGS = None


class Server:
    """Plays streams one after the other: a list of batches,
    or the error that opening gives. The last one stays open.
    """

    def __init__(self, *streams, listed=()):
        self.streams, self.listed, self.asked, self.places = list(streams), listed, [], []

    async def list(self, _resource, namespace="", **selected):
        self.places.append((namespace, selected))
        return {"metadata": {"resourceVersion": "50"}, "items": list(self.listed)}

    @asynccontextmanager
    async def watch(self, _resource, options, namespace=""):
        self.asked.append(options)
        self.places.append((namespace, {"fieldSelector": options.get("fieldSelector")}))
        script = self.streams.pop(0)
        if isinstance(script, Exception):
            raise script
        yield Stream(f"audit-{len(self.asked)}", self._batches(script))

    async def _batches(self, script):
        for batch in script:
            if batch is HANGS:
                await asyncio.Event().wait()
            yield batch
        if not self.streams:
            await asyncio.Event().wait()


def follow(server, **chosen):
    """Let an informer read all that a server plays; return it, its clock, and what handlers were told."""
    clock, changes = HandClock(), []

    async def run():
        log = Logger(clock=clock, stream=io.StringIO())
        informer = Informer(server, JOBS, clock, log, random=random.Random(1), **chosen)
        informer.add_index("name", lambda o: (o["metadata"]["name"],))
        informer.add_handler(lambda old, new: changes.append((revision(old), revision(new))))
        task = asyncio.create_task(informer.run())
        for _ in range(200):
            await asyncio.sleep(0)
            clock.advance(60)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return informer

    return asyncio.run(run()), clock, changes


def revision(obj):
    return obj and int(obj["metadata"]["resourceVersion"])


INITIAL = [event("ADDED", "a", 1), event("ADDED", "b", 2), bookmark(5, end=True)]


def test_initial_objects_are_told_once_the_server_says_that_they_are_all():
    informer, clock, changes = follow(Server([INITIAL]))

    assert changes == [(None, 1), (None, 2)]
    assert informer.synced.is_set()
    assert clock.seen == {"audit-1": 5}


def test_nothing_is_in_sync_before_that():
    informer, clock, changes = follow(Server([INITIAL[:2]]))

    assert (changes, clock.seen, informer.synced.is_set(), clock.tokens) == ([], {}, False, 0)


def test_changes_are_told_with_old_and_new():
    changes = [event("MODIFIED", "a", 6), event("DELETED", "b", 7), event("ADDED", "c", 8)]

    informer, clock, notified = follow(Server([INITIAL, changes]))

    assert notified[2:] == [(1, 6), (7, None), (None, 8)]
    assert informer.store.get(Key("ns", "b")) is None
    assert clock.seen == {"audit-1": 8}


@pytest.mark.parametrize(
    "ending",
    [
        pytest.param([], id="the stream ends"),
        pytest.param(UnreachableError("refused"), id="the server is away for a while"),
        pytest.param(ApiError(429, "TooManyRequests", "slow down"), id="the server is too busy"),
    ],
)
def test_after_a_break_it_goes_on_from_the_last_revision(ending):
    server = Server([INITIAL, [bookmark(9)]], ending, [[event("MODIFIED", "a", 10)]])

    _, _, changes = follow(server)

    assert changes[2:] == [(1, 10)]
    assert [query.get("resourceVersion") for query in server.asked] == [None, "9", "9"]


@pytest.mark.parametrize(
    "too_old",
    [
        pytest.param(ApiError(410, "Expired", "too old resource version"), id="when it is opened"),
        pytest.param([[too_old()]], id="in the stream"),
    ],
)
def test_a_revision_too_old_means_reading_everything_again(too_old):
    events = [event("ADDED", "a", 1), event("ADDED", "c", 30), bookmark(40, end=True)]

    informer, _, changes = follow(Server([INITIAL], too_old, [events]))

    assert changes[2:] == [(2, None), (None, 30)]
    assert informer.store.by_index("name", "b") == ()


def test_a_server_without_watch_list_is_listed():
    refusal = ApiError(422, "Invalid", "sendInitialEvents is forbidden for watch")
    server = Server(refusal, [[event("ADDED", "b", 51)]], listed=[obj("a", 1)])

    informer, _, changes = follow(server)

    assert changes == [(None, 1), (None, 51)]
    assert server.asked[1]["resourceVersion"] == "50"
    assert informer.store.get(Key("ns", "a"))["kind"] == "Job"


def test_who_heard_of_an_object_still_finds_it_although_it_went_in_the_same_batch():
    server = Server([[bookmark(1, end=True)], [event("ADDED", "a", 2), event("DELETED", "a", 3)]])
    keys = []

    async def run():
        clock = HandClock()
        log = Logger(clock=clock, stream=io.StringIO())
        informer = Informer(server, JOBS, clock, log, random=random.Random(1))
        look = lambda: keys.append(informer.store.get(Key("ns", "a")) is not None)  # noqa: E731
        informer.add_handler(lambda _old, _new: asyncio.get_running_loop().call_soon(look))
        task = asyncio.create_task(informer.run())
        for _ in range(50):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())

    assert keys == [True, False]


def test_a_refresh_reads_everything_again_and_waits_for_it():
    server = Server([INITIAL, HANGS], [[event("ADDED", "a", 9), bookmark(12, end=True)]])

    async def run():
        changes, clock = [], HandClock()
        informer = Informer(
            server, JOBS, clock, Logger(clock=clock, stream=io.StringIO()), random=random.Random(1)
        )
        informer.add_handler(lambda old, new: changes.append((revision(old), revision(new))))
        task = asyncio.create_task(informer.run())
        await informer.synced.wait()
        await asyncio.wait_for(informer.refresh(), 5)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return changes

    assert asyncio.run(run()) == [(None, 1), (None, 2), (2, None), (1, 9)]
    assert [query.get("resourceVersion") for query in server.asked] == [None, None]


def test_one_object_is_followed_in_its_namespace_by_its_name():
    """What a right to one named object covers, with watch-lists and without."""
    refusal = ApiError(422, "Invalid", "sendInitialEvents is forbidden for watch")
    server = Server(refusal, [[event("MODIFIED", "a", 51)]], listed=[obj("a", 1)])

    _, _, changes = follow(server, only=Key("ns", "a"))

    assert changes == [(None, 1), (1, 51)]
    assert server.places == [("ns", {"fieldSelector": "metadata.name=a"})] * 3


def test_every_watch_is_asked_to_end():
    """An open watch that brings nothing any more would hide every change."""
    server = Server([INITIAL], [])
    follow(server)

    assert len(server.asked) == 2
    assert all(300 <= int(query["timeoutSeconds"]) < 600 for query in server.asked)
