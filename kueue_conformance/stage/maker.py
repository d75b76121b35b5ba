"""What makes the objects of a case, with names of its own."""

from __future__ import annotations

from ..bench import Bench
from .names import Names


class Maker:
    """Speaks to the cluster of one case."""

    def __init__(self, bench: Bench, names: Names) -> None:
        self.bench = bench
        self.client = bench.client
        self.names = names
