"""The events of the demonstration: one line for each write that
`kubectl get --watch` would show, from a fake cluster's journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fakecluster import FakeCluster
from fakecluster.journal import Change

from ..base.json_types import Json
from ..states import state_of

TABLE = {"accept": "application/json;as=Table;v=v1;g=meta.k8s.io"}
PATHS = {
    "Job": "/apis/batch/v1/namespaces/{}/jobs/{}",
    "Workload": "/apis/kueue.x-k8s.io/v1beta2/namespaces/{}/workloads/{}",
    "ProvisioningRequest": "/apis/autoscaling.x-k8s.io/v1/namespaces/{}/provisioningrequests/{}",
    "Node": "/api/v1/nodes/{1}",
    "Pod": "/api/v1/namespaces/{}/pods/{}",
}
"""The kinds that are shown, in the order of the page."""
_OF_REQUESTS = ("Failed", "BookingExpired", "Provisioned", "Accepted")
_AGES = frozenset({"Name", "Age", "Duration"})


@dataclass(frozen=True, slots=True)
class RowChange:
    """A write: `at` is seconds since the first one, `cells` are kubectl's columns without name and age."""

    at: float
    actor: str
    kind: str
    name: str
    state: str
    """The state in one word; empty when the object is gone."""
    cells: Sequence[str]


def happenings(cluster: FakeCluster) -> Sequence[RowChange]:
    """Return the writes that change the printed row of an object."""
    rows: list[RowChange] = []
    last: dict[tuple[str, str], tuple[str, Sequence[str]]] = {}
    for at, actor, change in _changes(cluster):
        metadata = (change.after or change.before)["metadata"]
        kind, name = (change.after or change.before)["kind"], metadata["name"]
        state = _state(kind, change.after)
        cells = _row(cluster, change, PATHS[kind].format(metadata.get("namespace"), name)) if state else ()
        if last.get((kind, name)) != (state, cells):
            rows.append(RowChange(at, actor, kind, name, state, cells))
            last[kind, name] = (state, cells)
    return rows


def _changes(cluster: FakeCluster) -> Iterator[tuple[float, str, Change]]:
    began: float | None = None
    for entry in cluster.journal.since(0):
        for change in entry.changes:
            if (change.after or change.before)["kind"] in PATHS:
                began = entry.time if began is None else began
                yield entry.time - began, entry.user_agent.partition("/")[0], change


def _row(cluster: FakeCluster, change: Change, path: str) -> Sequence[str]:
    """Return the row that kubectl would print of the object after a write."""
    past_cluster = cluster.at(change.revision)
    try:
        table = past_cluster.request("GET", path, headers=TABLE)
    finally:
        past_cluster.stop()
    columns = [column["name"] if column["priority"] == 0 else "Name" for column in table["columnDefinitions"]]
    cells = table["rows"][0]["cells"]
    return tuple(str(cell) for cell, name in zip(cells, columns, strict=True) if name not in _AGES and cell)


def _state(kind: str, obj: Json) -> str:
    """Return the state of an object by its kind; empty for one that is gone."""
    if obj is None:
        return ""
    status = obj.get("status") or {}
    true = {
        condition["type"] for condition in status.get("conditions") or () if condition["status"] == "True"
    }
    match kind:
        case "Workload":
            return state_of(obj)
        case "ProvisioningRequest":
            return next((name for name in _OF_REQUESTS if name in true), "Asked")
        case "Node":
            return "Ready" if "Ready" in true else "NotReady"
        case "Pod":
            return str(status.get("phase", "Pending"))
    return "Complete" if "Complete" in true else "Suspended" if obj["spec"].get("suspend") else "Running"
