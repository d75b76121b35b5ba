"""A node group of the autoscaler's cloud: its size, and the autoscaler's calls (provisioning.md A8)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ...case.context import AutoscalerHandle, CaseContext
from ...history.fact import Fact, record_value

_INCREASES = ("increase", "atomic_increase")


class NodeGroup:
    """One node group, read anew from the cloud."""

    def __init__(self, context: CaseContext, handle: AutoscalerHandle, name: str) -> None:
        self._context = context
        self._autoscaler_handle = handle
        self.name = name

    @property
    def target(self) -> int:
        """The number of its machines, including those that boot."""
        return int(self._autoscaler_handle.cloud.sizes()[self.name].target)

    def has_target(self, count: int) -> Fact:
        """It has exactly so many machines, including those that boot."""
        target = self.target
        return Fact(target == count, f"group {self.name} has {count} machine(s)", f"it has {target}")

    def increases(self) -> Sequence[int]:
        """Return by how many machines it was asked to grow, call by call, refused or not."""
        increases = [call.arguments["delta"] for call in self._calls() if call.method in _INCREASES]
        return record_value(f"increases of {self.name}", increases)

    def was_increased_by(self, *increases: int) -> Fact:
        """It was asked to grow by these calls, in this order."""
        observed = list(self.increases())
        return Fact(
            observed == list(increases),
            f"group {self.name} was asked for {list(increases)}",
            f"for {observed}",
        )

    def has_grown(self) -> Fact:
        """It was asked to grow."""
        calls_to_grow = list(self.increases())
        return Fact(bool(calls_to_grow), f"group {self.name} was asked to grow", f"for {calls_to_grow}")

    def was_increased_after(self, *gaps: float) -> Fact:
        """It was asked to grow so often, each time so many seconds after the time before; up to a loop later
        in real time.
        """
        # Whole seconds, as the times of conditions have them.
        times = [int(call.at) for call in self._calls() if call.method in _INCREASES]
        observed_gaps = [later - earlier for earlier, later in pairwise(times)]
        # In real time a loop of the autoscaler may come between.
        slack = 0 if self._context.budgets.virtual else 3
        holds = len(observed_gaps) == len(gaps) and all(
            0 <= gap - due <= slack for gap, due in zip(observed_gaps, gaps, strict=True)
        )
        return Fact(
            holds, f"group {self.name} was asked again after {list(gaps)} s", f"after {observed_gaps} s"
        )

    def node_names(self, *, ready: bool = True) -> Sequence[str]:
        """Return the names of its Nodes, those that are ready unless all are wanted."""
        nodes = self._context.client.list("Node")
        return [
            node["metadata"]["name"]
            for node in nodes
            # The cloud names a machine after its group and a number.
            if node["metadata"]["name"].rpartition("-")[0] == self.name and (not ready or _is_ready(node))
        ]

    def has_nodes(self, count: int) -> Fact:
        """So many of its Nodes are ready."""
        node_names = self.node_names()
        return Fact(
            len(node_names) == count, f"group {self.name} has {count} ready Node(s)", f"{list(node_names)}"
        )

    def has_no_taint(self, taint: str) -> Fact:
        """None of its Nodes has a taint of this key."""
        tainted = [
            node["metadata"]["name"]
            for node in self._context.client.list("Node")
            if node["metadata"]["name"].rpartition("-")[0] == self.name
            and any(node_taint["key"] == taint for node_taint in node["spec"].get("taints", ()))
        ]
        return Fact(not tainted, f"group {self.name} has no Node with the taint {taint}", f"{tainted}")

    # What goes wrong

    def add_taint(self, taint: str) -> None:
        """Keep pods off its Nodes by a taint of this key."""
        patch = {"spec": {"taints": [{"key": taint, "value": "1", "effect": "NoSchedule"}]}}
        for name in self.node_names():
            self._context.client.merge("Node", name, patch)

    def fail_calls(self, failure: str, *, times: int = 0, **how: Any) -> None:
        """Make its next calls fail, so many times, or every call without a number."""
        self._context.acts()
        self._autoscaler_handle.cloud.fail(failure, group=self.name, times=times, **how)

    def set_max_size(self, most: int) -> None:
        """Change its maximum."""
        self._context.acts()
        self._autoscaler_handle.cloud.limit(self.name, most=most)

    def remove_machine(self, node: str) -> None:
        """Remove a machine."""
        self._context.acts()
        self._autoscaler_handle.cloud.take_away(node)

    def _calls(self) -> Sequence[Any]:
        return [call for call in self._autoscaler_handle.calls if call.group == self.name]


def _is_ready(node: Any) -> bool:
    return any(
        condition["type"] == "Ready" and condition["status"] == "True"
        for condition in node["status"].get("conditions", ())
    )
