"""The stand-in for kube-scheduler: which node takes a pod, and the words when none does (FK-461)."""

from .scheduler import Scheduler

__all__ = ["Scheduler"]
