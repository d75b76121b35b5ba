"""Wrong about several requests beside each other,
and about writes (PR-087…090, PR-120, PR-128, PR-129, PR-137).
"""

from dataclasses import replace

from reference_impl.autoscaler import salvo, static_autoscaler
from reference_impl.autoscaler.injector import RequestInjector
from reference_impl.autoscaler.orchestrator import RequestOrchestrator
from reference_impl.autoscaler.requests.request_cache import RequestCache
from reference_impl.autoscaler.requests.turns import RequestOrder

from ..killing.planes import wrong

LOST: set[str] = set()


@wrong((RequestOrchestrator, "__init__"))
def answers_all_at_once(right, self, *, answering, **services):
    """Breaks PR-128: a batch is as large as it likes; PRQ-192 may catch it."""
    flags = replace(answering.flags, check_capacity_provisioning_request_max_batch_size=1000)
    right(self, answering=replace(answering, flags=flags), **services)


@wrong((RequestOrchestrator, "_check_batch"))
async def starves_atomic_requests(right, self, state):
    """Breaks PR-137: in batches only checks are answered; PRQ-197 must catch it."""
    await right(self, state)
    return True


@wrong((RequestOrder, "order"))
def tries_the_first_request_again_and_again(right, self, requests, refused):
    """Breaks PR-120: a request whose answer is refused stays first; PRQ-228 must catch it."""
    return requests


@wrong((static_autoscaler, "repeat_scale_up"))
async def scales_up_once_a_loop(right, once, pods, state, clock, budget):
    """Breaks PR-118: ends its scale-ups with the first one; PRQ-199 should catch it."""
    await once(pods, state)


@wrong((salvo, "_add_growth"))
def forgets_nodes_of_a_scale_up(right, growth, state, number):
    """Breaks PR-118: nodes that come are no room for what follows; PRQ-199 should catch it."""
    return True


@wrong((RequestCache, "put_status"))
async def writes_conditions_one_by_one(right, self, request, *news, **arguments):
    """Breaks PR-129: takes a request of a batch up by a write of its own; PRQ-194 may catch it."""
    done = True
    for new in news:
        done = await right(self, self.get(request.key) or request, new, **arguments)
    return done


@wrong((RequestCache, "apply"))
async def writes_every_answer_whole(right, self, request, new):
    """Breaks PR-089: writes the answer of an atomic request by PUT; PRQ-220 may catch it."""
    return await self.put_status(request, new)


@wrong((RequestInjector, "inject"))
async def stops_at_a_request_that_is_done(right, self, state, current_time):
    """Breaks PR-120: looks at the first request of the list only; PRQ-190 must catch it."""
    first = self.requests.all()[:1]
    if first and self.retries.is_due(first[0], current_time):
        await right(self, state, current_time)


@wrong((RequestInjector, "__init__"))
def accepts_nothing(right, self, *, rules, **services):
    """Breaks PR-092: does not say that a request was taken up; PRQ-001 must catch it."""
    right(self, rules=replace(rules, accepted_conditions=()), **services)


@wrong((RequestCache, "_send"), (RequestCache, "read"))
def forgets_what_was_refused(right, self, *args):
    """Breaks PR-090: looks at a request no more of which a write was refused; PRQ-210 must catch it."""
    if right.__name__ == "read":
        request = right(self, *args)
        return None if request is None or request.uid in LOST else request
    return _send_and_note(right, self, *args)


async def _send_and_note(right, self, request, send):
    response = await right(self, request, send)
    if response is None:
        LOST.add(request.uid)
    return response
