"""One of several replicas: how long it may write,
what it knows when it begins, when it gives its lease up (AC-375).
"""

import asyncio
import io

import pytest

from reference_impl.api.resource import Key
from reference_impl.runtime import manager as managers
from reference_impl.runtime.election import Election
from reference_impl.runtime.errors import OutsideError
from reference_impl.runtime.kubeconfig import Connection
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.program import Program

from .clocks import HandClock
from .test_leader import Server as Lease

DEADLINE = Election().renew_deadline


class Client:
    """A client of a server that keeps one lease;
    the writes that were sent are answered when `answered` is set.
    """

    def __init__(self, server, answered, fence):
        self.get, self.create, self.update = server.get, server.create, server.update
        self.drain = answered.wait
        self.fence = fence

    async def close(self):
        """Close nothing."""


class Informer:
    """Follows nothing, and notes when it reads everything again."""

    resource = "workloads"
    is_in_sync = True

    def __init__(self, happened):
        self.synced = asyncio.Event()
        if self.is_in_sync:
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

    def __init__(self, happened):
        self._happened = happened
        self.serves = []

    def assemble(self, runtime):
        self.informer = runtime.informers["workloads"] = Informer(self._happened)
        runtime.servers.extend(self.serves)
        return [self]

    async def run(self):
        self._happened.append("work begins")


class Serving:
    """A server that notes what it does; `refusal` is why it cannot start."""

    def __init__(self, name, happened, refusal=None):
        self.name, self._happened, self._refusal = name, happened, refusal

    async def start(self):
        if self._refusal:
            raise self._refusal
        self._happened.append(f"{self.name} answers")

    async def stop(self):
        self._happened.append(f"{self.name} stops")


class Replica:
    """A manager that asks to lead, with what happened in it."""

    def __init__(self, monkeypatch):
        self.clock, self.server, self.happened, self.clients = HandClock(), Lease(), [], []
        self.agents = set()
        self.answered = asyncio.Event()
        self.answered.set()
        monkeypatch.setattr(managers, "Client", self._client)
        self.worker = Worker(self.happened)
        program = Program(
            user_agent="any/v1",
            lease=Key("team", "any"),
            connection=Connection(server="http://127.0.0.1:1"),
            components=[self.worker],
            leader_election=True,
        )
        self.manager = Manager(program, self.clock, log_to=io.StringIO())

    def _client(self, _connection, *, user_agent, fence):
        self.agents.add(user_agent)
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
        before = replica.fence.seconds_left
        replica.clock.time += 1

        assert (before, replica.fence.seconds_left) == (1, 0)
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
        holder, writes = replica.holder, replica.fence.seconds_left
        replica.answered.set()
        await stopping

        assert (holder != "", writes, replica.holder) == (True, 0, "")

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


def test_a_program_is_known_by_its_own_name_and_lease(replica):
    async def story():
        await replica.manager.start()
        await replica.manager.stop()

    asyncio.run(story())

    metadata = replica.server.lease["metadata"]
    assert (replica.agents, metadata["namespace"], metadata["name"]) == ({"any/v1"}, "team", "any")


def test_servers_answer_before_a_replica_leads_and_stop_with_it(replica):
    async def story():
        replica.worker.serves = [Serving("one", replica.happened), Serving("two", replica.happened)]
        await replica.manager.start()
        await turns()
        await replica.manager.stop()

    asyncio.run(story())

    assert replica.happened == [
        "one answers",
        "two answers",
        "everything is read again",
        "work begins",
        "two stops",
        "one stops",
    ]


def test_a_replica_that_does_not_lead_serves_once_it_is_in_sync(replica):
    async def story():
        replica.server.answers.clear()  # no replica learns the leader
        replica.worker.serves = [Serving("one", replica.happened)]
        starting = asyncio.create_task(replica.manager.start())
        await turns()
        waiting, is_ready = list(replica.happened), replica.manager.ready
        replica.server.answers.set()
        await starting
        await replica.manager.stop()
        return waiting, is_ready

    assert asyncio.run(story()) == (["one answers"], True)


def test_no_server_answers_before_the_informers_are_in_sync(replica, monkeypatch):
    monkeypatch.setattr(Informer, "is_in_sync", False)

    async def story():
        replica.worker.serves = [Serving("one", replica.happened)]
        starting = asyncio.create_task(replica.manager.start())
        await turns()
        before = list(replica.happened)
        replica.worker.informer.synced.set()
        await starting
        await replica.manager.stop()
        return before

    assert asyncio.run(story()) == []
    assert replica.happened[0] == "one answers"


def test_a_server_that_cannot_start_ends_the_manager(replica):
    async def story():
        refusal = OutsideError("cannot listen on 127.0.0.1:1: no; choose another")
        replica.worker.serves = [Serving("one", replica.happened), Serving("two", replica.happened, refusal)]
        try:
            await replica.manager.start()
        finally:
            await replica.manager.stop()

    with pytest.raises(OutsideError, match="cannot listen"):
        asyncio.run(story())
    assert (replica.happened, replica.manager.ready) == (["one answers", "one stops"], False)
