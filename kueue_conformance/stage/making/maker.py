"""What makes the objects of a case, with names of its own."""

from __future__ import annotations

from ...case.context import CaseContext
from .names import Names


class Maker:
    """Speaks to the cluster of one case."""

    def __init__(self, context: CaseContext, names: Names) -> None:
        self.context = context
        self.client = context.client
        self.names = names
