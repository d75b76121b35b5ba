"""Wrong about machines that do not come, and about nodes that go (PR-190, PR-355…359, PR-372)."""

from dataclasses import replace

from reference_impl.autoscaler import static_autoscaler
from reference_impl.autoscaler.failed_instances import FailedInstances
from reference_impl.autoscaler.requests.request_cache import RequestCache
from reference_impl.autoscaler.scale_down import unneeded

from ..killing.planes import wrong

KNOWN: dict[str, object] = {}


@wrong((FailedInstances, "_remove_broken"))
async def forgets_the_roll_back(right, self, group, instances, current_time):
    """Breaks PR-359: leaves machines that will not come in their group; PRQ-150 must catch it."""
    return True


@wrong((FailedInstances, "_remove_overdue"))
async def waits_for_machines_for_ever(right, self, group, instances):
    """Breaks PR-358: leaves machines without a Node in their group; PRQ-153 must catch it."""


@wrong((FailedInstances, "remove"))
async def gives_up_machines_at_once(right, self, cluster, timed_out, current_time):
    """Breaks PR-358: removes machines that are still booting; PRQ-100 must catch it."""
    for group in cluster.groups:
        waiting = cluster.unregistered_instances(group)
        if waiting:
            await self.cloud.delete_nodes(group.id, [(item.id, item.id) for item in waiting])
    return await right(self, cluster, timed_out, current_time)


@wrong((static_autoscaler, "is_cluster_healthy"))
def works_in_a_cluster_that_is_not_well(right, cluster, flags):
    """Breaks PR-113: takes requests up whatever the state of the cluster; PRQ-131 should catch it."""
    return True


@wrong((unneeded, "candidates"))
def removes_booked_nodes(right, state):
    """Breaks PR-382: pods that are only booked keep no node; PRQ-170 should catch it."""
    return [
        replace(result_item, pods=tuple(pod for pod in result_item.pods if pod.object is not None))
        for result_item in right(state)
    ]


@wrong((unneeded, "judge"))
def removes_nothing(right, candidate, snapshot, flags):
    """Breaks PR-194: keeps nodes that are not needed; PRQ-170 should catch it."""
    return "used"


@wrong((RequestCache, "read"))
def keeps_what_was_cancelled(right, self, key):
    """Breaks PR-196: keeps capacity for requests that are deleted; PRQ-200 must catch it."""
    request = right(self, key)
    if request is not None:
        KNOWN[key] = request
    return KNOWN.get(key)
