"""Leader election: who takes a lease, and when (AC-375)."""

import asyncio
import io

import pytest

from reference_impl.api.resource import Key
from reference_impl.runtime.errors import ApiError
from reference_impl.runtime.fence import Fence
from reference_impl.runtime.leader import Leader
from reference_impl.runtime.log import Logger

from .clocks import HandClock

LEASE = Key("kueue-system", "lease")


class Server:
    """Keeps one lease."""

    def __init__(self):
        self.lease, self.revision = None, 0

    async def get(self, _resource, _key):
        if self.lease is None:
            raise ApiError(404, "NotFound", "no lease")
        return self.lease

    async def create(self, resource, lease):
        await self.update(resource, lease)

    async def update(self, _resource, lease):
        self.revision += 1
        self.lease = {**lease, "metadata": {**lease["metadata"], "resourceVersion": str(self.revision)}}


@pytest.fixture
def server():
    return Server()


@pytest.fixture
def clock():
    return HandClock()


@pytest.fixture
def candidate(server, clock):
    def candidate(identity):
        log = Logger(clock=clock, stream=io.StringIO())
        fence = Fence(clock, 10.0)
        return Leader(client=server, clock=clock, log=log, lease=LEASE, identity=identity, fence=fence)

    return candidate


def acquires(candidate, clock, seconds=0):
    """Tell whether a candidate gets the lease within so many seconds."""

    async def attempt():
        task = asyncio.create_task(candidate.acquire())
        for _ in range(2 * seconds + 1):
            for _ in range(8):
                await asyncio.sleep(0)
            clock.advance(0.5 if seconds else 0)
        got = task.done()
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return got

    return asyncio.run(attempt())


def test_the_first_one_takes_the_lease(server, clock, candidate):
    assert acquires(candidate("a"), clock)

    assert server.lease["spec"]["holderIdentity"] == "a"
    assert server.lease["spec"]["leaseDurationSeconds"] == 15


@pytest.mark.parametrize(
    ("seconds", "taken"),
    [
        pytest.param(12, False, id="while it may be renewed"),
        pytest.param(40, True, id="when it was not renewed"),
    ],
)
def test_a_second_one_waits_for_the_lease_to_end(clock, candidate, seconds, taken):
    acquires(candidate("a"), clock)

    assert acquires(candidate("b"), clock, seconds) is taken


def test_a_released_lease_is_free_at_once(server, clock, candidate):
    first = candidate("a")
    acquires(first, clock)

    asyncio.run(first.release())

    assert acquires(candidate("b"), clock)
    assert server.lease["spec"]["leaseTransitions"] == 1
