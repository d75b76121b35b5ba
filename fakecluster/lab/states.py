"""The cluster's states over HTTP: snapshots, forks, and servers that show the past (F-04, F-05, F-14)."""

from __future__ import annotations

import secrets
import threading
from typing import Any

from ..base.json_types import Json
from ..store import Expired, Snapshot
from .cluster import Cluster
from .routing import LabError, LabRequest, Route


class SavedStates:
    """The snapshots and clusters that one desk has made, by name."""

    def __init__(self) -> None:
        self.snapshots: dict[str, Snapshot] = {}
        self.clusters: dict[str, Cluster] = {}
        self._lock = threading.Lock()
        self._is_stopped = False
        self.table = {
            ("GET", "snapshots"): Route(self.list_snapshots),
            ("POST", "snapshots"): Route(self.take, ("name",)),
            ("POST", "snapshots/{name}/restore"): Route(self.restore),
            ("DELETE", "snapshots/{name}"): Route(self.drop),
            ("GET", "clusters"): Route(self.list_clusters),
            ("POST", "clusters/fork"): Route(self.fork),
            ("POST", "clusters/at"): Route(self.at, ("revision", "time")),
            ("DELETE", "clusters/{name}"): Route(self.end),
        }

    def list_snapshots(self, cluster: Cluster, request: LabRequest) -> Json:
        """List the snapshots."""
        del cluster, request
        return [
            {"name": name, "revision": snapshot.revision} for name, snapshot in tuple(self.snapshots.items())
        ]

    def take(self, cluster: Cluster, request: LabRequest) -> Json:
        """Keep the present state, under {"name": N} or a name of its own."""
        name = request.field("name", str, default="") or _name("snapshot")
        self.snapshots[name] = cluster.snapshot()
        return {"name": name, "revision": self.snapshots[name].revision}

    def restore(self, cluster: Cluster, request: LabRequest) -> Json:
        """Go back to a snapshot; watches end and their readers list again."""
        snapshot = _find(self.snapshots, request.parameters["name"], "snapshot")
        cluster.restore(snapshot)
        return {"name": request.parameters["name"], "revision": snapshot.revision}

    def drop(self, cluster: Cluster, request: LabRequest) -> Json:
        """Forget a snapshot."""
        _take(self.snapshots, request.parameters["name"], "snapshot")
        return self.list_snapshots(cluster, request)

    def list_clusters(self, cluster: Cluster, request: LabRequest) -> Json:
        """List the clusters that were made from this one."""
        del cluster, request
        return [
            {"name": name, "url": forked_cluster.url} for name, forked_cluster in tuple(self.clusters.items())
        ]

    def fork(self, cluster: Cluster, request: LabRequest) -> Json:
        """Start a cluster of its own from the present state."""
        del request
        return self._register("fork", cluster.fork())

    def at(self, cluster: Cluster, request: LabRequest) -> Json:
        """Start a server that cannot be changed:
        it shows the state at {"revision": N} or {"time": seconds}.
        """
        revision, time = (
            request.field("revision", int, default=0),
            request.field("time", int, float, default=0),
        )
        if bool(revision) == bool(time):
            raise LabError(400, "expected a revision or a time, and not both")
        # A revision to come is refused as a mistake, one that has left the history as gone.
        newest = cluster.snapshot().revision
        if not 0 <= revision <= newest:
            raise LabError(400, f"revision is {revision!r}: expected one from 1 to {newest}, the newest")
        try:
            past = cluster.at(revision) if revision else cluster.at(time=time)
        except Expired as error:
            raise LabError(410, str(error)) from error
        return self._register("at", past)

    def end(self, cluster: Cluster, request: LabRequest) -> Json:
        """Stop a cluster that was made from this one."""
        _take(self.clusters, request.parameters["name"], "cluster").stop()
        return self.list_clusters(cluster, request)

    def stop(self) -> None:
        """Stop every cluster that was made, and those that are being made."""
        with self._lock:
            # Under the lock: a cluster that is being forked just now is stopped by its own request.
            self._is_stopped, clusters = True, tuple(self.clusters.values())
            self.clusters.clear()
        for cluster in clusters:
            cluster.stop()
        self.table.clear()

    def _register(self, prefix: str, new_cluster: Cluster) -> Json:
        name = _name(prefix)
        with self._lock:
            ended = self._is_stopped
            if not ended:
                self.clusters[name] = new_cluster
        if ended:
            new_cluster.stop()
            raise LabError(503, "the cluster was stopped before that was done")
        return {"name": name, "url": new_cluster.url, "kubeconfig": new_cluster.kubeconfig()}


def _name(prefix: str) -> str:
    return f"{prefix}-{secrets.token_hex(4)}"


def _take(entries: dict[str, Any], name: str, noun: str) -> Any:
    """Return the entry of a name and take it out: two requests may want the same at once."""
    entry = _find(entries, name, noun)
    # Two requests may have found the same entry; the second one comes too late.
    if entries.pop(name, None) is None:
        raise LabError(404, f"{noun} {name!r} has just gone")
    return entry


def _find(entries: dict[str, Any], name: str, noun: str) -> Any:
    # Requests are answered in threads of their own: what was there a moment ago may have gone.
    if (entry := entries.get(name)) is None:
        raise LabError(404, f"no {noun} {name!r}: there are {', '.join(tuple(entries)) or 'none'}")
    return entry
