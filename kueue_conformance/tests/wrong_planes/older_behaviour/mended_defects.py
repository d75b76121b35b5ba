"""A v0.20 that still has a defect which its line has mended: in each the observed behaviour stands again in
the place of the corrected one.
"""

import sys

from reference_impl.kueue.defects import DEFECTS

from ...killing.planes import instead

STILL = (
    (
        "still_drops_a_rejected_during_an_eviction",
        "BUG-157",
        "Breaks KV-33: a Rejected that comes during an eviction is dropped; ADM-645 may catch it.",
    ),
    (
        "still_finishes_the_workload_of_a_job_that_is_being_deleted",
        "BUG-164",
        "Breaks KV-38: quota is free when the deletion of a Job begins; ADM-643 may catch it.",
    ),
    (
        "still_takes_a_workload_that_refers_to_a_job",
        "BUG-165",
        "Breaks KV-55: a Workload without a controller stops every look at the Job; ADM-644 may catch it.",
    ),
    (
        "still_frees_the_quota_of_pods_that_run",
        "BUG-158",
        "Breaks KV-57: parallelism beyond the completions counts as free pods; ADM-640 may catch it.",
    ),
    (
        "still_adopts_other_pod_level_resources",
        "BUG-162",
        "Breaks KV-58: a prebuilt Workload is compared by its containers alone; ADM-646 may catch it.",
    ),
    (
        "still_charges_a_pod_below_its_containers",
        "BUG-163",
        "Breaks KV-58: pod-level requests below those of the containers count; QUE-343 may catch it.",
    ),
    (
        "still_charges_the_default_beside_a_limit",
        "BUG-160",
        "Breaks KV-50: the default request of a LimitRange precedes the own limit; QUE-341 may catch it.",
    ),
    (
        "still_keeps_what_a_limit_range_refused",
        "BUG-161",
        "Breaks KV-49: nothing is tried again when a LimitRange is relaxed; QUE-342 may catch it.",
    ),
    (
        "still_says_nothing_of_a_cycle",
        "QC-01",
        "Breaks KV-40: a ClusterQueue below a cycle of cohorts is Active; QUE-344 may catch it.",
    ),
    (
        "still_searches_no_room_for_pods",
        "QC-06",
        "Breaks KV-69: the resource pods is not among what victims make room for; QUE-132 may catch it.",
    ),
    (
        "still_leaves_a_rejected_workload_stuck",
        "AC-295",
        "Breaks KV-34: a rejected Workload that is active again is not queued; ADM-226 may catch it.",
    ),
    (
        "still_takes_the_class_of_what_holds_quota",
        "KV-53",
        "Breaks KV-53: a priority class is taken away in vain, and the Job waits; ADM-781 may catch it.",
    ),
    (
        "still_speaks_of_the_first_generation",
        "PA-027",
        "Breaks KV-42: Active of a check keeps its observedGeneration while it is True; PRC-260 may catch it.",
    ),
    (
        "still_keeps_quota_during_a_delay",
        "D-07",
        "Breaks KV-35: the eviction waits until the delay of a Retry is over; ADM-220 may catch it.",
    ),
    (
        "still_keeps_the_observed_generation",
        "PA-027",
        "Breaks KV-42: a healthy check goes by the generation that it had first; PRC-017 may catch it.",
    ),
)
"""Name, defect and what it breaks."""


def _restore(name, defect_id, says):
    defect = next(defect for defect in DEFECTS if defect.id == defect_id)
    module = sys.modules[defect.corrected.__module__]
    instead(module, defect.corrected.__name__, defect.observed, says, called=name, dialect="v0.20")


for row in STILL:
    _restore(*row)
