"""Wrong about the managers as which a Workload's status is applied (AC-370, AC-373)."""

from reference_impl.kueue.jobs import action_executor
from reference_impl.kueue.workload import writing

from ...killing.planes import instead

instead(
    writing,
    "MANAGER",
    "kueue",
    "Breaks AC-370: applies as a manager of another name; ADM-450 may catch it.",
    called="applies_under_another_name",
)
instead(
    action_executor,
    "PODS_READY_MANAGER",
    "kueue-pods-ready",
    "Breaks AC-373: applies PodsReady as a manager of another name; ADM-450 may catch it.",
    called="applies_pods_ready_under_another_name",
)
instead(
    action_executor,
    "RECLAIMABLE_MANAGER",
    "kueue-pods",
    "Breaks AC-373: applies reclaimablePods as a manager of another name; ADM-450 may catch it.",
    called="applies_reclaimable_pods_under_another_name",
)


instead(
    writing,
    "APPLIED_FIELDS",
    tuple(
        applied_field
        for applied_field in writing.APPLIED_FIELDS
        if applied_field not in {"clusterName", "nominatedClusterNames", "unhealthyNodes"}
    ),
    "Breaks AC-371: leaves out of its applies what others have written into the fields that it owns; ADM-579 may catch it.",
    called="applies_nothing_of_others",
)
