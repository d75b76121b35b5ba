"""Wrong about requests of several pod sets (PR-125, PR-130, PR-134, PR-150, PR-174)."""

from dataclasses import replace

from reference_impl.autoscaler import orchestrator
from reference_impl.autoscaler.booking import ConsumerPlaces
from reference_impl.autoscaler.requests.pods import RequestPods
from reference_impl.autoscaler.scale_up import ScaleUpOrchestrator

from ..killing.planes import wrong


def _of_shape(pods, shape):
    return [pod for pod in pods if pod.shape is shape]


@wrong((RequestPods, "_make_pods"))
def makes_all_pods_of_the_first_template(right, self, request, templates):
    """Breaks PR-130: the pods of every pod set are those of one template; PRQ-290 must catch it."""
    return right(self, request, [templates[0]] * len(templates))


@wrong((RequestPods, "_make_pods"))
def makes_the_pods_of_three_pod_sets(right, self, request, templates):
    """Breaks PR-134: the fourth and fifth pod set are forgotten; PRQ-290 must catch it."""
    named = tuple(f"{request.key.name}-{at}-" for at in range(3))
    return [pod for pod in right(self, request, templates) if pod.name.startswith(named)]


@wrong((RequestPods, "_make_pods"))
def counts_every_pod_set_like_the_first(right, self, request, templates):
    """Breaks PR-134: takes one pod of each pod set; PRQ-290 must catch it."""
    return [pod for pod in right(self, request, templates) if pod.name.endswith("-0")]


@wrong((orchestrator, "all_fit"))
def checks_the_first_pod_set_alone(right, pods, state):
    """Breaks PR-125: what fits for one pod set is taken to fit for all; PRQ-290 must catch it."""
    return right(_of_shape(pods, pods[0].shape), state)


@wrong((orchestrator, "all_fit"))
def checks_the_last_pod_set_alone(right, pods, state):
    """Breaks PR-125: the answer for the last pod set is the answer for all; PRQ-290 must catch it."""
    return right(_of_shape(pods, pods[-1].shape), state)


@wrong((ConsumerPlaces, "place"))
def books_for_the_first_pod_set(right, self, pods, snapshot):
    """Breaks PR-128: capacity of the other pod sets is free for others; PRQ-290 must catch it."""
    booked = [pod for pod in pods if pod.name.split("-")[-2] == "0"]
    right(self, booked, snapshot)


@wrong((ScaleUpOrchestrator, "serve"))
async def grows_for_the_pods_that_it_can_help(right, self, pods, state, *, all_or_nothing=False):
    """Breaks PR-174: pods of a pod set that fits nowhere are left out; PRQ-291 must catch it."""
    for pod in {id(pod.shape): pod for pod in pods}.values():
        alike = _of_shape(pods, pod.shape)
        plan = await self.plan(alike, state, self.flags, all_or_nothing=all_or_nothing)
        if plan.increases:
            return await right(self, alike, state, all_or_nothing=all_or_nothing)
    return await right(self, pods, state, all_or_nothing=all_or_nothing)


@wrong((orchestrator, "scale_up_at_once"))
async def wants_all_pods_on_new_nodes(_, answering, rules, request, state):
    """Breaks PR-150: pod sets that fit on their Nodes keep another one from its machines;
    PRQ-291 must catch it.
    """
    pods = state.requested
    fits = orchestrator.all_fit(pods, state)
    done = fits or await answering.scale_up.serve(pods, state, all_or_nothing=True)
    answer = orchestrator.conditions.FOUND if done else orchestrator.conditions.NOT_FOUND
    await rules.write_atomic(answering.requests, request, answer)


@wrong((ScaleUpOrchestrator, "serve"))
async def grows_for_pods_without_their_taints(right, self, pods, state, *, all_or_nothing=False):
    """Breaks PR-165: asks for machines by node selectors alone; PRQ-291 must catch it."""
    everywhere = [{"operator": "Exists"}]
    tolerant = [
        replace(pod, shape=replace(pod.shape, spec={**pod.shape.spec, "tolerations": everywhere}))
        for pod in pods
    ]
    return await right(self, tolerant, state, all_or_nothing=all_or_nothing)
