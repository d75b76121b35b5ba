"""Names, labels, texts and amounts of generated objects, from Faker with the run's seed (harness/H-36)."""

from __future__ import annotations

import random
import re
import zlib
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faker import Faker

_LONGEST = 24
"""Letters of a scenario's id or a test's name that go into names, so that 63 leave room for the rest."""


class Names:
    """Makes names that are unique in the run and readable: `check-2-adm-204-7f3qa-b2e-harbor`.

    They begin with what they name and its place among those of the case, so that their order is that in which they were made.
    The seed of a case is made of the run's seed and the case's id, so a case gets the same names alone and among others, and
    two cases of a scenario on one cluster get different ones.
    """

    def __init__(self, scenario: str, run: str, case: str, seed: int) -> None:
        number = zlib.crc32(f"{seed} {case}".encode())
        self._prefix = f"{_label(scenario)[:_LONGEST].strip('-')}-{run}-{number % 0x1000:03x}"
        self._random = random.Random(number)  # noqa: S311 - names, no secrets
        self._made: Counter[str] = Counter()

    @property
    def _faker(self) -> Faker:
        """The vocabulary, drawing from this case's numbers."""
        shared = _vocabulary()
        shared.factories[0].random = self._random
        return shared

    def name(self, role: str = "object") -> str:
        """Return a new DNS label; `role` tells what it names."""
        self._made[role] += 1
        word = re.sub(r"[^a-z0-9]", "", self._faker.word().lower())
        return "-".join((role, str(self._made[role]), self._prefix, word))[:63].rstrip("-")

    def message(self) -> str:
        """Return a sentence as a controller would write one."""
        return str(self._faker.sentence(nb_words=5))

    def labels(self) -> dict[str, str]:
        """Return one label that means nothing to Kueue; no scenario writes a key of this form by hand."""
        self._made["label"] += 1
        return {f"example.com/label-{self._made['label']}-{self._faker.word()}": self._faker.word()}

    def milli_cpu(self) -> int:
        """Return a small amount of CPU in thousandths."""
        return int(self._faker.random_int(1, 8)) * 100


@cache
def _vocabulary() -> Faker:
    """Return the words of all cases: reading them takes longer than drawing all the names of a case."""
    from faker import Faker

    return Faker("en_US", use_weighting=False)


def _label(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
