"""The reference's cloud on a cluster's event loop: a model of machines, and a manager that creates their
Nodes and binds pods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any

from ...backends.cluster import Cluster
from ...base.errors import UsageError, unknown
from ...wire.client import Client
from ..cloud import CloudCall, GroupSize
from .manager import start_manager

FAILURES = {
    "rejects": "Reject",
    "is out of stock": "Stockout",
    "breaks": "PartialError",
    "is slow": "Slow",
    "never registers": "NeverRegister",
    "stays unready": "RegisterNotReady",
    "takes back": "Vanish",
    "hangs": "Hang",
    "is away": "Unavailable",
    "lies": "WrongCount",
}
"""By the failure's name in a scenario: the action of the cloud model that causes it (PR-360…366)."""
_READS = "list"
_GONE_SECONDS = 10.0


class ReferenceCloud:
    """One cloud for one case."""

    def __init__(self, cluster: Cluster) -> None:
        from reference_impl.cloud.model import CloudModel
        from reference_impl.cloud.part import CloudPart

        self._cluster = cluster
        self._client = Client(cluster.transport, agent="conformance-cloud")
        self._held = ExitStack()

        async def make_model(_: Any) -> CloudModel:
            return CloudModel(current_time=cluster.now)

        self.model = cluster.run(make_model)
        start_manager(cluster, "conformance-cloud/1", CloudPart(self.model), self._held)

    def _ask(self, work: Callable[[], Any]) -> Any:
        """Call the model on the cluster's event loop."""

        async def run_work() -> Any:
            return work()

        return self._cluster.run(lambda _: run_work())

    def make_group(self, name: str, **shape: Any) -> None:
        """Make a group. Raises UsageError."""
        from reference_impl.cloud.groups import GroupError, NodeGroupSpec

        try:
            spec = NodeGroupSpec(name, **shape)
        except GroupError as error:
            raise UsageError(
                f"group {name!r} cannot be: {error}", hint="see GroupSpec for the allowed values"
            ) from error
        self._ask(lambda: self.model.create_group(spec))

    def fail(self, failure: str, *, group: str = "", times: int = 0, **how: Any) -> None:
        """Make calls fail; `attempt`, `method`, `delta_ge` select calls, other arguments describe the
        failure. Raises UsageError.
        """
        from reference_impl.cloud import failures

        if failure not in FAILURES:
            raise unknown("failure", failure, FAILURES)
        which = {name: how.pop(name) for name in ("attempt", "method", "delta_ge") if name in how}
        action = getattr(failures, FAILURES[failure])(**how)
        rule = failures.FailureRule(action, group=group, times=times or None, **which)
        self._ask(lambda: self.model.plan.add(rule))

    def mend(self) -> None:
        """Let everything go well from now on."""
        self._ask(self.model.plan.clear)

    def limit(self, group: str, *, most: int) -> None:
        """Change the maximum of a group."""
        self._ask(lambda: self.model.configure(group, most=most))

    def resize(self, group: str, target: int) -> None:
        """Change the size of a group by hand."""
        self._ask(lambda: self.model.resize(group, target))

    def take_away(self, node: str) -> None:
        """Remove a machine."""
        self._ask(lambda: self.model.take_away(node))

    def sizes(self) -> Mapping[str, GroupSize]:
        """Return the real size of each group, not the size that the cloud reports."""

        def read() -> Mapping[str, GroupSize]:
            counted: dict[str, int] = {}
            for machine in self.model.machines:
                counted[machine.group] = counted.get(machine.group, 0) + (not machine.deleting)
            return {
                group.id: GroupSize(least=group.min, most=group.max, target=counted.get(group.id, 0))
                for group in self.model.specs
            }

        group_sizes: Mapping[str, GroupSize] = self._ask(read)
        return group_sizes

    def calls(self) -> Sequence[CloudCall]:
        """Return the calls that change something."""
        return [
            CloudCall(
                at=call.time,
                method=call.method,
                group=call.group,
                arguments=call.arguments,
                refused=call.result,
            )
            for call in self._ask(lambda: tuple(self.model.journal))
            if call.method not in (_READS, "create_group")
        ]

    def close(self) -> None:
        """End the manager.

        Where the cluster outlives the case, its machines go first:
        their Nodes would be room for the next case.
        """
        if self._cluster.dial is None:
            for name in self.sizes():
                self.resize(name, 0)
            self._cluster.wait(self._is_empty, _GONE_SECONDS, lambda: False)
        self._held.close()

    def _is_empty(self) -> bool:
        """Tell whether the cluster has no Node of its groups any more."""
        names = set(self.sizes())
        nodes = self._client.list("Node")
        return not any(node["metadata"]["name"].rpartition("-")[0] in names for node in nodes)
