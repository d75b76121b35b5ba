"""The stage of scenarios about throttling: priority levels
of its own users, and access reviews that take their time.
"""

from __future__ import annotations

from ..making.maker import Maker
from ..pending.pending import Pending
from ..queues.queue import Queue
from .priority_level import PriorityLevel


class Throttling(Maker):
    """Makes priority levels, and what keeps their seats taken."""

    namespace: str

    def priority_level(self, *, hand: int = 2, length: int = 1) -> PriorityLevel:
        """Return a level of few seats whose queues have `length` places each, `hand` queues for a flow; it is
        yet to be made.
        """
        return PriorityLevel(self.context, self.names.name("level"), hand=hand, length=length)

    def delay_access_reviews(self) -> None:
        """Delay the API server's access reviews, so that a request keeps its seat meanwhile."""
        self.context.acts()
        self.context.cluster.reviews_take(self.context.budgets.seconds("review"))

    def missing_queue_lists(self, number: int) -> list[Pending]:
        """Return lists of ClusterQueues that do not exist: the right to see each is asked for by itself."""
        names = [self.names.name("missing") for _ in range(number)]
        return [Queue(self.context, self.names, name, self.namespace, (), ()).pending() for name in names]
