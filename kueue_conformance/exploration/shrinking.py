"""Makes the story of a finding shorter while it is still one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from .drawing import Story
from .model import are_legal
from .perturbations import Perturbation

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

    First it is tried without the perturbation, then without each Workload, then without more and more small
    pieces, from the last one on; what is left out stays so.
    """
    smallest = _Smallest(case, still_fails, tries)
    if case[1] is not None:
        smallest.attempt((case[0], None))
    for workload in range(1, case[0].workloads + 1):
        smallest.attempt(_without(smallest.case, _acts_on(workload, smallest.case[0])))
    for size in _sizes(len(smallest.case[0].acts)):
        for last in range(len(smallest.case[0].acts), 0, -size):
            smallest.attempt(_without(smallest.case, set(range(max(1, last - size + 1), last + 1))))
    if smallest.case[0].foreign_check:
        smallest.attempt((replace(smallest.case[0], foreign_check=False), smallest.case[1]))
    return smallest.case


def _sizes(length: int) -> Iterator[int]:
    """Yield a half, a quarter and so on, and 1."""
    while length > 1:
        length //= 2
        yield length


def _acts_on(workload: int, story: Story) -> set[int]:
    """Return the numbers of the acts on a Workload."""
    return {number for number, act in enumerate(story.acts, 1) if act.workload == workload}


def _without(case: Case, left_out: set[int]) -> Case | None:
    """Return the case without some acts; None where that is not legal or lacks the perturbation's act."""
    story, perturbation = case
    kept = [number for number in range(1, len(story.acts) + 1) if number not in left_out]
    acts = tuple(story.acts[number - 1] for number in kept)
    if not acts or len(acts) == len(story.acts) or not are_legal(acts, story.workloads):
        return None
    if perturbation is None:
        return replace(story, acts=acts), None
    if perturbation.act not in kept:
        return None
    return replace(story, acts=acts), replace(perturbation, act=kept.index(perturbation.act) + 1)
