"""A sample of the mutants that is as the whole: from each module as many as its share, drawn by lot."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from math import sqrt

from .mutants import Mutant

_Z = 1.96
"""Of 20 intervals 19 hold the figure of the whole."""


def sample(mutants: Sequence[Mutant], size: int, seed: int) -> list[Mutant]:
    """Return so many mutants, in the order they have; every one is as likely to be drawn as any other."""
    if size >= len(mutants):
        return list(mutants)
    by_module = defaultdict(list)
    for mutant in mutants:
        by_module[mutant.module].append(mutant)
    lot = random.Random(seed)
    drawn: list[Mutant] = []
    step, position = len(mutants) / size, lot.random() * len(mutants) / size
    line = [item for member in by_module.values() for item in lot.sample(member, len(member))]
    while position < len(line):
        drawn.append(line[int(position)])
        position += step
    ids = {mutant.id for mutant in drawn}
    return [mutant for mutant in mutants if mutant.id in ids]


def interval(hits: int, of: int) -> tuple[float, float]:
    """Return Wilson's interval of 95 % around a share that a sample shows; (0, 1) for an empty one."""
    if not of:
        return 0.0, 1.0
    share, weight = hits / of, _Z * _Z / of
    middle, half = share + weight / 2, _Z * sqrt(share * (1 - share) / of + weight / (4 * of))
    return (middle - half) / (1 + weight), (middle + half) / (1 + weight)
