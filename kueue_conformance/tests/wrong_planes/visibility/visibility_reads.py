"""Wrong about what reading a list does: to objects,
to later answers, to what is listed (VIS-118, VIS-533, VC-24).
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf

from reference_impl.api.kinds import CLUSTER_QUEUES
from reference_impl.api.resource import Key
from reference_impl.kueue.queueing.view import _OfClusterQueue
from reference_impl.kueue.visibility.part import VisibilityPart

from ...killing.planes import wrong

REMEMBERED_SECONDS = 5


def wrap_handler(visibility: VisibilityPart, wrapped: Callable) -> VisibilityPart:
    """Return a part whose handler is wrapped in another."""
    return replace(
        visibility, publish=lambda handler, authorities: visibility.publish(wrapped(handler), authorities)
    )


@wrong((VisibilityPart, "assemble"))
def writes_down_who_has_looked(assemble, self, runtime):
    """Breaks VIS-118: counts in an annotation of a ClusterQueue
    how often its list was read; VSB-045 must catch it.
    """
    times = {}

    def counting(handler):
        async def answer(request):
            answer = await handler(request)
            name = request.target.partition("/clusterqueues/")[2].partition("/")[0]
            if name and answer.code == 200:
                times[name] = times.get(name, 0) + 1
                read = {"metadata": {"annotations": {"example.com/read": str(times[name])}}}
                await runtime.client.patch(CLUSTER_QUEUES, Key("", name), read)
            return answer

        return answer

    return assemble(wrap_handler(self, counting), runtime)


@wrong((VisibilityPart, "assemble"))
def answers_for_some_seconds_what_it_has_answered(assemble, self, runtime):
    """Breaks VIS-533: keeps each answer for some seconds; VSB-113 must catch it."""
    remaining_fields = {}

    def remembering(handler):
        async def answer(request):
            key, current_time = (request.target, request.header("x-remote-user")), runtime.clock.now()
            if current_time - remaining_fields.get(key, (-inf, None))[0] >= REMEMBERED_SECONDS:
                remaining_fields[key] = current_time, await handler(request)
            return remaining_fields[key][1]

        return answer

    return assemble(wrap_handler(self, remembering), runtime)


@wrong((_OfClusterQueue, "page"))
def shows_once_what_backs_off(page, queue, *args):
    """Breaks VC-24: lists what was changed while its delay runs,
    and does not at the next look; VSB-016 may catch it.
    """
    result, shown = list(page(queue, *args)), vars(queue._queue).setdefault("shown", set())
    waiting = {
        result_item.workload.key for result_item in result if result_item.workload.requeue_at is not None
    }
    hidden = waiting & shown
    shown |= waiting
    return iter([result_item for result_item in result if result_item.workload.key not in hidden])
