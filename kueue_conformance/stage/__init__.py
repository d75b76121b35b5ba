"""The objects of scenarios: queues, checks, Workloads and Jobs,
and what can be done to them or seen of them.
"""

from .checks.check import Check
from .queues.queue import Queue
from .stage import Stage
from .workloads.workload import Workload

__all__ = ["Check", "Queue", "Stage", "Workload"]
