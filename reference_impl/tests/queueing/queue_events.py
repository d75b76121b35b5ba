"""A cluster with one queue, and what its queue manager asks the listener for when something happens."""

from __future__ import annotations

from typing import Any

from reference_impl.kueue.queueing.view import QueueView
from reference_impl.kueue.workload.view import Workload

from ..scheduling.queue_side import Cluster, group


class Listener:
    """Records what the queue manager asks for, in order."""

    def __init__(self) -> None:
        self.told: list[Any] = []

    def work(self) -> None:
        self.told.append("work")

    def wake(self) -> None:
        self.told.append("wake")

    def dirty_cluster_queue(self, name: str, *, soon: bool) -> None:
        self.told.append((name, "soon" if soon else "later"))

    def dirty_local_queue(self, key: str, *, soon: bool) -> None:
        self.told.append((key, "soon" if soon else "later"))

    def fewer_pending(self, name: str) -> None:
        self.told.append((name, "fewer"))


def local_queue(name: str = "lq", to: str = "cq", **spec: Any) -> Any:
    return {"metadata": {"namespace": "ns", "name": name}, "spec": {"clusterQueue": to, **spec}}


def cluster_queue(name: str = "cq", **spec: Any) -> Any:
    groups = [group("cpu", default=[4])]
    return {"metadata": {"name": name}, "spec": {"namespaceSelector": {}, "resourceGroups": groups, **spec}}


def make_cluster(**fields: Any) -> Cluster:
    """ClusterQueue cq of 4 cores, fed by LocalQueue lq."""
    return Cluster(**fields).flavors().queue("cq", group("cpu", default=[4]), local="lq")


def acts_of(cluster: Cluster, act: Any) -> list[Any]:
    """What the listener of a cluster is told while something happens to it."""
    cluster.queue_manager.listener = listener = Listener()
    act(cluster)
    return listener.told


def admit(cluster: Cluster, name: str = "w") -> Cluster:
    cluster.cpu(name, 1, queue="lq").run_all()
    return cluster


def change(cluster: Cluster, **status: Any) -> Any:
    before = cluster.objects["ns/w"]
    return cluster.put(Workload({**before.object, "status": {**before.status, **status}}))


def reprioritize(cluster: Cluster) -> Any:
    before = cluster.objects["ns/w"]
    return cluster.put(Workload({**before.object, "spec": {**before.spec, "priority": 7}}))


def of_another_class(cluster: Cluster) -> Any:
    before = cluster.objects["ns/w"]
    named = {"group": "kueue.x-k8s.io", "kind": "WorkloadPriorityClass", "name": "high"}
    spec = {**before.spec, "priority": 7, "priorityClassRef": named}
    return cluster.put(Workload({**before.object, "spec": spec}))


def bare_pod_set(**spec: Any) -> Any:
    container = {"name": "c", "resources": {"requests": {"cpu": 1}}}
    return {"name": "main", "count": 1, "template": {"spec": {"containers": [container], **spec}}}


def names_in_order(cluster: Cluster) -> list[str]:
    """The Workloads that wait in cq."""
    return [
        pending.workload.name
        for pending in QueueView(cluster.queue_manager.queues).cluster_queue("cq").page(0, 9)
    ]
