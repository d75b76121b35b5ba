"""Kueue's part in scenarios about check controllers: written by the harness or done by a Kueue at work
(harness/N-13).
"""

from __future__ import annotations

from typing import Any, Protocol

from .check import Check
from .queue import Queue
from .workload import Workload
from .workload_set import WorkloadSet


class Kueue(Protocol):
    """`script.ScriptedKueue` writes what Kueue would write; `working.WorkingKueue` lets a Kueue that is at
    work come to it.
    """

    def prechecks(self, queue: Queue, **asked: Any) -> Workload:
        """Take a new Workload in: quota is reserved, its queue's checks are listed."""

    def takes_in(self, workload: Workload, check: Check) -> None:
        """Take in a Workload that does not exist yet and needs this check alone."""

    def prechecks_many(self, queue: Queue, number: int) -> WorkloadSet:
        """Take in so many Workloads that ask for little."""

    def takes_again(self, workload: Workload, queue: Queue) -> None:
        """Delete a Workload and take another one of its name in."""

    def lists(self, workload: Workload, *checks: Check) -> None:
        """Bring the list of checks in step with what the queue requires."""

    def admits(self, workload: Workload) -> None:
        """Admit a Workload whose checks are Ready."""

    def evicts(self, workload: Workload, reason: str = ...) -> None:
        """Evict: every check is undecided again, the quota is still held."""

    def releases(self, workload: Workload) -> None:
        """Give the quota of an evicted Workload back, when its pods are gone."""

    def evicts_and_releases(self, workload: Workload, reason: str = ...) -> None:
        """Evict a Workload whose pods are gone at once."""

    def tries_again(self, workload: Workload) -> None:
        """Evict a Workload, give its quota back and reserve it anew."""

    def gives_up(self, workload: Workload) -> None:
        """Deactivate and evict a Workload that a check has rejected."""

    def reserves(self, workload: Workload) -> None:
        """Reserve quota anew for a Workload that was sent back."""

    def takes_back(self, workload: Workload) -> None:
        """Cancel a reservation without an eviction."""

    def finishes(self, workload: Workload, *, well: bool = True) -> None:
        """See the work done, well or not."""
