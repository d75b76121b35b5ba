"""Defects in how Jobs are followed: ownership, comparison with their Workloads, what they give back."""

from __future__ import annotations

from typing import Final

from ..jobs import ownership, reclaiming, workload_construction
from .defect import Defect

DEFECTS: Final = (
    Defect(
        "BUG-158",
        "a Job of more parallelism than completions gives back the quota of pods that run",
        "v0.19.6 (#16111)",
        "jobs.count_reclaimable",
        reclaiming.free_slots,
        reclaiming.free_pods,
    ),
    Defect(
        "BUG-159",
        "an eviction does not end while reclaimablePods are more than the Job gives back: the write that lowers them is refused again and again",
        "open (#14811)",
        "jobs.may_write_reclaimable",
        reclaiming.write_whatever_holds_quota,
        reclaiming.is_accepted,
    ),
    Defect(
        "BUG-162",
        "resources of a whole pod are not compared: a Workload of other ones is taken for that of its Job",
        "v0.19.3 (#14436)",
        "jobs.describe_pods",
        workload_construction.describe_containers,
        workload_construction.describe_containers_and_pod,
    ),
    Defect(
        "BUG-164",
        "the Workload of a Job is finished when the deletion of the Job begins, and its quota is free while pods run",
        "v0.19.5 (#12849)",
        "jobs.is_gone",
        ownership.is_gone_with_deletion,
        ownership.is_never_gone,
    ),
    Defect(
        "BUG-165",
        "a Workload that refers to a Job without being controlled by it stops every look at the Job, or is deleted when another controls it",
        "v0.19.5 (#13573)",
        "jobs.is_of_job",
        ownership.refers_to,
        ownership.is_controlled_by,
    ),
)
