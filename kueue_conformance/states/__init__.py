"""The states of Workloads and entries: `machines` is what is permitted, `walks` is the way that was taken
(harness/N-12).
"""

from __future__ import annotations

from .machines import ENTRY, NOT_YET, WORKLOAD, Machine, Transition, entries_of, state_of
from .walks import Step, Walk, walks, ways

__all__ = [
    "ENTRY",
    "NOT_YET",
    "WORKLOAD",
    "Machine",
    "Step",
    "Transition",
    "Walk",
    "entries_of",
    "state_of",
    "walks",
    "ways",
]
