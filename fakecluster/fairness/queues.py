"""The seats and queues of one priority level: who runs, who waits, who is next (FK-520, FK-521).

Queues take turns by the work they have had (start-time fair queuing), so a flow that asks much does not
starve the others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cached_property

from msgspec import Struct, field

from .borrowing import Bounds
from .levels import Level
from .sharding import hand


class Ticket(Struct, eq=False):
    """A request that waits; `start` is called when it has its seats."""

    flow: int
    seats: int
    start: Callable[[], None]


class _Queue(Struct):
    waiting: deque[Ticket] = field(default_factory=deque)
    turn: float = 0.0
    """The work after which this queue is next."""

    @property
    def seats(self) -> int:
        return sum(ticket.seats for ticket in self.waiting)


class QueueSet:
    """One level at work; `note` is told how many seats more or fewer are asked for."""

    def __init__(self, level: Level, bounds: Bounds, note: Callable[[int], None]) -> None:
        self.level, self.bounds, self.limit = level, bounds, bounds.nominal
        self.note = note
        self.in_use = 0
        self.executing = 0
        self.waiting = 0
        self._turn = 0.0
        self._last = -1
        self._dispatching = False

    @cached_property
    def _queues(self) -> list[_Queue]:
        """The queues, made when the first request has to wait; few clusters see that."""
        return [_Queue() for _ in range(self.level.queues)]

    @property
    def is_free(self) -> bool:
        """Whether a request of one seat runs at once."""
        return not self.waiting and self.accommodates(1)

    def accommodates(self, seats: int) -> bool:
        """Tell whether there are seats; a request wider than the level runs alone."""
        if self.level.exempt:
            return True
        # A request that is wider than its level would otherwise wait for ever.
        return not self.executing if seats > self.limit else self.in_use + seats <= self.limit

    def configure(self, level: Level, bounds: Bounds) -> None:
        """Take another configuration; who waits is dealt into the new queues."""
        tickets = [ticket for queue in self._queues for ticket in queue.waiting]
        rebuilt = level.queues != self.level.queues
        self.level, self.bounds = level, bounds
        if rebuilt:
            self._queues = [_Queue() for _ in range(level.queues or bool(tickets))]
            for ticket in tickets:
                self._queues[self._choose(ticket.flow)].waiting.append(ticket)

    def lend(self, limit: int) -> None:
        """Have so many seats from now on; those who waited may start."""
        self.limit = limit
        self._dispatch()

    def enter(self, seats: int) -> None:
        """Take seats."""
        self.note(seats)
        self._seat(seats)

    def leave(self, seats: int) -> None:
        """Give seats back; those who waited may start."""
        self.note(-seats)
        self._seat(-seats, -1)
        self._dispatch()

    def wait(self, flow: int, seats: int, start: Callable[[], None]) -> Ticket | None:
        """Let a request wait in a queue of its flow's hand; None when it is refused."""
        if not self._queues:
            return None
        queue = self._queues[self._choose(flow)]
        if len(queue.waiting) >= self.level.length:
            return None
        # A queue that was empty starts at the present turn: it has no credit from the time when it asked
        # nothing.
        if not queue.waiting:
            queue.turn = max(queue.turn, self._turn)
        ticket = Ticket(flow, seats, start)
        queue.waiting.append(ticket)
        self.waiting += 1
        self.note(seats)
        return ticket

    def forget(self, ticket: Ticket) -> bool:
        """Take a request out of its queue; False when it has started already."""
        for queue in self._queues:
            if ticket in queue.waiting:
                queue.waiting.remove(ticket)
                self.waiting -= 1
                self.note(-ticket.seats)
                self._dispatch()
                return True
        return False

    def _seat(self, seats: int, requests: int = 1) -> None:
        self.in_use += seats
        self.executing += requests

    def _choose(self, flow: int) -> int:
        """Return the queue with the least waiting work in a flow's hand."""
        cards = hand(flow, len(self._queues), min(self.level.hand, len(self._queues)))
        return min(cards, key=lambda card: self._queues[card].seats)

    def _dispatch(self) -> None:
        # start() may release seats at once and come back here.
        if self._dispatching or not self.waiting:
            return
        self._dispatching = True
        try:
            while (queue := self._next()) is not None and self.accommodates(queue.waiting[0].seats):
                self._start(queue)
        finally:
            self._dispatching = False

    def _next(self) -> _Queue | None:
        """Return the queue whose turn it is; of equals the one that comes next in the round."""
        count = len(self._queues)
        around = [(self._last + 1 + step) % count for step in range(count)]
        filled = [at for at in around if self._queues[at].waiting]
        at = min(filled, key=lambda index: self._queues[index].turn, default=None)
        return None if at is None else self._queues[at]

    def _start(self, queue: _Queue) -> None:
        ticket = queue.waiting.popleft()
        self._last = self._queues.index(queue)
        self._turn = queue.turn
        # Fair queuing: who took more seats is next later.
        queue.turn += ticket.seats
        self.waiting -= 1
        self._seat(ticket.seats)
        ticket.start()
