"""Flow control at work: seats over time, refusals, and objects that change meanwhile (VIS-604…609)."""

import asyncio
import io

import pytest

from reference_impl.api.resource import key_of
from reference_impl.kueue.visibility.flow_control.control import SeatControl
from reference_impl.kueue.visibility.guards import Flow, ThrottledError
from reference_impl.runtime.log import Logger
from reference_impl.runtime.metrics import Registry
from reference_impl.runtime.store import Store

from ...runtime.clocks import HandClock
from .objects import CQ, level, schema, user

ALICE, BOB = user("alice"), user("bob")


class Informer:
    """What follows objects, here without a server."""

    def __init__(self, *objects):
        self.store, self.handlers = Store(), []
        for obj in objects:
            self.store.put(key_of(obj), obj)

    def add_handler(self, handler):
        self.handlers.append(handler)

    def put(self, obj):
        old = self.store.put(key_of(obj), obj)
        for handler in self.handlers:
            handler(old, obj)

    def remove(self, obj):
        self.store.put(key_of(obj), None)
        for handler in self.handlers:
            handler(obj, None)


async def turns():
    for _ in range(10):
        await asyncio.sleep(0)


class Server:
    """One level `v` with a total of so many seats, and requests that stay until they are let go."""

    def __init__(self, *levels, total=2, schemas=()):
        self.clock = HandClock()
        self.schemas = Informer(*(schemas or [schema("v")]))
        self.levels = Informer(*(levels or [level("v", 10_000, length=1, hand=1, queues=1)]))
        log = Logger(clock=self.clock, stream=io.StringIO())
        self.metrics = Registry()
        self.control = SeatControl(
            self.schemas, self.levels, self.clock, log, total=total, metrics=self.metrics
        )
        self.answering, self.tasks = [], []

    async def ask(self, user=ALICE):
        task = asyncio.create_task(self._answer(user))
        self.tasks.append(task)
        await turns()
        return task

    async def _answer(self, user):
        async with self.control.seat(user, CQ):
            done = asyncio.Event()
            self.answering.append((user.name, done))
            await done.wait()

    async def let_go(self, at=0):
        _, done = self.answering.pop(at)
        done.set()
        await turns()

    @property
    def names(self):
        return [name for name, _ in self.answering]


def play(story, *args, **kwargs):
    async def run():
        server = Server(*args, **kwargs)
        try:
            await story(server)
        finally:
            for task in server.tasks:
                task.cancel()
            await asyncio.gather(*server.tasks, return_exceptions=True)

    asyncio.run(run())


def test_a_request_waits_for_a_seat():
    async def story(server):
        for _ in range(3):
            await server.ask()
        assert len(server.answering) == 2
        await server.let_go()
        assert len(server.answering) == 2
        assert server.clock.due == []

    play(story)


def test_a_request_waits_for_fifteen_seconds():
    async def story(server):
        for _ in range(3):
            task = await server.ask()
        server.clock.advance(14.9)
        await turns()
        assert not task.done()
        assert server.clock.tokens == 0
        server.clock.advance(0.2)
        await turns()
        with pytest.raises(ThrottledError) as refused:
            task.result()
        assert refused.value.retry_after_seconds == 1
        await server.let_go()
        assert (await server.ask()).done() is False
        assert len(server.answering) == 2

    play(story)


def test_a_full_queue_refuses_at_once():
    async def story(server):
        for _ in range(3):
            await server.ask()
        with pytest.raises(ThrottledError):
            (await server.ask()).result()

    play(story)


def test_a_client_that_goes_away_gives_its_place_back():
    async def story(server):
        for _ in range(3):
            task = await server.ask()
        for running in (task, server.tasks[0]):
            running.cancel()
        await turns()
        await server.ask(BOB)
        assert server.names[1:] == ["alice", "bob"]
        assert server.clock.due == []

    play(story)


