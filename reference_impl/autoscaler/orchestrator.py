"""Serves the requests of one loop: first those that only ask whether there is room, then those that may have
nodes added (PR-137).
"""

from __future__ import annotations

from collections.abc import Sequence

from .answer_services import AnswerServices
from .loop_state import LoopState
from .requests import conditions
from .requests.conditions import RequestCondition
from .requests.pods import NoPodsError, RequestPods
from .requests.request import ProvisioningRequest
from .requests.selection import SelectedRequests
from .rules import AutoscalerRules
from .simulation.pod import Pod


class RequestOrchestrator:
    """Answers requests by their class."""

    def __init__(self, *, answering: AnswerServices, pods_of: RequestPods, rules: AutoscalerRules) -> None:
        self.answering, self.pods_of, self.rules = answering, pods_of, rules
        instance = answering.flags.check_capacity_processor_instance
        self._open = SelectedRequests(
            answering.requests, lambda request: rules.routing.is_check(request, instance)
        )
        """The checks without an answer."""

    async def serve(self, state: LoopState) -> None:
        """Answer the requests of this loop."""
        flags, rules = self.answering.flags, self.rules
        instance = flags.check_capacity_processor_instance
        if flags.check_capacity_batch_processing and await self._check_batch(state):
            return
        request = state.injected
        if request is None:
            return
        if rules.routing.is_check(request, instance):
            if not flags.check_capacity_batch_processing:
                await rules.answer_check(self.answering, rules, request, state)
        elif rules.routing.is_atomic(request, instance):
            await rules.answer_atomic(self.answering, rules, request, state)

    async def _check_batch(self, state: LoopState) -> bool:
        """Answer as many as a batch has, each beside those before it;
        tell whether there were any (PR-128, PR-129).
        """
        flags, requests, clock = self.answering.flags, self.answering.requests, self.answering.clock
        began, answered = clock.elapsed(), 0
        for request in self._open():
            # With a batch of 0 no check would ever be answered.
            if answered >= max(1, flags.check_capacity_provisioning_request_max_batch_size):
                break
            if not self.answering.retries.is_due(request, clock.now()):
                if self.rules.is_answered(request):
                    # Answered: it is asked for again when it changes, and not in every
                    # loop.
                    self._open.leave_out(request)
                continue
            try:
                pods = self.pods_of(request)
            except NoPodsError as error:
                await requests.put_status(request, conditions.no_pods(str(error)))
                continue
            answer = room_for(pods, self.rules, request, state)
            state.scaled_up |= answer is conditions.FOUND
            await requests.put_status(request, *self.rules.accepted_conditions, answer)
            answered += 1
            if clock.elapsed() - began > flags.check_capacity_provisioning_request_batch_timebox:
                break
        return answered > 0


async def check(
    answering: AnswerServices, rules: AutoscalerRules, request: ProvisioningRequest, state: LoopState
) -> None:
    """Answer one that was accepted before (PR-125)."""
    answer = room_for(state.requested, rules, request, state)
    state.scaled_up |= answer is conditions.FOUND
    await answering.requests.put_status(request, answer)


async def scale_up_at_once(
    answering: AnswerServices, rules: AutoscalerRules, request: ProvisioningRequest, state: LoopState
) -> None:
    """Have all nodes added that are missing, or none (PR-150…155)."""
    unplaced = [pod for pod in state.requested if not state.snapshot.place(pod)]
    if not unplaced:
        await rules.write_atomic(answering.requests, request, conditions.FOUND)
        return
    done = await answering.scale_up.serve(unplaced, state, all_or_nothing=True)
    answer = conditions.SCALED_UP if done else conditions.NOT_FOUND
    await rules.write_atomic(answering.requests, request, answer)


def room_for(
    pods: Sequence[Pod], rules: AutoscalerRules, request: ProvisioningRequest, state: LoopState
) -> RequestCondition:
    """Return the answer to a check for capacity: there is room, not now, or never."""
    if all_fit(pods, state):
        return conditions.FOUND
    return conditions.NEVER_FOUND if rules.is_last_retry(request) else conditions.NOT_FOUND


def all_fit(pods: Sequence[Pod], state: LoopState) -> bool:
    """Place all pods, or none; tell whether they fit."""
    # All or none: what was placed for a request that does not fit must not take room
    # from the next.
    mark = state.snapshot.mark()
    if all(state.snapshot.place(pod) for pod in pods):
        return True
    state.snapshot.undo(mark)
    return False
