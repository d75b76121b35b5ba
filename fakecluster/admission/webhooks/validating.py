"""Validating webhooks: all that match are asked at the same time, the first refusal in order counts (FK-302)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from ...api.admission import Review
from ...api.context import Context
from ...api.outcome import CallResult, Outcome, Pending
from ...api.status import StatusError
from . import answers, calls, failures, notes
from .access import Decide
from .calls import Asked
from .failures import CallFailed
from .hooks import Hook
from .matching import Invocation, Seen, invocation

Json = Any


def ask(
    api: Context,
    hooks: Sequence[Hook],
    review: Review,
    seen: Seen,
    decide: Decide,
    proceed: Callable[[], Outcome],
) -> Outcome:
    """Ask the webhooks that match and go on when none refuses. Raises what the first one in order says."""
    found = [one for hook in hooks if (one := invocation(api, hook, review, seen, decide))]
    if not found:
        return proceed()
    prepared = [(one, _prepared(api, one, review, seen)) for one in found]
    asked = [one.call for _, one in prepared if isinstance(one, Asked)]

    def resume(results: tuple[CallResult, ...]) -> Outcome:
        left = iter(results)
        judged = [_judged(one, ready, left, review) for one, ready in prepared]
        refusal = next((one for one in judged if one is not None), None)
        if refusal is not None:
            raise refusal
        return proceed()

    return Pending(calls=tuple(asked), resume=resume) if asked else resume(())


def _prepared(api: Context, one: Invocation, review: Review, seen: Seen) -> Asked | CallFailed:
    try:
        return calls.of(api, one, review, seen)
    except CallFailed as failure:
        return failure


def _judged(
    one: Invocation, ready: Asked | CallFailed, results: Iterator[CallResult], review: Review
) -> StatusError | None:
    """Return the refusal of one webhook."""
    hook = one.hook
    try:
        if isinstance(ready, CallFailed):
            raise ready
        result = next(results)
        answer = answers.of(hook, ready.uid, result, mutating=False)
    except CallFailed as failure:
        notes.failed(review.trace, hook, failure)
        return None if hook.ignores_failure else failures.calling(hook.name, failure)
    notes.answered(review.trace, hook, answer, result)
    return None if answer.allowed else failures.denied(hook.name, answer.status)
