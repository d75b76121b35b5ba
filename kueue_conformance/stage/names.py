"""Names, labels, texts and amounts of generated objects, from Faker with the run's seed (harness/H-36)."""

from __future__ import annotations

import random
import re
import zlib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from faker import Faker

_TURNS = 20
"""So often a new word is looked for before one gets a number."""
_LONGEST = 24
"""Letters of a scenario's id or a test's name that go into names, so that 63 leave room for the rest."""


class Names:
    """Makes names that are unique in the run and readable: `adm-204-7f3qa-b2e-harbor`.

    The seed of a case is made of the run's seed and the case's id, so a case gets the same names alone and among others, and
    two cases of a scenario on one cluster get different ones.
    """

    def __init__(self, scenario: str, run: str, case: str, seed: int) -> None:
        number = zlib.crc32(f"{seed} {case}".encode())
        self._prefix = f"{_label(scenario)[:_LONGEST].strip('-')}-{run}-{number % 0x1000:03x}"
        self._random = random.Random(number)  # noqa: S311 - names, no secrets
        self._used: set[str] = set()

    @property
    def _faker(self) -> Faker:
        """The vocabulary, drawing from this case's numbers."""
        shared = _vocabulary()
        shared.factories[0].random = self._random
        return shared

    def name(self, noun: str = "") -> str:
        """Return a new DNS label; `noun` tells what it names."""
        turns = 0
        while True:
            # A thousand objects use the vocabulary up: then a word gets a number.
            number = str(len(self._used)) if turns > _TURNS else ""
            word = re.sub(r"[^a-z0-9]", "", self._faker.word().lower()) + number
            turns += 1
            name = "-".join(part for part in (self._prefix, noun, word) if part)[:63].rstrip("-")
            if name not in self._used:
                self._used.add(name)
                return name

    def message(self) -> str:
        """Return a sentence as a controller would write one."""
        return str(self._faker.sentence(nb_words=5))

    def labels(self) -> dict[str, str]:
        """Return one label of nobody's."""
        return {f"example.com/{self._faker.word()}": self._faker.word()}

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
