"""A cloud on a clock that is moved by hand."""

from reference_impl.cloud.groups import GroupSpec
from reference_impl.cloud.model import CloudModel

START = 1767225600.0


class Cloud(CloudModel):
    """One model; `passes` lets time go by."""

    def __init__(self, *groups):
        self.time = START
        super().__init__(groups or (GroupSpec("ng-a", max=5),), current_time=lambda: self.time)

    def passes(self, seconds):
        self.time += seconds
        return [(change.time - START, change.machine.id, change.event) for change in self.advance()]

    def told(self, group="ng-a"):
        """What the cloud tells: the size, and each machine with its state or its error."""
        found = self.group(group)
        return found.target, [
            (each.id.rpartition("/")[2], each.error.code if each.error else each.state)
            for each in found.instances
        ]
