"""Validating webhooks: all that match are called at the same time,
the first refusal in order counts (FK-302).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from ...api import status
from ...api.admission import Review
from ...api.context import Context
from ...api.outcome import CallResult
from ...api.status import StatusError
from ...api.steps import Steps, in_turn
from ...conversion import on_demand
from . import failures, notes, responses, review_calls
from .authorizer_questions import Decide
from .converted_objects import ConvertedObject, views
from .failures import CallFailed
from .hooks import Hook
from .matching import Invocation, ViewOf, invocation, size_of_matching
from .review_calls import ReviewCall


def call(api: Context, hooks: Sequence[Hook], review: Review, decide: Decide) -> Steps[None]:
    """Call the webhooks that match. Raises what the first one in order refuses with."""
    view_of = views(ConvertedObject(review.kind, review.new), ConvertedObject(review.kind, review.old))

    def matching() -> list[Invocation]:
        invocations = [
            matched for hook in hooks if (matched := invocation(api, hook, review, view_of, decide))
        ]
        for matched in invocations:
            view_of(matched.kind)
        return invocations

    take = partial(in_turn, size_of_matching(hooks))
    invocations = yield from on_demand.with_conversions(api.services, matching, status.internal, take)
    prepared = [(matched, _prepare(api, matched, review, view_of)) for matched in invocations]
    calls = tuple(
        prepared_call.call for _, prepared_call in prepared if isinstance(prepared_call, ReviewCall)
    )
    # All are called at the same time, as the real server does; the refusal of the first in order is the
    # answer, whichever came first.
    results = (yield calls) if calls else ()
    answered = iter(results)

    def judge() -> list[StatusError | None]:
        return [_judge(matched, ready, answered, review) for matched, ready in prepared]

    refusals = yield from in_turn(sum(len(result.body) for result in results), judge)
    for refusal in refusals:
        if refusal is not None:
            raise refusal


def _prepare(api: Context, matched: Invocation, review: Review, view_of: ViewOf) -> ReviewCall | CallFailed:
    try:
        return review_calls.of(api, matched, review, view_of)
    except CallFailed as failure:
        return failure


def _judge(
    matched: Invocation, ready: ReviewCall | CallFailed, results: Iterator[CallResult], review: Review
) -> StatusError | None:
    """Return the refusal of one webhook."""
    hook = matched.hook
    try:
        if isinstance(ready, CallFailed):
            raise ready
        result = next(results)
        answer = responses.of(hook, ready.uid, result, mutating=False)
    except CallFailed as failure:
        notes.note_failure(review.trace, hook, failure)
        return None if hook.ignores_failure else failures.calling(hook.name, failure)
    notes.note_answer(review.trace, hook, answer, result)
    return None if answer.allowed else failures.denial(hook.name, answer.status)
