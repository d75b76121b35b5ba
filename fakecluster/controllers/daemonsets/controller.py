"""The controller of DaemonSets: a pod for each node that each one is for,
the rolling update of their template, and their status.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ...api.status import StatusError
from ...api.steps import Steps
from ...base.json_types import Json
from ...registry.machinery import Api
from ...store import Event, Store, Stored
from ..actor import Actor, service_account
from ..claims import Claims, Owners
from ..engine import Key
from ..pod_state import is_ready, seconds_until_available
from ..pod_writer import PodWriter
from ..recorder import Recorder
from ..revisions import REVISION_HASH, REVISIONS, RevisionHistory, Revisions, new_revision
from . import pods
from .failures import FailedPodsBackoff
from .placement import placement
from .plan import DaemonSetState, PodChanges, manage, pods_that_ended
from .pods import oldest_first
from .update import rolling_update, surge

DAEMON_SETS, PODS, NODES = ("apps", "daemonsets"), ("", "pods"), ("", "nodes")
BURST_PODS = 250
"""Pods created or deleted in one look at a DaemonSet."""
REQUIRED_STATUS_FIELDS = (
    "currentNumberScheduled",
    "numberMisscheduled",
    "desiredNumberScheduled",
    "numberReady",
)
OPTIONAL_STATUS_FIELDS = ("updatedNumberScheduled", "numberAvailable", "numberUnavailable")


class DaemonSetController:
    """Keeps the pods, revisions and status of every DaemonSet."""

    resources = (DAEMON_SETS, PODS, NODES, REVISIONS)

    def __init__(self, api: Api) -> None:
        self._api = api
        self._actor = Actor(api, service_account("daemon-set-controller"), "kube-controller-manager")
        self._recorder = Recorder(self._actor, "daemonset-controller")
        self._writer = PodWriter(self._actor, self._recorder)
        owners = Owners(DAEMON_SETS, "apps/v1", "DaemonSet")
        self._pods = Claims(self._actor, owners, PODS, "v1", "Pod")
        self._history = Claims(self._actor, owners, REVISIONS, "apps/v1", "ControllerRevision")
        self._revisions = Revisions(self._actor, REVISION_HASH)
        self._failures = FailedPodsBackoff(self._recorder)

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every DaemonSet."""
        self._history.begin(store)
        return self._pods.begin(store)

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the DaemonSets that an event concerns:
        those that a change of a node gives or takes a pod.
        """
        if event.resource == NODES:
            daemon_sets = self._api.store.list(DAEMON_SETS) if _is_another_place(event) else ()
            return [
                daemon_set.name
                for daemon_set in daemon_sets
                if self._is_concerned(daemon_set, event.after.object)
            ]
        return (self._history if event.resource == REVISIONS else self._pods).keys(event)

    def _is_concerned(self, daemon_set: Stored, node: Json) -> bool:
        """Tell whether a node lacks a pod or has one that goes,
        or whether it may end a count of stray pods.
        """
        name, node_placement = node["metadata"]["name"], placement(daemon_set.object, node)
        owned = self._pods.list_owned(daemon_set.uid)
        if not any(pod.object["spec"].get("nodeName") == name for pod in owned):
            return node_placement.runs
        return (
            not node_placement.stays or daemon_set.object.get("status", {}).get("numberMisscheduled", 0) > 0
        )

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one DaemonSet forward.

        Raises StatusError, also of a pod that could not be created or deleted.
        """
        stored = self._api.store.get(DAEMON_SETS, (key[0], key[1]))
        if stored is None or "deletionTimestamp" in stored.object["metadata"]:
            return None
        daemon_set = stored.object
        if daemon_set["spec"]["selector"] == {}:
            yield from self._recorder.record(
                daemon_set,
                "SelectingAll",
                "This daemon set is selecting all pods. A non-empty selector is required.",
                "Warning",
            )
            return None
        history = yield from self._history.of(stored)
        present = yield from self._revisions.present(daemon_set, history, new_revision(daemon_set))
        revision_hash = present.revision["metadata"]["labels"].get(REVISION_HASH, "")
        view = yield from self._view(stored, revision_hash)
        error, retry = yield from self._advance(view)
        if error is None:
            yield from self._truncate(view, present)
        after = yield from self._view(stored, revision_hash)
        yield from self._write(after, present.collisions)
        if error:
            raise error
        waits = (retry, next_available(after))
        return min((seconds for seconds in waits if seconds is not None), default=None)

    def _view(self, stored: Stored, revision_hash: str) -> Steps[DaemonSetState]:
        claimed = yield from self._pods.of(stored)
        nodes = (node.object for node in self._api.store.list(NODES))
        placements = {node["metadata"]["name"]: placement(stored.object, node) for node in nodes}
        return DaemonSetState(
            stored.object, pods.by_node(claimed), placements, revision_hash, self._api.clock.now()
        )

    def _advance(self, view: DaemonSetState) -> Steps[tuple[StatusError | None, float | None]]:
        """Give every node its pod, or else update templates; return the first refusal, and when failed pods
        may be deleted.
        """
        failed, retry = yield from self._failures.due(
            view.daemon_set, pods_that_ended(view), view.current_time
        )
        changes = manage(view, surges=surge(view.daemon_set, 1) > 0) | PodChanges(delete=failed)
        is_rolling = (view.daemon_set["spec"].get("updateStrategy") or {}).get("type") == "RollingUpdate"
        if not changes and is_rolling:
            changes = rolling_update(view)
        new = (pods.new(view.daemon_set, node, view.revision_hash) for node in changes.create[:BURST_PODS])
        created = yield from self._writer.create(view.daemon_set, new)
        deleted = yield from self._writer.delete(view.daemon_set, changes.delete[:BURST_PODS])
        return created.error or deleted.error, retry

    def _truncate(self, view: DaemonSetState, present: RevisionHistory) -> Steps[None]:
        """Delete the oldest revisions beyond the history's limit that no pod has. Raises StatusError."""
        used = {
            (pod["metadata"].get("labels") or {}).get(REVISION_HASH)
            for on_node in view.pods.values()
            for pod in on_node
        }
        old = [revision for revision in present.every if revision is not present.revision]
        unused = [
            revision for revision in old if revision["metadata"]["labels"].get(REVISION_HASH) not in used
        ]
        limit = view.daemon_set["spec"].get("revisionHistoryLimit", 10)
        yield from self._revisions.delete(unused[: max(0, len(old) - limit)])

    def _write(self, view: DaemonSetState, collisions: int) -> Steps[None]:
        row, new = self._actor.kind("apps/v1", "DaemonSet"), status_of(view, collisions)
        if row and new != view.daemon_set.get("status"):
            yield from self._actor.update_status(row, {**view.daemon_set, "status": new})