def test_a_request_that_is_called_as_it_goes_away_gives_its_seat_back():
    async def story(server):
        for _ in range(3):
            task = await server.ask()
        server.answering[0][1].set()
        await asyncio.sleep(0)
        task.cancel()
        await turns()
        server.answering.pop(0)
        await server.ask(BOB)
        assert server.names == ["alice", "bob"]

    play(story)


def test_a_seat_is_free_again_after_an_error():
    async def story(server):
        for _ in range(5):
            with pytest.raises(ZeroDivisionError):
                async with server.control.seat(ALICE, CQ):
                    raise ZeroDivisionError
        await server.ask()
        assert server.names == ["alice"]

    play(story, total=1)


def test_masters_need_no_seat():
    """VIS-609."""

    async def story(server):
        for _ in range(10):
            await server.ask(user("root", "system:masters"))
        assert len(server.answering) == 10
        assert server.control.classify(user("root", "system:masters"), CQ) == Flow("", "")

    play(story)


def test_uids_are_those_of_the_objects():
    async def story(server):
        assert server.control.classify(ALICE, CQ) == Flow("uid-v", "uid-level-v")
        server.schemas.remove(schema("v"))
        assert server.control.classify(ALICE, CQ) == Flow("", "")

    play(story)


def test_requests_that_wait_profit_from_a_change():
    async def story(server):
        for _ in range(2):
            await server.ask()
        assert len(server.answering) == 1
        server.levels.remove(level("w", 10_000))
        await turns()
        assert len(server.answering) == 2

    play(story, level("v", 10_000, queues=1, hand=1), level("w", 10_000), total=2)


def test_a_level_that_is_gone_empties_by_itself():
    async def story(server):
        for _ in range(3):
            await server.ask()
        server.levels.remove(level("v"))
        await turns()
        await server.let_go()
        assert len(server.answering) == 2
        await server.let_go()
        await server.let_go()
        assert server.names == []

    play(story)


def test_what_is_measured():
    """VIS-610."""

    async def story(server):
        def value(name, *labels):
            return server.metrics.value(f"apiserver_flowcontrol_{name}", "v", *labels)

        for _ in range(4):
            await server.ask()
        assert value("nominal_limit_seats") == 2
        assert (value("current_executing_requests", "v"), value("dispatched_requests_total", "v")) == (2, 2)
        assert value("rejected_requests_total", "v", "queue-full") == 1
        server.clock.advance(15.1)
        await turns()
        assert value("rejected_requests_total", "v", "time-out") == 1
        await server.let_go()
        assert (value("current_executing_requests", "v"), value("dispatched_requests_total", "v")) == (1, 2)

    play(story)


def test_an_object_that_cannot_be_read_harms_no_other():
    async def story(server):
        server.schemas.put({"metadata": {"name": "odd"}, "spec": {}})
        await turns()
        assert server.control.classify(ALICE, CQ).schema_uid == "uid-v"

    play(story)


def test_a_flood_of_one_user_with_the_values_that_kueue_ships():
    """VIS-608: 24 are answered, 200 wait in 4 queues,
    the others are refused; another user waits for 4 turns at most.
    """
    shares = {
        "system": 30,
        "node-high": 40,
        "leader-election": 10,
        "workload-high": 40,
        "workload-low": 100,
        "global-default": 20,
    }
    levels = [*(level(name, share) for name, share in shares.items()), level("v")]

    async def story(server):
        for _ in range(320):
            server.tasks.append(asyncio.create_task(server._answer(ALICE)))
        await turns()
        refused = [task for task in server.tasks if task.done()]
        assert {type(task.exception()) for task in refused} == {ThrottledError}
        assert (len(server.answering), len(refused)) == (24, 96)
        await server.ask(BOB)
        for _ in range(5):
            await server.let_go()
        assert "bob" in server.names
        server.clock.advance(15.1)
        await turns()
        assert len([task for task in server.tasks if task.done()]) == 96 + 5 + 200 - 4

    play(story, *levels, total=600)
