"""Which of several groups is chosen (PR-175, PR-348)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from ..cloud import NodeGroup
from ..simulation.node import NodeShape
from ..simulation.packing import BinpackingEstimate


@dataclass(frozen=True, slots=True)
class ExpansionOption:
    """A group that can take pods, and how many nodes of it that needs."""

    group: NodeGroup
    template: NodeShape
    packing: BinpackingEstimate

    @property
    def nodes(self) -> int:
        """Return how many nodes are needed."""
        return self.packing.nodes


Score = Callable[[ExpansionOption], float]


def waste(option: ExpansionOption) -> float:
    """Return which part of processors and memory stays unused, added up; the least is the best."""
    return sum(_waste(option, resource) for resource in ("cpu", "memory"))


def _waste(option: ExpansionOption, resource: str) -> float:
    there = option.nodes * option.template.capacity.get(resource, 0)
    used = sum(pod.shape.requests.get(resource, 0) for pod in option.packing.placed)
    return 1 - used / there if there else 0.0


SCORES: Final[Mapping[str, Score]] = {
    "least-waste": waste,
    "most-pods": lambda option: -len(option.packing.placed),
    "least-nodes": lambda option: option.nodes,
    "random": lambda _: 0.0,
}


def best(
    options: Sequence[ExpansionOption], expander: str, random: Random | None = None
) -> ExpansionOption | None:
    """Return the best option by a chain of names such as `most-pods,least-waste`; ties go to the first group,
    or to chance.
    """
    remaining = list(options)
    for name in expander.split(","):
        if len(remaining) > 1:
            scores = [SCORES[name](option) for option in remaining]
            # Each expander of the chain only breaks the ties of the one before.
            remaining = [
                option for option, score in zip(remaining, scores, strict=True) if score == min(scores)
            ]
    if not remaining:
        return None
    return random.choice(remaining) if random else min(remaining, key=lambda option: option.group.id)
