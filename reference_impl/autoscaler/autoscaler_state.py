"""What an autoscaler remembers between loops; a restart loses all of it (PR-198, PR-317, PR-318)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from .cluster_state import ParsedNode
from .flags import Flags
from .groups.backoff import GroupBackoff
from .groups.registration import NodeRegistrations
from .parsed_objects import ParsedObjects
from .requests.attempts import ScaleUpAttempts
from .requests.request import ProvisioningRequest
from .requests.retries import RequestBackoff
from .simulation.pod import Pod
from .simulation.snapshot import LastNode


@dataclass(slots=True)
class AutoscalerState:
    """One program's past."""

    retries: RequestBackoff
    attempts: ScaleUpAttempts
    backoff: GroupBackoff
    registrations: NodeRegistrations
    requests_next: bool = False
    """Whether requests are served before ordinary pods when both wait (PR-135)."""
    scaled_up: float = float("-inf")
    scale_down_failed: float = float("-inf")
    deletion_failed: dict[str, float] = field(default_factory=dict)
    """When the deletion of a node was last refused, by its name."""
    deleted: float = float("-inf")
    # How many times nodes were asked for, found or removed.
    resizes: int = 0
    cleaned_up: bool = False
    """Whether the taints were taken away that a run before this one may have left."""
    unneeded_since: dict[str, float] = field(default_factory=dict)
    unneeded_seen: float = float("-inf")
    """When it was last looked for nodes that are not needed."""
    unremovable_until: dict[str, float] = field(default_factory=dict)
    nodes: ParsedObjects[ParsedNode] = field(default_factory=lambda: ParsedObjects(ParsedNode.of))
    pods: ParsedObjects[Pod] = field(default_factory=lambda: ParsedObjects(Pod.of))
    last_node: LastNode = field(default_factory=LastNode)
    hints: dict[str, str] = field(default_factory=dict)
    """On which node a pod was placed in the loop before, by its uid."""

    def forget_hints(self, placed: Iterable[str]) -> None:
        """Keep the hints of pods that have a place now."""
        for uid in self.hints.keys() - set(placed):
            del self.hints[uid]

    @classmethod
    def of(cls, flags: Flags, answered: Callable[[ProvisioningRequest], bool]) -> AutoscalerState:
        """Return an empty one."""
        return cls(
            retries=RequestBackoff(
                flags.provisioning_request_initial_backoff_time,
                flags.provisioning_request_max_backoff_time,
                flags.provisioning_request_max_backoff_cache_size,
                answered,
            ),
            attempts=ScaleUpAttempts(),
            backoff=GroupBackoff(
                flags.initial_node_group_backoff_duration,
                flags.max_node_group_backoff_duration,
                flags.node_group_backoff_reset_timeout,
            ),
            registrations=NodeRegistrations(flags.max_node_provision_time),
        )
