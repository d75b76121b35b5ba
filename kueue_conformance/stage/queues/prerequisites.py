"""The objects that a Workload needs to get quota, created in any order (S-027…S-030)."""

from __future__ import annotations

from ...case.context import CaseContext
from ..making import manifests
from ..making.names import Names
from ..workloads.workload import Workload


class Prerequisites:
    """A flavor, a ClusterQueue (`cluster`), a LocalQueue (`local`) and a Workload of names that are known
    before they are there.
    """

    def __init__(self, context: CaseContext, names: Names, namespace: str) -> None:
        self._client = context.client
        self._namespace = namespace
        self._flavor, self._queue = names.name("flavor"), names.name("queue")
        self.workload = Workload(context, namespace, names.name("workload"))
        self._ways = {
            "flavor": self._make_flavor,
            "cluster": self._make_cluster_queue,
            "local": self._make_local_queue,
            "workload": self._make_workload,
        }

    def make(self, kind: str) -> None:
        """Make the `flavor`, the `cluster` queue, the `local` queue or the `workload`."""
        self._ways[kind]()

    def _make_flavor(self) -> None:
        self._client.create(manifests.flavor(self._flavor, {}))

    def _make_cluster_queue(self) -> None:
        self._client.create(manifests.cluster_queue(self._queue, {self._flavor: {"cpu": "2"}}, {}))

    def _make_local_queue(self) -> None:
        self._client.create(manifests.local_queue(self._queue, self._namespace, self._queue))

    def _make_workload(self) -> None:
        template = manifests.pod_template({"cpu": "1"})
        self._client.create(manifests.workload(self.workload.name, self._namespace, self._queue, template, 1))
