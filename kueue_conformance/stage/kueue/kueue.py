"""Kueue's steps in scenarios about check controllers:
written by the harness, or performed by a running Kueue (harness/N-13).
"""

from __future__ import annotations

from typing import Any, Protocol

from ..checks.check import Check
from ..queues.queue import Queue
from ..workloads.workload import Workload
from ..workloads.workload_set import WorkloadSet


class Kueue(Protocol):
    """`script.ScriptedKueue` writes Kueue's statuses; `working.WorkingKueue` lets a Kueue that is at work
    come to it.
    """

    def precheck(self, queue: Queue, **spec: Any) -> Workload:
        """Reserve quota for a new Workload, and list its queue's checks."""

    def precheck_for(self, workload: Workload, check: Check) -> None:
        """Create and precheck a Workload that needs only this check."""

    def precheck_many(self, queue: Queue, number: int) -> WorkloadSet:
        """Create and precheck so many small Workloads."""

    def recreate(self, workload: Workload, queue: Queue) -> None:
        """Delete a Workload, then create and precheck another one with its name."""

    def list_checks(self, workload: Workload, *checks: Check) -> None:
        """Update the list of checks to those that the queue requires."""

    def admit(self, workload: Workload) -> None:
        """Admit a Workload whose checks are Ready."""

    def evict(self, workload: Workload, reason: str = ...) -> None:
        """Evict: every check is Pending again, the quota is still held."""

    def release(self, workload: Workload) -> None:
        """Give the quota of an evicted Workload back, when its pods are gone."""

    def evict_and_release(self, workload: Workload, reason: str = ...) -> None:
        """Evict a Workload whose pods are gone at once."""

    def requeue(self, workload: Workload) -> None:
        """Evict a Workload, give its quota back and reserve it anew."""

    def deactivate(self, workload: Workload) -> None:
        """Deactivate and evict a Workload that a check has rejected."""

    def reserve(self, workload: Workload) -> None:
        """Reserve quota anew for a Workload that was sent back."""

    def cancel_reservation(self, workload: Workload) -> None:
        """Cancel a reservation without an eviction."""

    def finish(self, workload: Workload, *, well: bool = True) -> None:
        """Finish the Workload, successfully or not."""
