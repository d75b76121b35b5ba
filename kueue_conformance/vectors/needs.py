"""What exchanges need of an API server that not every one has: the rows of `needs.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import yaml

from .index import folder

FILE = "needs.yaml"


@cache
def _rows() -> tuple[Mapping[str, Iterable[str]], ...]:
    return tuple(yaml.safe_load((folder().parent / FILE).read_text("utf-8")))


def needs_of(exchanges: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return what exchanges need, those alone that need something; a row names a topic or one exchange of it."""
    found = {
        name: tuple(
            str(row["needs"]) for row in _rows() if {name, name.partition("/")[0]} & set(row["exchanges"])
        )
        for name in exchanges
    }
    return {name: needs for name, needs in found.items() if needs}
