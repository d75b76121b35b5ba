"""Draws values from a seed (pure)."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

Item = TypeVar("Item")


class RandomChoices:
    """The random choices of one story."""

    def __init__(self, seed: int) -> None:
        # Text seeds give the same numbers in each process and on each machine.
        self._random = random.Random(f"story {seed}")  # noqa: S311 - no secret

    def happens(self, probability: float) -> bool:
        """Tell whether something of this probability happens."""
        return self._random.random() < probability

    def one_of(self, values: Sequence[Item]) -> Item:
        """Return one of several values."""
        return self._random.choice(values)

    def sometimes(self, value: str, probability: float) -> str:
        """Return a value with this probability, and otherwise an empty one."""
        return value if self.happens(probability) else ""

    def several(self, values: Sequence[Item], number: int) -> list[Item]:
        """Return so many of several values, none twice, and all where there are fewer."""
        return self._random.sample(values, min(number, len(values)))

    def number(self, least: int, most: int) -> int:
        """Return a number between two, both included."""
        return self._random.randint(least, most)

    def one_by_weight(self, weights: Mapping[Item, float]) -> Item:
        """Return one of several values by their weights."""
        return self._random.choices([*weights], [*weights.values()])[0]


def some_words(chance: RandomChoices, words: Collection[str]) -> str:
    """Return one of several words, or two joined by `+`; `yes` is twice as frequent as another one."""
    return "+".join(dict.fromkeys(chance.several(["yes", *words], chance.one_of((1, 1, 2)))))
