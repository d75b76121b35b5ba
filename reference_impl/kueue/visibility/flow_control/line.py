"""The requests of one priority level: seats, queues, and the order of dispatch (VIS-605…608)."""

from __future__ import annotations

from asyncio import Future
from collections import deque
from dataclasses import dataclass, field
from hashlib import sha256

from .levels import PriorityLevel


class FullError(Exception):
    """There is no seat, and no room to wait for one."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A request that was let in; `called` is done when it has its seat."""

    schema: str
    flow: str
    called: Future[None]
    queue: int = -1
    seated: bool = False


@dataclass(slots=True)
class RequestQueue:
    """The seats and queues of a level.

    Queues take turns, so that a queue is not served less because another is long.
    """

    level: PriorityLevel
    seats: int
    seated: int = 0
    waiting: int = 0
    _queues: dict[int, deque[Ticket]] = field(default_factory=dict)
    """Those in which requests wait, the next one to be served first."""

    def join(self, ticket: Ticket) -> None:
        """Give a seat, or a place in a queue of the flow's hand. Raises FullError."""
        # A free seat belongs to those that wait: a new request must not pass them.
        if self.level.exempt or (self.seated < self.seats and not self.waiting):
            self._seat(ticket)
        else:
            self._queue(ticket)

    def leave(self, ticket: Ticket) -> None:
        """Give the seat back, or the place in the queue; the next one is called."""
        if ticket.seated:
            ticket.seated = False
            self.seated -= 1
        elif ticket.queue in self._queues and ticket in self._queues[ticket.queue]:
            self._queues[ticket.queue].remove(ticket)
            self.waiting -= 1
            self._forget_when_empty(ticket.queue)
        self._call()

    def change(self, level: PriorityLevel, seats: int) -> None:
        """Take another configuration; requests that wait are put into queues of their new hands, full
        or not.
        """
        dealt_anew = level.queuing != self.level.queuing
        self.level, self.seats = level, seats
        if dealt_anew:
            tickets = [ticket for queue in self._queues.values() for ticket in queue]
            self._queues.clear()
            for ticket in tickets:
                self._place(ticket, self._shortest(ticket))
        self._call()

    def _queue(self, ticket: Ticket) -> None:
        if self.level.queuing is None:
            raise FullError
        queue = self._shortest(ticket)
        if len(self._queues.get(queue, ())) >= self.level.queuing.length:
            raise FullError
        self._place(ticket, queue)
        self.waiting += 1

    def _shortest(self, ticket: Ticket) -> int:
        queuing = self.level.queuing
        if queuing is None:
            return 0
        cards = hand(ticket.schema, ticket.flow, queues=queuing.queues, size=queuing.hand_size)
        # Shuffle sharding: the shortest queue of the hand. A flow that floods its own
        # leaves others their cards.
        return min(cards, key=lambda card: len(self._queues.get(card, ())))

    def _place(self, ticket: Ticket, queue: int) -> None:
        ticket.queue = queue
        self._queues.setdefault(queue, deque()).append(ticket)

    def _call(self) -> None:
        """Seat requests that wait while there are seats, one of each queue in turn."""
        while self._queues and (self.level.exempt or self.seated < self.seats):
            number, queue = next(iter(self._queues.items()))
            self._seat(queue.popleft())
            self.waiting -= 1
            # To the end of the line of queues: each is served in turn.
            del self._queues[number]
            if queue:
                self._queues[number] = queue

    def _forget_when_empty(self, queue: int) -> None:
        if not self._queues[queue]:
            del self._queues[queue]

    def _seat(self, ticket: Ticket) -> None:
        ticket.seated = True
        self.seated += 1
        if not ticket.called.done():
            ticket.called.set_result(None)


def hand(schema: str, flow: str, *, queues: int, size: int) -> tuple[int, ...]:
    """Return the indexes of `size` different queues, always the same ones for a flow of a schema."""
    # Shuffle sharding: two flows rarely share all of their queues (VIS-608).
    number = int.from_bytes(sha256(f"{schema}\0{flow}".encode("utf-8", "surrogatepass")).digest())
    remaining = list(range(queues))
    chosen = []
    for _ in range(min(size, queues)):
        number, at = divmod(number, len(remaining))
        chosen.append(remaining.pop(at))
    return tuple(chosen)
