"""A group with its machines: its reported state,
and the machines that a change of its size adds or removes (PR-313).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from reference_impl.autoscaler.cloud import NodeGroup
from reference_impl.autoscaler.simulation.node import NodeShape

from .actions import CallRefusal, CloudMethod
from .groups import NodeGroupSpec
from .machines import SCHEME, Machine, booting
from .nodes import template


class CloudNodeGroup:
    """The machines of a group by their ids, and how often each call was made on it.

    Machines that are being deleted do not count.
    """

    def __init__(self, spec: NodeGroupSpec) -> None:
        self.spec = spec
        self.machines: dict[str, Machine] = {}
        self.last = 0
        """The number of the machine that was asked for last."""
        self.calls: Counter[CloudMethod] = Counter()
        self._shape = NodeShape.of(template(spec))

    @property
    def counted_machines(self) -> Sequence[Machine]:
        """Return the machines that make its size, in the order in which they came."""
        return [machine for machine in self.machines.values() if not machine.deleting]

    def snapshot(self, current_time: float) -> NodeGroup:
        """Return the correct listing of the group."""
        return NodeGroup(
            id=self.spec.id,
            min=self.spec.min,
            max=self.spec.max,
            target=len(self.counted_machines),
            instances=[
                machine.instance(current_time) for machine in self.machines.values() if machine.listed
            ],
            template=self._shape,
            zero_or_max=self.spec.zero_or_max,
            autoprovisioned=self.spec.autoprovisioned,
        )

    def booting(self, count: int, current_time: float) -> Sequence[Machine]:
        """Return machines that are asked for now, under numbers that none had before."""
        first, self.last = self.last + 1, self.last + count
        return [booting(self.spec, number, current_time) for number in range(first, self.last + 1)]

    def check_increase(self, delta: int, *, atomic: bool) -> None:
        """Raise Refusal where it cannot grow by so many."""
        spec, size = self.spec, len(self.counted_machines)
        if atomic and not spec.atomic:
            raise CallRefusal("Unimplemented", f"group {spec.id!r} does not know an increase of all or none")
        if delta <= 0:
            raise CallRefusal("InvalidArgument", f"delta is {delta}: expected 1 or more")
        if size + delta > spec.max:
            raise CallRefusal(
                "InvalidArgument", f"{size} + {delta} machines are more than {spec.max}, the maximum"
            )

    def without_node(self, count: int, current_time: float) -> Sequence[Machine]:
        """Return so many machines that have no Node, those first that are not listed, then the newest.

        Raises Refusal.
        """
        if count <= 0:
            raise CallRefusal("InvalidArgument", f"delta is {count}: expected 1 or more")
        removable = [
            machine for machine in reversed(self.counted_machines) if not machine.has_node(current_time)
        ]
        if len(removable) < count:
            raise CallRefusal(
                "FailedPrecondition", f"{len(removable)} machines have no Node, fewer than {count}"
            )
        return sorted(removable, key=lambda machine: machine.listed)[:count]

    def deletable(self, names: Sequence[str]) -> Sequence[Machine]:
        """Return the machines of these names, but for those that were deleted before. Raises Refusal."""
        chosen: dict[str, Machine] = {}
        for name in names:
            instance_name = name.removeprefix(f"{SCHEME}{self.spec.id}/")
            machine = self.machines.get(instance_name)
            if machine is not None and not machine.deleting:
                chosen[instance_name] = machine
            elif not self._was_given(instance_name):
                raise CallRefusal("NotFound", f"{name!r} is no machine of group {self.spec.id!r}")
        remaining = len(self.counted_machines) - len(chosen)
        if remaining < self.spec.min and chosen:
            raise CallRefusal(
                "FailedPrecondition", f"{remaining} machines are fewer than {self.spec.min}, the minimum"
            )
        return tuple(chosen.values())

    def _was_given(self, name: str) -> bool:
        """Tell whether one of its machines has or had this name:
        an autoscaler with an old list may delete one twice.
        """
        number = name.removeprefix(f"{self.spec.id}-")
        return number != name and number.isdecimal() and 0 < int(number) <= self.last

    def from_start(self, began: float) -> Sequence[Machine]:
        """Return the machines that it has from the start and that have not been seen in a cluster."""
        return [
            machine for machine in self.counted_machines if machine.created == began and not machine.adopted
        ]
