"""The cluster's states over HTTP: snapshots, forks, and servers that show the past (F-04, F-05, F-14)."""

from __future__ import annotations

import secrets
import threading
from typing import Any

from ..base.json_types import Json
from ..store import Expired, Snapshot
from .asking import Asked, Refusal, Route
from .cluster import Cluster


class Kept:
    """The snapshots and clusters that one desk has made, by name."""

    def __init__(self) -> None:
        self.snapshots: dict[str, Snapshot] = {}
        self.clusters: dict[str, Cluster] = {}
        self._lock = threading.Lock()
        self._ended = False
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

    def list_snapshots(self, cluster: Cluster, asked: Asked) -> Json:
        """List the snapshots."""
        del cluster, asked
        return [{"name": name, "revision": one.revision} for name, one in tuple(self.snapshots.items())]

    def take(self, cluster: Cluster, asked: Asked) -> Json:
        """Keep the present state, under {"name": N} or a name of its own."""
        name = asked.field("name", str, default="") or _name("snapshot")
        self.snapshots[name] = cluster.snapshot()
        return {"name": name, "revision": self.snapshots[name].revision}

    def restore(self, cluster: Cluster, asked: Asked) -> Json:
        """Go back to a snapshot; watches end and their readers list again."""
        snapshot = _found(self.snapshots, asked.parts["name"], "snapshot")
        cluster.restore(snapshot)
        return {"name": asked.parts["name"], "revision": snapshot.revision}

    def drop(self, cluster: Cluster, asked: Asked) -> Json:
        """Forget a snapshot."""
        _taken(self.snapshots, asked.parts["name"], "snapshot")
        return self.list_snapshots(cluster, asked)

    def list_clusters(self, cluster: Cluster, asked: Asked) -> Json:
        """List the clusters that were made from this one."""
        del cluster, asked
        return [{"name": name, "url": one.url} for name, one in tuple(self.clusters.items())]

    def fork(self, cluster: Cluster, asked: Asked) -> Json:
        """Start a cluster of its own from the present state."""
        del asked
        return self._keep("fork", cluster.fork())

    def at(self, cluster: Cluster, asked: Asked) -> Json:
        """Start a server that shows the state at {"revision": N} or {"time": seconds} and cannot be changed."""
        revision, time = asked.field("revision", int, default=0), asked.field("time", int, float, default=0)
        if bool(revision) == bool(time):
            raise Refusal(400, "expected a revision or a time, and not both")
        newest = cluster.snapshot().revision
        if not 0 <= revision <= newest:
            raise Refusal(400, f"revision is {revision!r}: expected one from 1 to {newest}, the newest")
        try:
            past = cluster.at(revision) if revision else cluster.at(time=time)
        except Expired as error:
            raise Refusal(410, str(error)) from error
        return self._keep("at", past)

    def end(self, cluster: Cluster, asked: Asked) -> Json:
        """Stop a cluster that was made from this one."""
        _taken(self.clusters, asked.parts["name"], "cluster").stop()
        return self.list_clusters(cluster, asked)

    def stop(self) -> None:
        """Stop every cluster that was made, and those that are being made."""
        with self._lock:
            self._ended, made = True, tuple(self.clusters.values())
            self.clusters.clear()
        for one in made:
            one.stop()
        self.table.clear()

    def _keep(self, what: str, made: Cluster) -> Json:
        name = _name(what)
        with self._lock:
            ended = self._ended
            if not ended:
                self.clusters[name] = made
        if ended:
            made.stop()
            raise Refusal(503, "the cluster was stopped before that was done")
        return {"name": name, "url": made.url, "kubeconfig": made.kubeconfig()}


def _name(what: str) -> str:
    return f"{what}-{secrets.token_hex(4)}"


def _taken(among: dict[str, Any], name: str, what: str) -> Any:
    """Return the entry of a name and take it out: two requests may want the same at once."""
    found = _found(among, name, what)
    if among.pop(name, None) is None:
        raise Refusal(404, f"{what} {name!r} has just gone")
    return found


def _found(among: dict[str, Any], name: str, what: str) -> Any:
    # Requests are answered in threads of their own: what was there a moment ago may have gone.
    if (found := among.get(name)) is None:
        raise Refusal(404, f"no {what} {name!r}: there are {', '.join(tuple(among)) or 'none'}")
    return found
