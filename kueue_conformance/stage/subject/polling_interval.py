"""On virtual time a wait of one polling interval shows that a controller has read everything: it is at rest,
and has had time to ask again (design.md §6).
"""

from __future__ import annotations

from ...case.context import CaseContext


class PollingInterval:
    """Lets a polling interval pass; no canary is needed where quiet is known."""

    def __init__(self, context: CaseContext) -> None:
        self._context = context

    def wait(self) -> float:
        """Return when a subject that asks at intervals has asked again, and has done what follows."""
        self._context.cluster.passes(self._context.budgets.seconds("polling"), self._context.react)
        return 0.0
