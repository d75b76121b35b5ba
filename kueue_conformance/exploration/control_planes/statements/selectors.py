"""What is allowed of ClusterQueues that select namespaces (pure)."""

from __future__ import annotations

from collections.abc import Iterator

from ....stage.workloads.view import WorkloadView
from ..label_selectors import selects
from ..state import State


def selection(state: State, workload: WorkloadView) -> Iterator[tuple[str, str]]:
    """Nothing gets quota in a ClusterQueue that does not select its namespace, and did not (Q-065, Q-214)."""
    queue = state.queue_of(workload)
    if workload.holds_nothing or not state.earlier(workload).holds_nothing or not queue:
        return
    selector, name = queue["spec"].get("namespaceSelector"), queue["metadata"]["name"]
    is_selected = any(
        selects(selector, snapshot.namespace_labels()) for snapshot in (state.before, state.snapshot)
    )
    if not is_selected and state.is_unchanged("ClusterQueue", name):
        yield f"it waits: {name} does not select its namespace", "it has got quota"
