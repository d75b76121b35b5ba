"""Which case is tried first: the one that has caught a neighbour, since a case that looks at a decision catches most of its mutants."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from .executing import Case
from .mutants import Mutant
from .session import Result


class Killers:
    """What has caught the mutants of a definition and of a module so far."""

    def __init__(self, mutants: Mapping[str, Mutant], results: Mapping[str, Result]) -> None:
        self._of_function: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        self._of_module: dict[str, Counter[str]] = defaultdict(Counter)
        self._of_all = Counter[str]()
        for job, result in results.items():
            self.note(mutants[job], result)

    def note(self, mutant: Mutant, result: Result) -> None:
        """Count what caught a mutant; what did so by hanging has no name that is found again, and is not asked first."""
        if result.by:
            self._of_function[mutant.module, mutant.function][result.by] += 1
            self._of_module[mutant.module][result.by] += 1
            self._of_all[result.by] += 1

    def first(self, mutant: Mutant, cases: Iterable[Case]) -> list[Case]:
        """Return cases in the order in which they are tried; those of which nothing is known stay in the order they have."""
        near, around = self._of_function[mutant.module, mutant.function], self._of_module[mutant.module]
        return sorted(cases, key=lambda one: (-near[one.node], -around[one.node], -self._of_all[one.node]))
