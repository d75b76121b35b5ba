"""Contests for quota, each a line of a table: which Workloads are preempted by a new one, and which gets
quota that becomes free (KEP-83, KEP-1714).
"""

from __future__ import annotations

from types import SimpleNamespace

from ...case.context import within
from ..workloads.release import Release
from ..workloads.workload import Workload
from .topologies import Topologies
from .topology import Topology


class Contests(Topologies):
    """Plays lines of tables up to the moment that is judged."""

    release: Release

    def preempts(self, line: SimpleNamespace) -> tuple[Topology, Workload]:
        """Have a Workload come for which others may be preempted; return what was made, and the Workload.

        A line has `queues`, `holding` (in the order of admission), `comes`, and `goes`: who is preempted, and
        why. The victims hold their quota until `release.pods_are_held` is taken back.
        """
        queues = self.topology(line.queues)
        queues.lets_in(line.holding)
        self.release.pods_are_held = True

        new = queues.submit(line.comes)
        return queues, new

    def take_turns(self, line: SimpleNamespace) -> tuple[Topology, list[str]]:
        """Let Workloads wait behind one that holds everything, end it; return what was made, and whose quota
        it should be.

        A line has `queues`, `holding` (with a Workload `all`), `first` (who is let in beside it), `waits`,
        `tried` (who has to have been refused before), and `out`: who still waits in the end.
        """
        queues = self.topology(line.queues)
        queues.lets_in(line.holding)
        queues.lets_in(line.first)
        queues.submits(line.waits)
        within("settle", lambda: queues.have_been_tried(*line.tried.split()))

        queues.ends("all")

        return queues, [name for name in queues.workloads if name not in line.out.split()]
