"""Time in scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from ..base.errors import Nonconformance, too_busy
from ..case.context import CaseContext, always
from ..history.fact import Condition, forbid_act

Item = TypeVar("Item")
_HALF = 0.5
_A_SECOND = 1
"""Seconds, the resolution of the API's times;
a delay on virtual time is judged this long before and after its end.
"""


class Touchable(Protocol):
    """What Kueue looks at again when a label is changed."""

    def touch(self) -> None:
        """Change an unused label."""


class Clock:
    """Reads the cluster's time and lets it pass."""

    def __init__(self, context: CaseContext) -> None:
        self._context = context

    def current_time(self) -> float:
        """Return the cluster's present, in seconds since the epoch."""
        return self._context.cluster.now()

    def advance(self, seconds: float) -> None:
        """Let time pass: at once on a virtual clock, really elsewhere."""
        self._context.acts()
        self._context.cluster.passes(seconds, self._context.react)

    def advance_budget(self, name: str) -> None:
        """Let the time of a named budget pass."""
        self.advance(self._context.budgets.seconds(name))

    @property
    def hold(self) -> int:
        """Seconds of a configurable delay that is long enough to be observed: minutes on a virtual clock,
        fewer in real time.
        """
        return int(self._context.budgets.seconds("hold"))

    def advance_almost(self, seconds: float) -> None:
        """Let a delay pass but for its last second and the rest of one `always`; in real time half of it,
        since a busy machine is late.
        """
        # The `always` that follows lets its own quiet pass, which must not end the delay.
        remaining_seconds = _A_SECOND + self._context.budgets.seconds("quiet")
        self.advance(seconds - remaining_seconds if self._context.budgets.virtual else seconds * _HALF)

    def advance_rest(self, seconds: float) -> None:
        """Let a delay end that has nearly passed: a second later it is over."""
        self.advance(2 * _A_SECOND if self._context.budgets.virtual else seconds * _HALF)

    def advance_while(
        self,
        seconds: float,
        condition: Condition,
        *,
        since: float | None = None,
        touched: Touchable | None = None,
        clause: str = "",
    ) -> None:
        """Let a delay pass, and raise Nonconformance unless `condition` always holds until its last second.

        `since` is when the delay began, in seconds since the epoch; None means now. What is `touched` shortly
        before the end is looked at too early, which must change nothing.
        """
        __tracebackhide__ = True
        current_time = self.current_time()
        began = current_time if since is None else since
        acted = self._context.viewpoint.acted
        remaining_seconds = began + seconds - current_time
        self.advance_almost(remaining_seconds)
        if touched is not None:
            touched.touch()
        try:
            always(condition, clause=clause)
        except Nonconformance as problem:
            # On a busy machine what began the delay may have been a while ago.
            self._check_delay(min(began, self._time_of_act(acted)), seconds, str(problem))
            raise
        self.advance_rest(remaining_seconds)

    def _time_of_act(self, revision: int) -> float:
        """Return when the story had the first write from a revision on; the present where there is none."""
        writes = self._context.history.after(revision - 1)
        return min((change.at for change in writes), default=self.current_time())

    @contextmanager
    def during(self, seconds: float) -> Iterator[None]:
        """Carry out a block while a delay runs; raise UnmetPremise when the delay was over before the block.

        What the block brings about in real time ends with the delay by itself, on a busy machine too early.
        """
        began = self.current_time()
        try:
            yield
        except Nonconformance as problem:
            self._check_delay(began, seconds, str(problem))
            raise
        self._check_delay(began, seconds, "what follows would come too late")

    def _check_delay(self, began: float, seconds: float, problem: str) -> None:
        """Raise UnmetPremise when a delay that began then is over: on virtual time no machine is too slow."""
        passed = self.current_time() - began
        # The API cuts the time at which a delay begins to the second before.
        if passed >= seconds - _A_SECOND and not self._context.budgets.virtual:
            raise too_busy(
                f"{passed:.0f} s passed before the end of a delay of {seconds:g} s could be seen: {problem}"
            )

    def tick(self) -> None:
        """Let the time move on by what the API can tell apart,
        so that what happens next is later (AC-008).
        """
        self.advance(1)

    def possible_seconds(self, seconds: float) -> range:
        """Return the seconds that may be told of a wait between two written times: in real time a whole one
        is counted from, and rounded to.
        """
        shortest = round(seconds)
        # Two written times are each cut to a second, so their difference may be one more.
        return range(shortest, shortest + (1 if self._context.budgets.virtual else 2))

    def tick_between(self, items: Iterable[Item]) -> Iterator[Item]:
        """Let time pass between items, so that each comes later than the one before it (AC-008)."""
        for item in items:
            yield item
            self.tick()

    def settle(self) -> None:
        """Wait until everything that follows from what was done is done."""
        # A wait in a condition would move the time that the condition is evaluated at.
        forbid_act()
        # A short pause is no end of work in real time: Kueue gathers some of it for a second.
        self._context.rest(self._context.budgets.seconds("calm"))
