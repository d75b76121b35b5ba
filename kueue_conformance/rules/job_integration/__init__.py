"""What a job integration must never do (docs/facts/integrations.md, the rows of JI)."""

from __future__ import annotations

from ..story import SafetyRule
from .conventions import CONVENTIONS
from .ends import ENDS
from .pods import PODS
from .quota import QUOTA
from .starts import STARTS
from .workloads import WORKLOADS

__all__ = ["JOB_INTEGRATION", "OWN_JOBS"]

_EVERY: tuple[SafetyRule, ...] = (*CONVENTIONS, *ENDS, *PODS, *QUOTA, *STARTS, *WORKLOADS)
JOB_INTEGRATION = tuple(sorted(_EVERY, key=lambda rule: rule.id))
_BY_ROWS_OF_KUEUE = ("JI-010", "JI-020", "JI-021", "JI-022", "JI-031", "JI-032")
"""Judged of a control plane under AC-332, AC-335, AC-363 and AC-367."""
OWN_JOBS = tuple(rule for rule in JOB_INTEGRATION if rule.id not in _BY_ROWS_OF_KUEUE)
"""What a control plane that integrates Jobs itself must not do either, beside its own rows."""
