"""One of several replicas: how long it may write, what it knows when it begins, when it gives its lease up (AC-375)."""

import asyncio
import io

import pytest

from reference_impl import manager as managers
from reference_impl.config import Config
from reference_impl.manager import Manager
from reference_impl.runtime.election import Election
from reference_impl.runtime.kubeconfig import Connection

from .clocks import HandClock
from .test_leader import Server

DEADLINE = Election().renew_deadline


class Client:
    """A client of a server that keeps one lease; the writes that were sent are answered when `answered` is set."""

    def __init__(self, server, answered, fence):
        self.get, self.create, self.update = server.get, server.create, server.update
        self.drained = answered.wait
        self.fence = fence

    async def close(self):
        """Close nothing."""


class Informer:
    """Follows nothing, and notes when it reads everything again."""

    resource = "workloads"

    def __init__(self, happened):
        self.synced = asyncio.Event()
        self.synced.set()
        self._happened = happened

    async def run(self):
        await asyncio.Event().wait()

    async def refresh(self):
        self._happened.append("everything is read again")

    def forget(self):
        """Forget nothing."""


class Worker:
    """What only a leader runs; notes that it does."""

    name = "worker"

    def __init__(self, happened):
        self._happened = happened

    def assemble(self, runtime):
        runtime.informers["workloads"] = Informer(self._happened)
        return [self]

    async def run(self):
        self._happened.append("work begins")


class Replica:
    """A manager that asks to lead, with what happened in it."""

    def __init__(self, monkeypatch):
        self.clock, self.server, self.happened, self.clients = HandClock(), Server(), [], []
        self.answered = asyncio.Event()
        self.answered.set()
        monkeypatch.setattr(managers, "Client", self._client)
        config = Config(connection=Connection(server="http://127.0.0.1:1"), leader_election=True)
        self.manager = Manager(config, self.clock, lambda _: [Worker(self.happened)], log_to=io.StringIO())

    def _client(self, _connection, *, user_agent, fence):
        del user_agent
        self.clients.append(Client(self.server, self.answered, fence))
        return self.clients[-1]

    @property
    def fence(self):
        """The fence before what its parts write."""
        return self.clients[0].fence

    @property
    def holder(self):
        """The name in the lease."""
        return self.server.lease["spec"]["holderIdentity"]


@pytest.fixture
def replica(monkeypatch):
    return Replica(monkeypatch)


async def turns():
    """Let everything go on that can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_leader_whose_lease_is_not_renewed_writes_until_the_deadline(replica):
    async def story():
        await replica.manager.start()
        replica.server.answers.clear()
        replica.clock.time += DEADLINE - 1
        before = replica.fence.left
        replica.clock.time += 1

        assert (before, replica.fence.left) == (1, 0)
        replica.server.answers.set()
        await replica.manager.stop()

    asyncio.run(story())


def test_a_new_leader_reads_everything_again_before_it_works(replica):
    async def story():
        await replica.manager.start()
        await turns()
        await replica.manager.stop()

    asyncio.run(story())

    assert replica.happened == ["everything is read again", "work begins"]


def test_a_lease_is_given_up_when_every_write_is_answered(replica):
    async def story():
        await replica.manager.start()
        replica.answered.clear()
        stopping = asyncio.create_task(replica.manager.stop())
        await turns()
        held, writes = replica.holder, replica.fence.left
        replica.answered.set()
        await stopping

        assert (held != "", writes, replica.holder) == (True, 0, "")

    asyncio.run(story())


def test_a_lease_is_kept_when_a_write_stays_without_answer(replica):
    async def story():
        await replica.manager.start()
        replica.answered.clear()
        stopping = asyncio.create_task(replica.manager.stop())
        await turns()
        replica.clock.advance(managers.RELEASE_SECONDS)
        await stopping

        assert replica.holder

    asyncio.run(story())
