"""The autoscaler's writes to ProvisioningRequests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...base.json_types import Json
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
    for one in story.changes:
        if one.kind == KIND and one.before is not None and not one.actor.startswith((*PLAYERS, CLOUD, KUEUE)):
            yield one, one.before


def told(request: Json) -> Mapping[str, Json]:
    """Return the conditions of a request by their types."""
    return {one["type"]: one for one in ((request or {}).get("status") or {}).get("conditions") or ()}


def is_true(request: Json, condition: str) -> bool:
    """Tell whether a condition is True."""
    return bool(told(request).get(condition, {}).get("status") == "True")
