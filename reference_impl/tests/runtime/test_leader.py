"""Leader election: who takes a lease, and when (AC-375)."""

import asyncio
import io

import pytest

from reference_impl.api.resource import Key
from reference_impl.runtime.errors import ApiError, OutsideError
from reference_impl.runtime.fence import Fence
from reference_impl.runtime.leader import Leader
from reference_impl.runtime.log import Logger

from .clocks import HandClock

LEASE = Key("kueue-system", "lease")


class Server:
    """Keeps one lease."""

    def __init__(self):
        self.lease, self.revision = None, 0
        self.answers = asyncio.Event()
        self.answers.set()

    def edit(self, **spec):
        """Change the lease by hand."""
        self.revision += 1
        metadata = {**self.lease["metadata"], "resourceVersion": str(self.revision)}
        self.lease = {**self.lease, "metadata": metadata, "spec": {**self.lease["spec"], **spec}}

    async def get(self, _resource, _key):
        await self.answers.wait()
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
    return is_over(candidate.acquire(), clock, seconds)


def is_over(work, clock, seconds):
    """Tell whether a coroutine ends within so many seconds."""

    async def attempt():
        task = asyncio.create_task(work)
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


@pytest.mark.parametrize(("seconds", "taken"), [(12, False), (40, True)], ids=["too early", "in time"])
@pytest.mark.parametrize("jump", [-3600, 3600], ids=["back", "forward"])
def test_a_second_one_whose_time_of_day_is_set_waits_as_long(clock, candidate, jump, seconds, taken):
    acquires(candidate("a"), clock)
    clock.jump(jump)

    assert acquires(candidate("b"), clock, seconds) is taken


def test_a_released_lease_is_free_at_once(server, clock, candidate):
    first = candidate("a")
    acquires(first, clock)

    asyncio.run(first.release())

    assert acquires(candidate("b"), clock)
    assert server.lease["spec"]["leaseTransitions"] == 1


@pytest.mark.parametrize(("seconds", "free"), [(12, False), (40, True)], ids=["renewed", "left"])
def test_who_waits_for_another_writes_nothing(server, clock, candidate, seconds, free):
    acquires(candidate("a"), clock)
    before, waiting = server.lease, candidate("b")

    assert is_over(waiting.wait_until_free(), clock, seconds) is free
    assert server.lease == before
    assert waiting.log.stream.getvalue().count("another leads") == 1


def test_without_a_lease_nobody_is_waited_for(server, clock, candidate):
    assert is_over(candidate("a").wait_until_free(), clock, 0)
    assert server.lease is None


def test_a_lease_that_another_has_taken_is_not_released(server, clock, candidate):
    first = candidate("a")
    acquires(first, clock)
    server.edit(holderIdentity="b", acquireTime="2026-01-01T00:00:00.000000Z")
    taken = server.lease

    asyncio.run(first.release())

    assert (server.lease, first.fence.seconds_left) == (taken, 0)


def lead(candidate, clock, seconds, *doing):
    """Acquire, then let seconds pass with something done at the start of each; tell whether it leads for as
    long, and how it ended.
    """

    async def attempt():
        await candidate.acquire()
        task = asyncio.create_task(candidate.run())
        for second in range(seconds):
            for do in doing if second == 0 else ():
                do()
            for _ in range(12):
                await asyncio.sleep(0)
            clock.advance(1)
        ended = task.done()
        task.cancel()
        outcome = (await asyncio.gather(task, return_exceptions=True))[0]
        return ended, candidate.fence.seconds_left > 0, outcome

    return asyncio.run(attempt())


def test_a_leader_that_renews_may_write(server, clock, candidate):
    assert lead(candidate("a"), clock, 60)[:2] == (False, True)


def test_a_leader_that_hears_nothing_writes_until_the_deadline_and_then_ends(server, clock, candidate):
    ended, writes, why = lead(candidate("a"), clock, 11, server.answers.clear)

    assert (ended, writes, type(why)) == (True, False, OutsideError)


@pytest.mark.parametrize("seconds", [-3600, 3600], ids=["back", "forward"])
def test_a_leader_whose_time_of_day_is_set_leads_on(server, clock, candidate, seconds):
    assert lead(candidate("a"), clock, 30, lambda: clock.jump(seconds))[:2] == (False, True)


def test_a_leader_that_finds_another_in_its_lease_ends_at_once(server, clock, candidate):
    ended, writes, _ = lead(candidate("a"), clock, 3, lambda: server.edit(holderIdentity="b"))

    assert (ended, writes) == (True, False)


def test_a_term_counts_from_when_its_renewal_was_sent(server, clock, candidate):
    slow = candidate("a")
    sent = clock.elapsed()

    async def attempt():
        update = server.update

        async def late(resource, lease):
            clock.time += 7
            await update(resource, lease)

        server.update = late
        await slow.acquire()

    asyncio.run(attempt())

    assert slow.fence.seconds_left == pytest.approx(sent + 10 - clock.elapsed())


def test_one_of_the_same_name_waits_for_the_lease_to_end(clock, candidate):
    acquires(candidate("a"), clock)

    assert not acquires(candidate("a"), clock, 12)


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda server: setattr(server, "lease", None), id="deleted"),
        pytest.param(lambda server: server.edit(holderIdentity=""), id="emptied"),
    ],
)
def test_who_saw_a_leader_takes_its_spoilt_lease_only_when_that_would_have_ended(
    server, clock, candidate, spoil
):
    acquires(candidate("a"), clock)
    second = candidate("b")
    acquires(second, clock)

    spoil(server)

    assert not acquires(second, clock, 12)
    assert acquires(second, clock, 5)


def test_a_lease_that_says_odd_things_can_be_taken_and_is_put_right(server, clock, candidate):
    acquires(candidate("a"), clock)
    server.edit(leaseDurationSeconds=1, leaseTransitions=2**31 - 1)

    assert not acquires(candidate("b"), clock, 12)
    assert acquires(candidate("c"), clock, 40)
    assert server.lease["spec"]["leaseDurationSeconds"] == 15
    assert server.lease["spec"]["leaseTransitions"] == 2**31 - 1


def test_a_lease_without_a_spec_is_free(server, clock, candidate):
    server.lease = {"metadata": {"resourceVersion": "1"}}

    assert acquires(candidate("a"), clock)
