"""Wrong about the Active condition of a LocalQueue (AC-435…438)."""

from dataclasses import replace

from reference_impl.kueue.queues import status
from reference_impl.kueue.queues.local_queues import LocalQueues
from reference_impl.kueue.queues.status import ACTIVE
from reference_impl.kueue.workload.conditions import Condition

from ...killing.planes import instead, wrong

instead(
    status,
    "CANNOT_SUBMIT",
    "Cannot submit new workloads",
    called="says_cannot_submit",
    says="Breaks AC-436: tells users in other words that they cannot submit; ADM-326 may catch it.",
)


@wrong((status, "local_queue_active"))
def stops_no_local_queue(active, spec, *args):
    """Breaks AC-435: a LocalQueue says nothing of its stop policy; ADM-325 should catch it."""
    return active({**spec, "stopPolicy": "None"}, *args)


@wrong((status, "local_queue_active"))
def stops_local_queues_for_hold_only(active, spec, *args):
    """Breaks AC-435: a LocalQueue says nothing of HoldAndDrain; ADM-325 should catch it."""
    return active({**spec, "stopPolicy": "None"} if spec.get("stopPolicy") == "HoldAndDrain" else spec, *args)


@wrong((status, "local_queue_active"))
def stops_local_queues_for_drain_only(active, spec, *args):
    """Breaks AC-435: a LocalQueue says nothing of Hold; ADM-325 should catch it."""
    return active({**spec, "stopPolicy": "None"} if spec.get("stopPolicy") == "Hold" else spec, *args)


@wrong((status, "local_queue_active"))
def speaks_of_the_cluster_queue_first(active, spec, cluster_queue, *args):
    """Breaks AC-435: a stopped LocalQueue says that it has no ClusterQueue; ADM-325 should catch it."""
    running = active({**spec, "stopPolicy": "None"}, cluster_queue, *args)
    return running if not running.status else active(spec, cluster_queue, *args)


@wrong((status, "local_queue_active"))
def needs_no_cluster_queue(active, spec, cluster_queue, *args):
    """Breaks AC-436: a LocalQueue without a ClusterQueue
    says that this is inactive; ADM-106 should catch it.
    """
    return active(spec, cluster_queue or {}, *args)


@wrong((status, "local_queue_active"))
def takes_inactive_cluster_queues(active, spec, cluster_queue, *args):
    """Breaks AC-438: a LocalQueue is Active whenever its ClusterQueue exists; ADM-106 should catch it."""
    there = {"status": {"conditions": [{"type": "Active", "status": "True"}]}}
    return active(spec, cluster_queue and there, *args)


@wrong((status, "local_queue_active"))
def takes_any_condition_for_active(active, spec, cluster_queue, *args):
    """Breaks AC-438: a LocalQueue is Active whenever its
    ClusterQueue says something; ADM-106 should catch it.
    """
    conditions = ((cluster_queue or {}).get("status") or {}).get("conditions") or ()
    changed = [{**condition, "status": "True"} for condition in conditions]
    return active(spec, cluster_queue and {**cluster_queue, "status": {"conditions": changed}}, *args)


@wrong((LocalQueues, "reconcile"))
async def tells_users_nothing(reconcile, queues, key):
    """Breaks AC-436: writes no status on a LocalQueue; ADM-106 should catch it."""


@wrong((status, "local_queue_active"))
def is_always_active_for_users(right, spec, cluster_queue, *rest):
    """Breaks AC-438: tells users that everything can be submitted; ADM-106 should catch it."""
    return Condition(ACTIVE, True, "Ready", status.CAN_SUBMIT)


@wrong((status, "local_queue_active"))
def minds_no_stop_of_a_local_queue(right, spec, *rest):
    """Breaks AC-435: does not tell users that their queue is stopped; ADM-416 must catch it."""
    return right({**spec, "stopPolicy": "None"}, *rest)


@wrong((status, "local_queue_active"))
def stays_inactive_for_users(right, *args):
    """Breaks AC-437: never tells users that their queue is active; ADM-416 must catch it."""
    return replace(right(*args), status=False)


@wrong((LocalQueues, "reconcile"))
async def never_writes_a_local_queue(_, self, key):
    """Breaks AC-435: writes nothing into the status of a LocalQueue; ADM-020 must catch it."""
