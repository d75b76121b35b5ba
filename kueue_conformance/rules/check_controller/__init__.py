"""What a check controller must never do (admission.md §6):
the rows of CC, and how a client speaks to the API server (F-07).
"""

from __future__ import annotations

from ..story import SafetyRule
from .clean_up import CLEAN_UP
from .client_conventions import CLIENT_CONVENTIONS
from .conditions import CONDITIONS
from .idle_writes import IDLE_WRITES
from .messages import MESSAGES
from .outside_work import OUTSIDE_WORK
from .pod_set_updates import POD_SET_UPDATES
from .provenance import PROVENANCE
from .requests import REQUESTS
from .timing import TIMING
from .writing import WRITING

__all__ = ["CHECK_CONTROLLER"]

_EVERY: tuple[SafetyRule, ...] = (
    *CLEAN_UP,
    *CLIENT_CONVENTIONS,
    *CONDITIONS,
    *IDLE_WRITES,
    *MESSAGES,
    *OUTSIDE_WORK,
    *POD_SET_UPDATES,
    *PROVENANCE,
    *REQUESTS,
    *TIMING,
    *WRITING,
)
CHECK_CONTROLLER = tuple(sorted(_EVERY, key=lambda rule: rule.id))
