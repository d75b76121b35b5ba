"""Answers requests of the proposal: a check once,
an atomic request when its nodes are ready (PR-201, PR-204, PR-206).
"""

from __future__ import annotations

from dataclasses import replace

from ..answer_services import AnswerServices
from ..loop_state import LoopState
from ..requests.request import ProvisioningRequest
from ..rules import AutoscalerRules
from . import conditions
from .failed_attempts import fail


async def answer_check(
    answering: AnswerServices, _rules: AutoscalerRules, request: ProvisioningRequest, state: LoopState
) -> None:
    """Say whether there is room now, and keep nothing for the request."""
    mark = state.snapshot.mark()
    fits = all(state.snapshot.place(pod) for pod in state.requested)
    state.snapshot.undo(mark)
    await answering.requests.put_status(request, conditions.FOUND if fits else conditions.NOT_FOUND)


async def answer_atomic(
    answering: AnswerServices, _rules: AutoscalerRules, request: ProvisioningRequest, state: LoopState
) -> None:
    """Ask one group for the nodes that are missing; without any missing, the request is provisioned.

    Only nodes that are ready and that no running attempt waits for count as room: an answer is about nodes
    that are there.
    """
    attempts = answering.attempts
    awaited = attempts.machines
    closed = {node.name for node in state.upcoming}
    closed |= {member.name for member in state.cluster.members if member.provider_id in awaited}
    with state.snapshot.without(closed):
        unplaced = [pod for pod in state.requested if not state.snapshot.place(pod)]
    if not unplaced:
        await answering.requests.put_status(request, conditions.READY)
        return
    alone = replace(answering.flags, balance_similar_node_groups=False)
    plan = await answering.scale_up.plan(unplaced, state, alone, all_or_nothing=True)
    attempts.count(request)
    if not plan.increases:
        answering.scale_up.tell_refusal(unplaced, plan)
        await fail(answering, request, plan.error or plan.refusal() or "no node group takes all pods")
        return
    (increase,) = plan.increases
    problem = await answering.scale_up.order(increase)
    if problem:
        await fail(answering, request, problem)
        return
    deadline = answering.clock.now() + answering.flags.max_node_provision_time
    attempts.begin(request, increase.group, increase.delta, deadline)
    state.scaled_up = True
    answering.scale_up.tell_success(plan)
