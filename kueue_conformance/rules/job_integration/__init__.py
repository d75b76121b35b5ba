"""What a job integration must never do (docs/facts/integrations.md, the rows of JI)."""

from __future__ import annotations

from ..story import SafetyRule
from .conventions import CONVENTIONS
from .ends import ENDS
from .pods import PODS
from .quota import QUOTA
from .starts import STARTS
from .workloads import WORKLOADS

__all__ = ["JOB_INTEGRATION"]

_EVERY: tuple[SafetyRule, ...] = (*CONVENTIONS, *ENDS, *PODS, *QUOTA, *STARTS, *WORKLOADS)
JOB_INTEGRATION = tuple(sorted(_EVERY, key=lambda rule: rule.id))
