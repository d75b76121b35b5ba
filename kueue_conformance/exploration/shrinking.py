"""Makes the story of a finding shorter while it is still one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace

from .perturbation import Perturbation
from .story import Story

Case = tuple[Story, Perturbation | None]
StillFails = Callable[[Story, Perturbation | None], bool]


class _Smallest:
    """The smallest case so far, and how many more may be tried."""

    def __init__(self, case: Case, still_fails: StillFails, tries: int) -> None:
        self.case = case
        self._still_fails = still_fails
        self._tries = tries

    def attempt(self, candidate: Case | None) -> None:
        """Take a smaller case, where there is one, it still fails, and tries are left."""
        if candidate is None or self._tries == 0:
            return
        self._tries -= 1
        if self._still_fails(*candidate):
            self.case = candidate


def shrink(case: Case, still_fails: StillFails, tries: int) -> Case:
    """Return the shortest story that still fails, after at most so many tries.

    First it is tried without the perturbation, then without each group of acts, then without more and more
    small pieces, from the last one on; what is left out stays so.
    """
    smallest = _Smallest(case, still_fails, tries)
    if case[1] is not None:
        smallest.attempt((case[0], None))
    groups = len([*case[0].groups()])
    for number in range(groups, 0, -1):
        # The numbers of a group change with each act that is left out before it.
        current = [*smallest.case[0].groups()]
        if number <= len(current):
            smallest.attempt(_without(smallest.case, current[number - 1]))
    for size in _sizes(len(smallest.case[0].acts)):
        for last in range(len(smallest.case[0].acts), 0, -size):
            smallest.attempt(_without(smallest.case, range(max(1, last - size + 1), last + 1)))
    for story in smallest.case[0].simplify():
        smallest.attempt((story, smallest.case[1]))
    return smallest.case


def _sizes(length: int) -> Iterator[int]:
    """Yield a half, a quarter and so on, and 1."""
    while length > 1:
        length //= 2
        yield length


def _without(case: Case, left_out: Collection[int]) -> Case | None:
    """Return the case without some acts; None where that is not legal or lacks the perturbation's act."""
    story, perturbation = case
    if not left_out or len(left_out) >= len(story.acts):
        return None
    if perturbation is not None and perturbation.act in left_out:
        return None
    shorter = story.without(left_out)
    if shorter is None or perturbation is None:
        return None if shorter is None else (shorter, None)
    earlier = sum(number < perturbation.act for number in left_out)
    return shorter, replace(perturbation, act=perturbation.act - earlier)
