"""Wrong where something was not promised: late changes, deletions, ends, writes that fail, clouds that lie
(PR-196…198, PR-360…371, PR-385).
"""

from reference_impl.api import instants
from reference_impl.autoscaler.booking import CapacityBooking
from reference_impl.autoscaler.groups.registration import NodeRegistrations
from reference_impl.autoscaler.requests.request_cache import RequestCache
from reference_impl.autoscaler.scale_down.controller import ScaleDownController

from ..killing.planes import wrong

UNTOLD: dict[object, object] = {}
BEGAN: list[tuple[object, float]] = []
GIVEN_UP: set[str] = set()


@wrong((CapacityBooking, "book"))
async def grows_for_what_it_has_booked(right, self, state):
    """Breaks PR-385: asks for nodes for booked pods that find no place any more; PRQ-029 must catch it."""
    await right(self, state)
    placed_uids = {pod.uid for node_info in state.snapshot.node_infos for pod in node_info.pods}
    for request in self._booked():
        state.pending += [pod for pod in self.pods_of(request) if pod.uid not in placed_uids]


@wrong((NodeRegistrations, "missing"))
def takes_no_target_back(right, self, group, current_time):
    """Breaks PR-358: leaves a group as large as the cloud says,
    although no machine is listed; PRQ-160 must catch it.
    """
    return 0


@wrong((RequestCache, "_send"), (RequestCache, "read"))
def keeps_what_it_could_not_tell(right, self, *args):
    """Breaks PR-197: keeps the capacity of a request that is deleted when its answer was not written; PRQ-208
    must catch it.
    """
    if right.__name__ == "read":
        request = right(self, *args)
        return UNTOLD.get(args[0]) if request is None else request
    return _send_untold(right, self, *args)


async def _send_untold(right, self, request, send):
    answer = await right(self, request, send)
    cached_request = self.get(request.key)
    if answer is None and cached_request is not None and cached_request.is_true("Provisioned"):
        UNTOLD[request.key] = cached_request
    return answer


@wrong((ScaleDownController, "_find_unneeded"))
def minds_no_node_of_a_run_before(right, self, state, current_time):
    """Breaks PR-198: leaves the nodes that were there when it began, whether they are needed or not; PRQ-209
    must catch it.
    """
    if all(state is not self.autoscaler_state for state, _ in BEGAN):
        BEGAN.append((self.autoscaler_state, current_time))
    began = next(since for state, since in BEGAN if state is self.autoscaler_state)
    return [
        result_item
        for result_item in right(self, state, current_time)
        if instants.parse(result_item.member.object["metadata"]["creationTimestamp"]) >= began
    ]


@wrong((ScaleDownController, "_delete"), (ScaleDownController, "_find_unneeded"))
def gives_up_a_node_that_it_could_not_taint(right, self, *args):
    """Breaks PR-373: looks at a node no more whose deletion has failed once; PRQ-219 must catch it."""
    if right.__name__ == "_find_unneeded":
        return [result_item for result_item in right(self, *args) if result_item.member.name not in GIVEN_UP]
    return _give_up(right, self, *args)


async def _give_up(right, self, candidate, state):
    deleted = self.autoscaler_state.deleted
    await right(self, candidate, state)
    if self.autoscaler_state.deleted == deleted:
        GIVEN_UP.add(candidate.member.name)
