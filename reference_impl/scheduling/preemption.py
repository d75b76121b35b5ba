"""Who would have to make room: the seam for preemption, and the policy of preempting nobody (Q-168, section 7).

Searching targets and issuing preemptions is not written yet. `NoPreemption` is what upstream does when the preemption
policies of a ClusterQueue are `Never`: no target is ever found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..quota.ledger import Holding
from ..quota.resources import FlavorResource, Usage
from ..workload.view import Workload


@dataclass(frozen=True, slots=True)
class Target:
    """A Workload that would be preempted, and the reason in the words of the `Preempted` condition."""

    holding: Holding
    reason: str


class Preemptor(Protocol):
    """Finds whom a Workload would preempt."""

    def targets(
        self, preemptor: Workload, cluster_queue: str, usage: Usage, short_of: frozenset[FlavorResource]
    ) -> Sequence[Target]:
        """Return the Workloads to preempt so that `usage` fits, none when that cannot be reached."""


class NoPreemption:
    """Nobody is preempted."""

    def targets(
        self, preemptor: Workload, cluster_queue: str, usage: Usage, short_of: frozenset[FlavorResource]
    ) -> Sequence[Target]:
        """Find nobody."""
        del preemptor, cluster_queue, usage, short_of
        return ()
