"""The differences between releases in the objects installed for visibility, as one value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ...api.resource import Resource

LEVEL: Final = "kueue-visibility"
"""The name of the FlowSchema and of the PriorityLevelConfiguration that Kueue ships (VIS-602, VIS-603)."""
MISSING_LEVEL: Final = "visibility"
"""What the FlowSchema names in place of it (VIS-612)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibilityRules:
    """The members that a dialect may replace."""

    aggregate_to: tuple[str, ...]
    """Which roles of the cluster gather the rights to see pending Workloads (VIS-D14)."""
    has_role_labels: bool
    """Whether the roles for pending Workloads say in a label which role they are (VIS-440, VIS-441)."""
    priority_level: str
    """The priority level that the FlowSchema names; empty: nothing is shipped (VIS-D13)."""
    administered: tuple[Resource, ...]
    """Kinds beside those of queues that `kueue-batch-admin-role` covers (KV-64)."""
