"""A figure: what was measured, the samples, and what stands beside it.

Printing is here, measuring is elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from statistics import median
from time import perf_counter


@dataclass(frozen=True, slots=True)
class Figure:
    """Samples of one question in one unit.

    `peer` is a figure measured in the same run, or recorded data with its date.
    """

    name: str
    samples: tuple[float, ...]
    unit: str
    goal: str = ""
    peer: Figure | None = None
    note: str = ""

    @property
    def best(self) -> float:
        """The sample that was disturbed least."""
        return max(self.samples) if self.unit.endswith("/s") else min(self.samples)

    @property
    def middle(self) -> float:
        """The median."""
        return median(self.samples)


def line(figure: Figure) -> str:
    """Render a figure as one row of the table that a run prints."""
    best, middle = f"{figure.best:.4g}", f"{figure.middle:.4g}"
    peer = ""
    if figure.peer:
        peer = f"{figure.best / figure.peer.best:.2f} x {figure.peer.name} ({figure.peer.best:.4g} {figure.peer.unit})"
    notes = "; ".join(filter(None, (peer, figure.note)))
    return f"{figure.name:<48} {best:>8} {middle:>8} {figure.unit:<7} {figure.goal:<10} {notes}".rstrip()


HEAD = f"{'':<48} {'best':>8} {'median':>8} {'unit':<7} {'goal':<10} beside it"


def measure(act: Callable[[], object], times: int) -> tuple[float, ...]:
    """Return the milliseconds of each call."""
    return tuple(_once(act) for _ in range(times))


def measure_each(act: Callable[[int], object], numbers: Iterable[int]) -> tuple[float, ...]:
    """Return the milliseconds of a call with each number."""
    return tuple(_once(lambda number=number: act(number)) for number in numbers)


def _once(act: Callable[[], object]) -> float:
    began = perf_counter()
    act()
    return (perf_counter() - began) * 1000
