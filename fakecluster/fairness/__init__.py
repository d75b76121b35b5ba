"""API Priority and Fairness: which requests run,
which wait for a seat, and which are refused (FK-520, FK-521).

Everything here decides; `server.priority_and_fairness` lets requests wait.
"""

from .drops import Drops
from .fairness import Fairness, Flow
from .queues import QueueSet, Ticket

__all__ = ["Drops", "Fairness", "Flow", "QueueSet", "Ticket"]
