"""What a control plane must never do, whatever a scenario is about (admission.md §1 and §2, scheduling.md,
provisioning.md): rows of AC, Q and PA.
"""

from __future__ import annotations

from ..story import SafetyRule
from .admission import ADMISSION
from .amounts import AMOUNTS
from .checks import CHECKS
from .conditions import CONDITIONS
from .counters import COUNTERS
from .events import EVENTS
from .finished import FINISHED
from .jobs import JOBS
from .ownership import OWNERSHIP
from .preemption import PREEMPTION
from .progress import PROGRESS
from .provisioning import PROVISIONING
from .quota import QUOTA
from .requeueing import REQUEUEING
from .waiting import WAITING

__all__ = ["CONTROL_PLANE"]

_EVERY: tuple[SafetyRule, ...] = (
    *ADMISSION,
    *AMOUNTS,
    *CHECKS,
    *CONDITIONS,
    *COUNTERS,
    *EVENTS,
    *FINISHED,
    *JOBS,
    *OWNERSHIP,
    *PREEMPTION,
    *PROGRESS,
    *PROVISIONING,
    *QUOTA,
    *REQUEUEING,
    *WAITING,
)
CONTROL_PLANE = tuple(sorted(_EVERY, key=lambda rule: rule.id))
