"""Defects of the scheduling cycle: flavors, preemption, what is given to whom."""

from __future__ import annotations

from typing import Final

from ..quota.catalogue import Catalogue
from ..scheduling import assignment, entry
from ..scheduling.preemption import classical
from .defect import Defect

DEFECTS: Final = (
    Defect(
        "QC-06",
        "the pods themselves are not among what room is made for: a preemptor short of them may wait for ever",
        "after v0.19.2 (#16167)",
        "scheduling.preemption_usage",
        assignment.usage_without_pods,
        assignment.usage_with_pods,
    ),
    Defect(
        "QC-07",
        "a flavor whose resources fit by borrowing and by preemption counts as fit, and nothing is ever preempted",
        "",
        "scheduling.combine_modes",
        assignment.worst_by_preference,
        assignment.worst_of_all,
    ),
    Defect(
        "QC-08",
        "what is held in a ClusterQueue that is not active cannot be reclaimed",
        "",
        "scheduling.is_preemptible_queue",
        Catalogue.is_active,
        classical.is_preemptible_always,
    ),
    Defect(
        "Q-224",
        "what victims hold beyond the claim made for it is given to several Workloads of one cycle",
        "",
        "scheduling.process_entry",
        entry.process_entry,
        entry.process_entry_beside_targets,
    ),
)
