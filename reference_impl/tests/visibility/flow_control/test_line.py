"""Seats and queues of a level: who sits, who waits, whose turn it is (VIS-605…608)."""

import asyncio
import random

import pytest

from reference_impl.kueue.visibility.flow_control.drops import Drops
from reference_impl.kueue.visibility.flow_control.levels import PriorityLevel, Queuing
from reference_impl.kueue.visibility.flow_control.line import FullError, RequestQueue, Ticket, hand

EXEMPT = PriorityLevel(name="exempt", uid="", exempt=True)
REJECTS = PriorityLevel(name="l", uid="", shares=1)


def queues(count=16, size=4, length=50):
    return PriorityLevel(name="l", uid="", shares=1, queuing=Queuing(count, size, length))


class Guests:
    """Joins a line, and tells who of those that joined has a seat."""

    def __init__(self, level, seats):
        self.line, self.loop = RequestQueue(level, seats), asyncio.new_event_loop()
        self.tickets = []

    def join(self, flow="u"):
        ticket = Ticket("s", flow, self.loop.create_future())
        self.line.join(ticket)
        self.tickets.append(ticket)
        return ticket

    @property
    def seated(self):
        return [at for at, ticket in enumerate(self.tickets) if ticket.seated]


@pytest.fixture
def guests():
    tickets = []

    def make(level, seats=1):
        tickets.append(Guests(level, seats))
        return tickets[-1]

    yield make
    for ticket in tickets:
        ticket.loop.close()


def test_there_are_as_many_seats_as_there_are(guests):
    line = guests(queues(), 2)
    for _ in range(4):
        line.join()
    assert line.seated == [0, 1]

    line.line.leave(line.tickets[0])

    assert line.seated == [1, 2]
    assert line.tickets[2].called.done()
    assert not line.tickets[3].called.done()


def test_an_exempt_request_always_sits(guests):
    line = guests(EXEMPT)
    for _ in range(100):
        line.join()

    assert len(line.seated) == 100


def test_a_level_without_queues_refuses(guests):
    line = guests(REJECTS)
    line.join()

    with pytest.raises(FullError):
        line.join()


def test_a_flow_has_as_many_places_as_its_hand(guests):
    """VIS-608: 4 queues of 50 are 200 places; another flow still finds one."""
    line = guests(queues(length=50))
    line.join()
    for _ in range(200):
        line.join()
    with pytest.raises(FullError):
        line.join()

    line.join("another")

    assert line.line.waiting == 201


def test_a_flooder_does_not_starve_another_user(guests):
    line = guests(queues())
    line.join("flooder")
    for _ in range(200):
        line.join("flooder")
    mouse = line.join("mouse")

    served = 0
    while not mouse.seated:
        line.line.leave(next(ticket for ticket in line.tickets if ticket.seated))
        served += 1

    assert served <= 5, "one of each queue, then the mouse"


def test_a_request_that_gives_up_leaves_no_trace(guests):
    line = guests(queues())
    first, second = line.join(), line.join()

    line.line.leave(second)
    line.line.leave(first)

    assert (line.line.seated, line.line.waiting, line.seated) == (0, 0, [])


def test_leaving_twice_is_harmless(guests):
    line = guests(queues())
    first = line.join()
    line.line.leave(first)
    line.line.leave(first)

    assert line.line.seated == 0


def test_more_seats_are_taken_at_once(guests):
    line = guests(queues())
    for _ in range(4):
        line.join()

    line.line.change(queues(), 3)

    assert line.seated == [0, 1, 2]


def test_those_that_wait_are_dealt_into_new_queues(guests):
    line = guests(queues(16, 4))
    for flow in "abcdefgh":
        line.join(flow)

    line.line.change(queues(2, 1), 1)

    assert {ticket.queue for ticket in line.tickets[1:]} == {0, 1}
    assert line.line.waiting == 7
    line.line.change(REJECTS, 100)
    assert len(line.seated) == 8


def test_seats_are_never_given_twice(guests):
    """Over random comings and goings."""
    chance = random.Random(7)
    line = guests(queues(8, 2, 5), 3)
    present = []
    for _ in range(3000):
        if present and chance.random() < 0.5:
            line.line.leave(present.pop(chance.randrange(len(present))))
        else:
            try:
                present.append(line.join(chance.choice("abcde")))
            except FullError:
                assert line.line.waiting >= 5
        seated = sum(ticket.seated for ticket in present)
        assert line.line.seated == seated <= 3
        assert line.line.waiting == len(present) - seated
        assert not line.line.waiting or seated == 3, "no request waits beside a free seat"


def test_hands_are_stable_and_differ():
    hands = {hand("s", f"user-{number}", queues=16, size=4) for number in range(200)}

    assert hand("s", "alice", queues=16, size=4) == hand("s", "alice", queues=16, size=4)
    assert all(len(set(ticket)) == 4 and set(ticket) <= set(range(16)) for ticket in hands)
    assert len(hands) > 150
    assert {card for ticket in hands for card in ticket} == set(range(16))
    assert hand("s", "x", queues=2, size=9) in {(0, 1), (1, 0)}


def test_retry_after_rises_under_pressure_and_falls_again():
    """VIS-607."""
    drops = Drops()

    def refuse(at, times=10):
        for _ in range(times):
            drops.note(at)
        return drops.retry_after(at)

    assert [refuse(100.0 + second) for second in range(8)] == [1, 2, 2, 4, 4, 4, 4, 8]
    assert drops.retry_after(124.0) == 1
    assert max(refuse(200.0 + second, 1000) for second in range(100)) == 32
