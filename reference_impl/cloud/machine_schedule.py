"""Future changes of machines, in the order of their times."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .machines import NEVER, Machine, MachineEvent


@dataclass(frozen=True, slots=True)
class MachineChange:
    """Something that happened to a machine by itself."""

    time: float
    machine: Machine
    event: MachineEvent


class MachineSchedule:
    """Events of machines.

    One that was changed or removed meanwhile has other events, or none: `is_current` tells.
    """

    def __init__(self) -> None:
        self._heap: list[tuple[float, int, MachineChange]] = []
        self._order = itertools.count()

    def add(self, machine: Machine, current_time: float) -> None:
        """Add the future changes of a machine; an end that is due is still to come."""
        for at, event in machine.events():
            if current_time < at < NEVER or (event == "ended" and at <= current_time):
                heapq.heappush(self._heap, (at, next(self._order), MachineChange(at, machine, event)))

    def due(self, current_time: float, is_current: Callable[[Machine], bool]) -> Sequence[MachineChange]:
        """Return what has happened up to now, once."""
        due = []
        while self._heap and self._heap[0][0] <= current_time:
            change = heapq.heappop(self._heap)[2]
            if is_current(change.machine):
                due.append(change)
        return due

    def next(self, is_current: Callable[[Machine], bool]) -> float | None:
        """Return when the next thing happens; None where nothing does."""
        while self._heap and not is_current(self._heap[0][2].machine):
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None
