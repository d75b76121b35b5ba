"""The states of Workloads and entries: `machines` has the permitted steps,
`walks` the ones that were taken (harness/N-12).
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
