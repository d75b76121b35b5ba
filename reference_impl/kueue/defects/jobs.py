"""Defects in how Jobs are followed: ownership, comparison with their Workloads, what they give back."""

from __future__ import annotations

from typing import Final

from ..jobs import ownership, priority, reclaiming, workload_construction
from .defect import Defect

DEFECTS: Final = (
    Defect(
        "BUG-158",
        "a Job of more parallelism than completions gives back the quota of pods that run",
        fixed_in=("0.19.6", "0.20.0"),
        report=(16111,),
        member="jobs.count_reclaimable",
        observed=reclaiming.free_slots,
        corrected=reclaiming.free_pods,
    ),
    Defect(
        "BUG-159",
        "an eviction does not end while reclaimablePods are more than the Job gives back: the write that lowers them is refused again and again",
        fixed_in=(),
        report=(14811,),
        member="jobs.may_write_reclaimable",
        observed=reclaiming.write_whatever_holds_quota,
        corrected=reclaiming.is_accepted,
    ),
    Defect(
        "BUG-162",
        "resources of a whole pod are not compared: a Workload of other ones is taken for that of its Job",
        fixed_in=("0.19.3", "0.20.0"),
        report=(14436, 15016),
        member="jobs.describe_pods",
        observed=workload_construction.describe_containers,
        corrected=workload_construction.describe_containers_and_pod,
    ),
    Defect(
        "BUG-164",
        "the Workload of a Job is finished when the deletion of the Job begins, and its quota is free while pods run",
        fixed_in=("0.19.5", "0.20.0"),
        report=(12820, 12849),
        member="jobs.is_gone",
        observed=ownership.is_gone_with_deletion,
        corrected=ownership.is_never_gone,
    ),
    Defect(
        "BUG-165",
        "a Workload that refers to a Job without being controlled by it stops every look at the Job, or is deleted when another controls it",
        fixed_in=("0.19.5", "0.20.0"),
        report=(13572, 13573, 15346),
        member="jobs.is_of_job",
        observed=ownership.refers_to,
        corrected=ownership.is_controlled_by,
    ),
    Defect(
        "KV-53",
        "a Job whose priority label is removed while its Workload holds quota is not reconciled: the write that takes the class away is refused again and again",
        fixed_in=("0.19.3", "0.20.0"),
        report=(14482, 14565),
        member="jobs.follows_label",
        observed=priority.follows_any_label,
        corrected=priority.follows_label,
    ),
)
