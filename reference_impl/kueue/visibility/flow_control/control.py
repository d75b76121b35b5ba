"""Flow control of one server: it follows the objects of the cluster, and hands out seats (VIS-604…609)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import TypeVar

from ....api.resource import Json
from ....runtime.clock import Clock
from ....runtime.informer import Informer
from ....runtime.log import Logger
from ....runtime.metrics import Registry
from ..attributes import Attributes, User
from ..guards import Flow, ThrottledError
from .drops import Drops
from .levels import TOTAL_SEATS, PriorityLevel
from .line import FullError, RequestQueue, Ticket
from .metrics import FlowControlMetrics, Reason
from .schemas import Schema
from .table import Classification, Table

WAIT_SECONDS = 15.0
"""A quarter of the time that a request may take (VIS-606)."""
T = TypeVar("T", Schema, PriorityLevel)


class SeatControl:
    """Hands out `total` seats by the FlowSchemas and PriorityLevelConfigurations
    that two informers follow.
    """

    def __init__(
        self,
        schemas: Informer,
        levels: Informer,
        clock: Clock,
        log: Logger,
        *,
        total: int = TOTAL_SEATS,
        metrics: Registry | None = None,
    ) -> None:
        self._schemas, self._levels = schemas, levels
        self._clock, self._log, self._total = clock, log.with_name("flow-control"), total
        self._lines: dict[str, RequestQueue] = {}
        self._drops: dict[str, Drops] = {}
        self._table = Table.of((), (), total)
        self._stale = True
        self._meter = FlowControlMetrics(metrics or Registry())
        for informer in (schemas, levels):
            informer.add_handler(self._note_change)

    def classify(self, user: User, attributes: Attributes) -> Flow:
        """Return where a request belongs."""
        placement = self._current().place(user, attributes)
        return Flow(placement.schema.uid, placement.level.uid)

    @asynccontextmanager
    async def seat(self, user: User, attributes: Attributes) -> AsyncIterator[None]:
        """Hold a seat while a request is answered.

        Raises ThrottledError when there is none within 15 s, or no queue has room.
        """
        placement = self._current().place(user, attributes)
        line = self._line(placement.level)
        ticket = Ticket(placement.schema.name, placement.flow, asyncio.get_running_loop().create_future())
        try:
            line.join(ticket)
        except FullError:
            raise self._refusal(
                placement, "queue-full" if placement.level.queuing else "concurrency-limit"
            ) from None
        try:
            if not ticket.seated:
                await self._wait(ticket, placement)
            with self._measure(placement):
                yield
        finally:
            line.leave(ticket)

    @contextmanager
    def _measure(self, placement: Classification) -> Iterator[None]:
        level, schema = placement.level.name, placement.schema.name
        self._meter.began(level, schema)
        try:
            yield
        finally:
            self._meter.note_end(level, schema)

    async def _wait(self, ticket: Ticket, placement: Classification) -> None:
        # No token is held here: time has to pass.
        due = self._clock.now() + WAIT_SECONDS
        timer = self._clock.call_at(due, partial(self._give_up, ticket, placement))
        try:
            await ticket.called
        finally:
            timer.cancel()

    def _give_up(self, ticket: Ticket, placement: Classification) -> None:
        if not ticket.called.done():
            ticket.called.set_exception(self._refusal(placement, "time-out"))

    def _refusal(self, placement: Classification, reason: Reason) -> ThrottledError:
        self._meter.note_rejection(placement.level.name, placement.schema.name, reason)
        drops, current_time = self._drops.setdefault(placement.level.name, Drops()), self._clock.elapsed()
        drops.note(current_time)
        return ThrottledError(drops.retry_after(current_time))

    def _line(self, level: PriorityLevel) -> RequestQueue:
        if level.name not in self._lines:
            self._lines[level.name] = RequestQueue(level, self._table.seats[level.name])
        return self._lines[level.name]

    def _current(self) -> Table:
        if self._stale:
            self._stale = False
            schemas, levels = (
                self._read(Schema, self._schemas.store),
                self._read(PriorityLevel, self._levels.store),
            )
            self._table = Table.of(schemas, levels, self._total)
            self._reconfigure()
        return self._table

    def _reconfigure(self) -> None:
        """Change the lines that are there; that of a level that is gone empties by itself."""
        self._meter.seats(self._table.seats)
        for name, line in tuple(self._lines.items()):
            if name in self._table.levels:
                line.change(self._table.levels[name], self._table.seats[name])
            else:
                # Requests that hold its seats end by themselves; nothing new comes
                # here.
                del self._lines[name]

    def _read(self, kind: type[T], objects: Iterable[Json]) -> list[T]:
        lines = []
        for obj in objects:
            try:
                lines.append(kind.of(obj))
            except (KeyError, TypeError) as error:
                name = obj["metadata"]["name"]
                self._log.warning("object is left out", name=name, error=f"{type(error).__name__}: {error}")
        return lines

    def _note_change(self, _old: Json | None, _new: Json | None) -> None:
        if not self._stale:
            self._stale = True
            # Requests that wait may have seats now; all changes that come at once are taken in together.
            asyncio.get_running_loop().call_soon(self._current)
