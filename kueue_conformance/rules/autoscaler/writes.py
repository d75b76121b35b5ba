"""The autoscaler's writes to ProvisioningRequests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...base.json_types import Json
from ...base.objects import Condition, ProvisioningRequestStatus
from ...history.story import PLAYERS, Change
from ..story import Story

KIND = "ProvisioningRequest"
KUEUE = "kueue"
"""The actor that makes requests for Workloads, where the whole stack works."""
CLOUD = "conformance-cloud"
"""The actor that makes Nodes of machines, and that tells
a request of capacity that is gone, as a provider does.
"""


def by_autoscaler(story: Story) -> Iterator[tuple[Change, Json]]:
    """Yield its changes of requests that were there before,
    deletions among them, with the request as it was before.
    """
    for change in story.changes:
        if (
            change.kind == KIND
            and change.before is not None
            and not change.actor.startswith((*PLAYERS, CLOUD, KUEUE))
        ):
            yield change, change.before


def conditions_by_type(request: Json) -> Mapping[str, Condition]:
    """Return the conditions of a request by their types."""
    status: ProvisioningRequestStatus = (request or {}).get("status") or ProvisioningRequestStatus()
    return {condition["type"]: condition for condition in status.get("conditions") or ()}


def is_true(request: Json, condition: str) -> bool:
    """Tell whether a condition is True."""
    return bool(conditions_by_type(request).get(condition, {}).get("status") == "True")
