"""The filter of API priority and fairness: requests wait in
a queue while their priority level is busy (FK-520, FK-521).

Only a request that waits for another server, such as a webhook, keeps its seats: everything else is answered
at once. While no request waits, one costs a lookup of its flow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from msgspec import Struct

from ..api import deadlines
from ..api.outcome import Outcome, Request, Response
from ..api.steps import Begun, Pending, Steps, begin, rest
from ..base.clock import Clock
from ..fairness import Fairness, Flow, QueueSet

Answer = Callable[[], Begun]
REQUEST_TIMEOUT_SECONDS = 60.0
"""Seconds that a request may take at most."""
QUEUE_TIME_FRACTION = 0.25
"""How much of its time a request may spend in a queue."""
TOO_MANY_REQUESTS = b"Too many requests, please try again later.\n"


class QueuedRequest(Struct, frozen=True):
    """A request that has not begun: it waits for its turn."""

    turn: asyncio.Future[Begun]


class PriorityAndFairness:
    """Lets requests run, wait, or go away."""

    def __init__(self, fairness: Fairness, clock: Clock) -> None:
        self._fairness = fairness
        self._clock = clock

    def flow(self, request: Request) -> Flow:
        """Return the flow of a request."""
        return self._fairness.flow(request)

    def take(self, flow: Flow, request: Request, answer: Answer) -> Begun | QueuedRequest:
        """Answer a request now or in its turn, or refuse it."""
        level = flow.level
        if level is None:
            return answer()
        # Only a busy level is worth a look at what others lend.
        if not level.is_free:
            self._fairness.catch_up()
        if level.is_free:
            outcome = answer()
            # Answered in one step: the seats would be given back before anyone could miss them.
            if not isinstance(outcome, Pending):
                return outcome
            seats = self._fairness.seats(flow, request)
            level.enter(seats)
            return begin(_with_seats(level, seats, outcome))
        return self._in_turn(level, flow, request, answer)

    def _in_turn(
        self, level: QueueSet, flow: Flow, request: Request, answer: Answer
    ) -> Begun | QueuedRequest:
        seats = self._fairness.seats(flow, request)
        turn: asyncio.Future[Begun] = asyncio.get_running_loop().create_future()
        ticket = level.wait(flow.number, seats, lambda: _run(level, seats, answer, turn))
        if ticket is None:
            return self._refuse(level)

        def expire() -> None:
            # False when its turn came in the same moment; then it runs.
            if level.forget(ticket):
                turn.set_result(self._refuse(level))

        timer = self._clock.call_at(self._clock.now() + _patience(request), expire)
        turn.add_done_callback(lambda _: timer.cancel())
        return QueuedRequest(turn)

    def _refuse(self, level: QueueSet) -> Response:
        seconds = self._fairness.count_refusal(level, self._clock.now())
        return Response(
            code=429,
            body=TOO_MANY_REQUESTS,
            content_type="text/plain; charset=utf-8",
            headers=(("Retry-After", str(seconds)), ("X-Content-Type-Options", "nosniff")),
        )


def _patience(request: Request) -> float:
    """Return the seconds that a request may wait for its turn."""
    text = request.option("timeout")
    try:
        allowed = deadlines.seconds(text) if text else 0.0
    except ValueError:
        allowed = 0.0
    return QUEUE_TIME_FRACTION * (
        min(allowed, REQUEST_TIMEOUT_SECONDS) if allowed > 0 else REQUEST_TIMEOUT_SECONDS
    )


def _run(level: QueueSet, seats: int, answer: Answer, turn: asyncio.Future[Begun]) -> None:
    """Answer a request whose turn has come, unless it was given up; it has its seats already."""
    if turn.cancelled():
        level.leave(seats)
        return
    turn.set_result(begin(_with_seats(level, seats, answer())))


def _with_seats(level: QueueSet, seats: int, outcome: Begun) -> Steps[Outcome]:
    """Return the steps of a request that has seats; it gives them back with its answer."""
    remaining_steps: Steps[Outcome] = rest(outcome)
    try:
        return (yield from remaining_steps)
    finally:
        level.leave(seats)
