"""What an autoscaler must never do, whatever a scenario is about (provisioning.md PR-377): rows of PR."""

from __future__ import annotations

from ..story import SafetyRule
from .conditions import CONDITIONS
from .groups import GROUPS
from .requests import REQUESTS

__all__ = ["AUTOSCALER"]

AUTOSCALER: tuple[SafetyRule, ...] = tuple(
    sorted((*CONDITIONS, *GROUPS, *REQUESTS), key=lambda rule: rule.id)
)
