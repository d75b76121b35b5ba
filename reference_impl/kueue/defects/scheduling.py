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
        fixed_in=("0.19.7", "0.20.0"),
        report=(16167,),
        member="scheduling.preemption_usage",
        observed=assignment.usage_without_pods,
        corrected=assignment.usage_with_pods,
    ),
    Defect(
        "QC-07",
        "a flavor whose resources fit by borrowing and by preemption counts as fit, and nothing is ever preempted",
        fixed_in=(),
        report=(),
        member="scheduling.combine_modes",
        observed=assignment.worst_by_preference,
        corrected=assignment.worst_of_all,
    ),
    Defect(
        "QC-08",
        "what is held in a ClusterQueue that is not active cannot be reclaimed",
        fixed_in=(),
        report=(),
        member="scheduling.is_preemptible_queue",
        observed=Catalogue.is_active,
        corrected=classical.is_preemptible_always,
    ),
    Defect(
        "Q-224",
        "what victims hold beyond the claim made for it is given to several Workloads of one cycle",
        fixed_in=(),
        report=(),
        member="scheduling.process_entry",
        observed=entry.process_entry,
        corrected=entry.process_entry_beside_targets,
    ),
)