def _is_another_place(event: Event) -> bool:
    """Tell whether a node is new, or its labels or taints are others than before."""
    if event.before is None:
        return True
    before, after = event.before.object, event.after.object
    return event.type != "DELETED" and (
        before["metadata"].get("labels") != after["metadata"].get("labels")
        or before.get("spec", {}).get("taints") != after.get("spec", {}).get("taints")
    )


def status_of(view: DaemonSetState, collisions: int) -> Json:
    """Return the status; of several pods on a node the oldest counts."""
    runs = [node for node, placement in view.placements.items() if placement.runs]
    first = [oldest_first(view.pods[node])[0] for node in runs if view.pods.get(node)]
    ready = [pod for pod in first if is_ready(pod)]
    available = sum(map(view.is_available, ready))
    astray = [
        node for node, placement in view.placements.items() if not placement.runs and view.pods.get(node)
    ]
    numbers = {
        "currentNumberScheduled": len(first),
        "numberMisscheduled": len(astray),
        "desiredNumberScheduled": len(runs),
        "numberReady": len(ready),
        "observedGeneration": view.daemon_set["metadata"].get("generation", 0),
        "updatedNumberScheduled": sum(map(view.is_updated, first)),
        "numberAvailable": available,
        "numberUnavailable": len(runs) - available,
        "collisionCount": collisions,
    }
    shown = {name: value for name, value in numbers.items() if value or name in REQUIRED_STATUS_FIELDS}
    before = view.daemon_set.get("status", {})
    return {**{name: value for name, value in before.items() if name not in OPTIONAL_STATUS_FIELDS}, **shown}


def next_available(view: DaemonSetState) -> float | None:
    """Return in how many seconds another pod is available, None when there is none to wait for."""
    waits = (
        seconds_until_available(pod, view.min_ready, view.current_time)
        for pods in view.pods.values()
        for pod in pods
    )
    return min((seconds for seconds in waits if 0 < seconds < math.inf), default=None)
