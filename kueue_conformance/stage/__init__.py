"""The objects of scenarios: queues, checks, Workloads and Jobs, and what can be done to them or seen of them."""

from .check import Check
from .queue import Queue
from .stage import Stage
from .workload import Workload

__all__ = ["Check", "Queue", "Stage", "Workload"]
