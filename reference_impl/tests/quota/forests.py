"""Words in which quota tests describe a forest: cores of one flavor's cpu."""

from __future__ import annotations

from fractions import Fraction

from reference_impl.kueue.quota.cohort_trees import CohortTrees
from reference_impl.kueue.quota.resources import FlavorResource, Quota
from reference_impl.kueue.quota.tree import BorrowLevel, Node, available, borrow_level, fits_now, potential

CPU = FlavorResource("f", "cpu")


def milli(cores: float | str) -> int:
    return int(Fraction(str(cores)) * 1000)


def quota(
    nominal: float = 0, bl: float | None = None, ll: float | None = None
) -> dict[FlavorResource, Quota]:
    return {CPU: Quota(milli(nominal), *(None if limit is None else milli(limit) for limit in (bl, ll)))}


class Sketch:
    """A forest drawn with few words."""

    def __init__(self) -> None:
        self.forest = CohortTrees()

    def cohort(self, name: str, nominal: float = 0, parent: str = "", **limits: float) -> Sketch:
        self.forest.set_cohort(name, parent, quota(nominal, **limits))
        return self

    def queue(self, name: str, nominal: float = 0, cohort: str = "all", **limits: float) -> Sketch:
        self.forest.set_queue(name, cohort, quota(nominal, **limits))
        return self

    def use(self, name: str, cores: float) -> Sketch:
        change = self.forest.add if cores > 0 else self.forest.remove
        change(name, {CPU: abs(milli(cores))})
        return self

    def node(self, name: str) -> Node:
        return self.forest.queues.get(name) or self.forest.cohorts[name]

    def figures(self, name: str) -> tuple[float, float, float, float]:
        """S, U, Available (of a queue) or available (of a cohort), potential."""
        node = self.node(name)
        free = fits_now(node, CPU) if node.is_queue else available(node, CPU)
        return tuple(
            value / 1000 for value in (node.total(CPU), node.usage_of(CPU), free, potential(node, CPU))
        )

    def free(self, name: str) -> float:
        return self.figures(name)[2]

    def level(self, name: str, cores: float) -> BorrowLevel:
        return borrow_level(self.node(name), CPU, milli(cores))
