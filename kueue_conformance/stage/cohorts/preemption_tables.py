"""Contests for quota, each a line of a table: which Workloads are preempted by a new one, and which gets
quota that becomes free (KEP-83, KEP-1714).
"""

from __future__ import annotations

from types import SimpleNamespace

from ...case.context import within
from ..workloads.release import ReleaseStandIn
from ..workloads.workload import Workload
from .topologies import Topologies
from .topology import Topology


class PreemptionTables(Topologies):
    """Plays lines of tables up to the moment that is judged."""

    release: ReleaseStandIn

    def play_preemption(self, line: SimpleNamespace) -> tuple[Topology, Workload]:
        """Have a Workload come for which others may be preempted; return what was made, and the Workload.

        A line has `queues`, `holding` (in the order of admission), `comes`, and `goes`: who is preempted, and
        why. The victims hold their quota until `release.pods_are_held` is taken back.
        """
        queues = self.make_topology(line.queues)
        queues.submit_in_turn(line.holding)
        # Held before the preemptor comes: victims that end at once would be judged by chance.
        self.release.pods_are_held = True

        new = queues.submit(line.comes)
        return queues, new

    def play_queueing_order(self, line: SimpleNamespace) -> tuple[Topology, list[str]]:
        """Let Workloads wait behind one that holds everything, end it; return what was made, and whose quota
        it should be.

        A line has `queues`, `holding` (with a Workload `all`), `first` (who is let in beside it), `waits`,
        `tried` (who has to have been refused before), and `out`: who still waits in the end.
        """
        queues = self.make_topology(line.queues)
        queues.submit_in_turn(line.holding)
        queues.submit_in_turn(line.first)
        queues.submit_all(line.waits)
        # Who was never tried is not in the order that the table is about.
        within("settle", lambda: queues.has_tried(*line.tried.split()))

        queues.delete_workloads("all")

        return queues, [name for name in queues.workloads if name not in line.out.split()]
