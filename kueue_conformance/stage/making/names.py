"""Names, labels, texts and amounts of generated objects, drawn with the run's seed (harness/H-36)."""

from __future__ import annotations

import random
import re
import zlib
from collections import Counter

_TEXT = (
    "acorn amber anchor apple arrow autumn basil beacon birch blossom breeze bridge candle canyon cedar cherry "
    "clover cobalt comet copper coral cotton cricket crystal desert dune eagle ember falcon feather fern field "
    "fjord flint forest garden ginger glacier granite harbor hazel heron island ivory jasmine juniper lagoon lantern "
    "lemon lilac maple marble meadow mint moss nectar oak olive orchard otter pebble pepper pine plum prairie "
    "quartz rain raven reed river robin rose saffron sage sierra silver slate sparrow spruce summit thistle "
    "timber topaz tulip valley velvet violet walnut willow winter wren"
)
WORDS = _TEXT.split()
_ID_LETTERS = 24
"""Letters of a scenario's id or a test's name that go into names, so that 63 leave room for the rest."""


class Names:
    """Makes names that are unique in the run and readable: `check-2-adm-204-7f3qa-b2e-harbor`.

    They begin with what they name and its place among those of the case, so that their order is that in which
    they were made. The seed of a case is made of the run's seed and the case's id, so a case gets the same
    names alone and among others, and two cases of a scenario on one cluster get different ones.
    """

    def __init__(self, scenario: str, run: str, case: str, seed: int) -> None:
        self._number = zlib.crc32(f"{seed} {case}".encode())
        self._prefix = f"{_label(scenario)[:_ID_LETTERS].strip('-')}-{run}-{self._number % 0x1000:03x}"
        self._random = random.Random(self._number)  # noqa: S311 - names, no secrets
        self._made: Counter[str] = Counter()

    def name(self, role: str = "object") -> str:
        """Return a new DNS label; `role` tells what it names."""
        self._made[role] += 1
        return "-".join((role, str(self._made[role]), self._prefix, self._word()))[:63].rstrip("-")

    def message(self) -> str:
        """Return a sentence as a controller would write one."""
        return f"{' '.join(self._word() for _ in range(5)).capitalize()}."

    def labels(self) -> dict[str, str]:
        """Return one label that means nothing to Kueue; no scenario writes a key of this form by hand."""
        self._made["label"] += 1
        return {f"example.com/label-{self._made['label']}-{self._word()}": self._word()}

    def label_value(self, name: str) -> str:
        """Return the value of the labels that stand for an object: its name."""
        return name

    def milli_cpu(self) -> int:
        """Return a small amount of CPU in thousandths."""
        return self._random.randint(1, 8) * 100

    def _word(self) -> str:
        return self._random.choice(WORDS)


def _label(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
