"""A cloud on a clock that is moved by hand."""

from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.model import CloudModel

START = 1767225600.0


class Cloud(CloudModel):
    """One model; `passes` lets time go by."""

    def __init__(self, *groups):
        self.time = START
        super().__init__(groups or (NodeGroupSpec("ng-a", max=5),), current_time=lambda: self.time)

    def passes(self, seconds):
        self.time += seconds
        return [(change.time - START, change.machine.id, change.event) for change in self.advance()]

    def told(self, group="ng-a"):
        """What the cloud tells: the size, and each machine with its state or its error."""
        node_group = self.group(group)
        return node_group.target, [
            (instance.id.rpartition("/")[2], instance.error.code if instance.error else instance.state)
            for instance in node_group.instances
        ]
