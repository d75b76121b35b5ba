"""Groups stay within their limits, and are asked for what can be (provisioning.md PR-162, PR-335, PR-377)."""

from __future__ import annotations

from collections.abc import Iterator

from ..story import Finding, SafetyRule, Story

NODE_GROUPS = "nodegroups"
"""The resource under which calls of a cloud are told in a story."""
# The cloud of the harness says by these words that a call was beyond the limits of a group.
_REFUSALS = ("more than", "fewer than", "is no machine")


def _beyond(story: Story) -> Iterator[Finding]:
    for request in story.requests:
        if request.resource == NODE_GROUPS and any(word in request.message for word in _REFUSALS):
            yield request, f"{request.verb} is requested and impossible: {request.message}"


GROUPS = (
    SafetyRule(
        "PR-377",
        "asks a cloud for no number of machines outside the minimum and maximum of a group, and deletes none that it does not have",
        _beyond,
    ),
)
