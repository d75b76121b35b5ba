"""Which case is tried first: one that quotes the text; one that has caught a neighbour, since what looks at a
decision catches most of its mutants; one that is about it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .executing import Case
from .mutants import Mutant
from .quoting import quotes
from .relevance import relevance
from .session import Result

_OF_A_SCENARIO = 4


class Killers:
    """What has caught the mutants of a definition and of a module so far."""

    def __init__(self, mutants: Mapping[str, Mutant], results: Mapping[str, Result]) -> None:
        self._of_function: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._of_module: dict[str, Counter[str]] = defaultdict(Counter)
        self._of_all = Counter[str]()
        for job, result in results.items():
            self.note(mutants[job], result)

    def note(self, mutant: Mutant, result: Result) -> None:
        """Count what caught a mutant; what did so by hanging has
        no name that is found again, and is not asked first.
        """
        if result.by:
            self._of_function[mutant.module, mutant.function][result.by] += 1
            self._of_module[mutant.module][result.by] += 1
            self._of_all[result.by] += 1

    def first(self, mutant: Mutant, cases: Sequence[Case]) -> list[Case]:
        """Return cases in the order in which they are tried; those of which nothing is known stay in the
        order they have.
        """
        near, around = self._of_function[mutant.module, mutant.function], self._of_module[mutant.module]
        about = _about(mutant, cases)
        quoting = {name: quotes(mutant, name) for name in {case.scenario for case in cases}}
        return sorted(
            cases,
            key=lambda item: (
                not quoting[item.scenario],
                -near[item.node],
                -about[item.node][0],
                -around[item.node],
                -about[item.node][1],
                -self._of_all[item.node],
            ),
        )


def _about(mutant: Mutant, cases: Iterable[Case]) -> dict[str, tuple[bool, bool]]:
    """Return whether each case is about a mutant's definition, and about its module.

    Of what is about the module a few cases of each scenario are,
    or one of many cases would leave no room for others.
    """
    turn, about = Counter[str](), {}
    for case in cases:
        own, around = relevance(mutant, case.scenario)
        about[case.node] = own > 0, around > 0 and turn[case.scenario] < _OF_A_SCENARIO
        turn[case.scenario] += 1
    return about
