"""The autoscaler of a scenario with its Nodes and node groups (provisioning.md A4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...base.errors import UsageError
from ...case.context import AutoscalerHandle
from ..stage import Stage
from .group import NodeGroup
from .node import Node, manifest
from .requests import CapacityRequests
from .times import PRODUCTION, SCALED

_FRACTION = 0.25
"""Seconds after a whole one at which an autoscaler begins on virtual time: no real one begins at a whole
second, and what is due after so many seconds is done in the second in which they are over (finding X1).
"""


class Autoscaling(CapacityRequests):
    """The methods of scenarios about autoscalers. The autoscaler runs after `starts`."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self._has_delays = self.context.dialect.fact("delays") == "flags"
        self.times = PRODUCTION if self.context.budgets.virtual else SCALED
        if not self._has_delays:
            # Releases without flags for the delays have them fixed: the first is the longest, ten
            # minutes.
            self.times = replace(
                self.times, first=self.times.most if self.context.budgets.virtual else 600, most=600
            )
        self._flags: dict[str, str] = {}

    @property
    def _autoscaler_handle(self) -> AutoscalerHandle:
        if self.context.autoscaler is None:
            raise UsageError(
                "no autoscaler is judged here", hint="the words of `autoscaling` are for scenarios of PRQ"
            )
        return self.context.autoscaler

    def start(self, **flags: str | bool | float) -> None:
        """Start the autoscaler, with flags by their names with underscores besides those of `times`."""
        times = self.times
        delays = {
            "provisioning_request_initial_backoff_time": f"{times.first}s",
            "provisioning_request_max_backoff_time": f"{times.most}s",
        }
        # The status is written in every loop, of which virtual time has many; a scenario about it asks for
        # it.
        quiet = {"write_status_configmap": False} if self.context.budgets.virtual else {}
        desired_flags = {
            "enable_provisioning_requests": True,
            "scan_interval": f"{times.scan}s",
            **quiet,
            **delays,
            **flags,
        }
        if not self._has_delays:
            # A program with Go's flags ends at once over one that it does not know.
            desired_flags = {name: value for name, value in desired_flags.items() if name not in delays}
        self._flags = {name.replace("_", "-"): _flag_text(value) for name, value in desired_flags.items()}
        self._begins()

    def _begins(self) -> None:
        # An act without a write of the harness: `never` and `always` look back to here.
        self.context.acts()
        if self.context.budgets.virtual:
            # Nodes of the cloud are there, and followed, before it begins.
            current_time = self.context.cluster.now()
            self.context.cluster.passes((_FRACTION - current_time) % 1.0, self.context.react)
        self._autoscaler_handle.start(self._flags)
        self.context.cluster.passes(
            0.0, self.context.react
        )  # its first loop is done before the scenario goes on

    def stop(self) -> None:
        """Stop the autoscaler; state that it has not written is lost."""
        self.context.acts()
        self._autoscaler_handle.stop()

    def restart(self, **flags: str | bool | float) -> None:
        """Restart the autoscaler, with other flags if given."""
        self.stop()
        # What the first start said stays, as a Deployment keeps its other arguments.
        self._flags |= {name.replace("_", "-"): _flag_text(value) for name, value in flags.items()}
        self._begins()

    def make_nodes(self, count: int, **shape: Any) -> Sequence[Node]:
        """Create Nodes that are ready; `shape` as in `node`."""
        return [self.make_node(**shape) for _ in range(count)]

    def make_node(self, **shape: Any) -> Node:
        """Make a Node: see `node.manifest` for its `cpu`, `memory`, `labels`, `taints`."""
        name = self._stage.names.name("node")
        node = manifest(name, **shape)
        self.client.create(node)
        # The API server adds the taint of a Node that is not ready, which a node controller would take away.
        self.client.merge("Node", name, {"spec": {"taints": node["spec"].get("taints")}})
        return Node(self.context, name)

    def make_group(
        self, name: str = "ng-a", *, nodes: int = 0, most: int = 10, boots: float | None = None, **shape: Any
    ) -> NodeGroup:
        """Make a group of the cloud with so many machines that are ready, and of so many at most.

        A machine takes `boots` seconds to boot, a minute unless that is said; `shape` as in `GroupSpec`.
        """
        boots = self.times.boot if boots is None else boots
        self._autoscaler_handle.cloud.make_group(
            name, max=most, target=nodes, boot_seconds=boots, ready_seconds=self.times.ready, **shape
        )
        return NodeGroup(self.context, self._autoscaler_handle, name)

    @property
    def cloud(self) -> Any:
        """The autoscaler's cloud, at which failures are injected."""
        return self._autoscaler_handle.cloud


def _flag_text(value: str | bool | float) -> str:
    # Go's flags read `true`; Python writes `True`.
    return str(value).lower() if isinstance(value, bool) else str(value)
