"""Carries out what the faults decide about a request (F-03): answer something else, later, from an older
state, or not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import replace

from ..api import status
from ..api.outcome import Response, Watch, WebSocketMessages
from ..base.clock import Clock
from ..base.numbers.integers import short
from ..faults import Answer, Delay, Drop, Effect, Pages, Stale, Truncate
from .gate import NO_STAMP, Stamp
from .http.message import ArrivedRequest
from .outgoing.relay import RelayedAnswer

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
REASON_OF_CODE = {
    401: "Unauthorized",
    403: "Forbidden",
    404: "NotFound",
    409: "Conflict",
    410: "Expired",
    429: "TooManyRequests",
    500: "InternalError",
    503: "ServiceUnavailable",
    504: "Timeout",
}
"""The reasons that go with the codes; an effect may name another."""


class Gateway(Protocol[T_co]):
    """What a request passes first. An outcome is whatever becomes an answer when it is complete."""

    def handle(self, arrived: ArrivedRequest, revisions_ago: int = 0) -> tuple[Stamp, T_co]:
        """Return the request's stamp and its outcome, of an older state when a fault says so."""

    def reject_by_fault(self, arrived: ArrivedRequest, error: status.StatusError) -> tuple[Stamp, T_co]:
        """Return the stamp and the outcome of a request that a fault refuses."""

    def refuse(self, arrived: ArrivedRequest, error: status.StatusError) -> tuple[Stamp, Response]:
        """Return the stamp and the answer of a request that is refused without a look at it."""


class FaultPlan(Struct, frozen=True, kw_only=True):
    """The planned effects of faults on one request; the last effect of a kind counts."""

    delay: float = 0.0
    before: Answer | Drop | None = None
    revisions_ago: int = 0
    only_from_cache: bool = False
    """Whether only reads are of an older state that allow it."""
    page: int = 0
    """How many objects a page of a list has at most; 0 for as many as were asked for."""
    after: Answer | Drop | None = None
    body_bytes: int | None = None
    """How many bytes of the body are sent before the connection is cut; None for a whole answer."""


class DisturbedAnswer(Struct, frozen=True, kw_only=True):
    """A disturbed answer; without one the connection is cut at once."""

    stamp: Stamp = NO_STAMP
    answer: Response | Watch | WebSocketMessages | RelayedAnswer | None = None
    body_bytes: int | None = None


def plan_of(effects: tuple[Effect, ...]) -> FaultPlan:
    """Return the plan that effects make together."""
    plan = FaultPlan()
    for effect in effects:
        match effect:
            case Delay(seconds):
                plan = replace(plan, delay=plan.delay + seconds)
            case Stale(revisions, only_from_cache):
                plan = replace(plan, revisions_ago=revisions, only_from_cache=only_from_cache)
            case Pages(items):
                plan = replace(plan, page=items)
            case Truncate(body_bytes):
                plan = replace(plan, body_bytes=body_bytes)
            case Answer() | Drop() if effect.after_commit:
                plan = replace(plan, after=effect)
            case Answer() | Drop():
                plan = replace(plan, before=effect)
    return plan


def refusal(effect: Answer) -> status.StatusError:
    """Return the failure that an effect answers with."""
    reason = effect.reason or REASON_OF_CODE.get(effect.code, "")
    message = effect.message or f"fakecluster: a fault answers {effect.code}"
    return status.failure(effect.code, reason, message, {}, retry_after=effect.retry_after)


async def disturb(
    arrived: ArrivedRequest,
    plan: FaultPlan,
    gateway: Gateway[T],
    clock: Clock,
    complete: Callable[[T], Awaitable[Response | Watch | WebSocketMessages | RelayedAnswer]],
) -> DisturbedAnswer:
    """Carry out the planned effects on a request."""
    # The delay comes first: a client that goes away meanwhile never reaches the server.
    if plan.delay:
        await _wait(clock, plan.delay)
    if isinstance(plan.before, Drop):
        return DisturbedAnswer()
    if plan.before is not None:
        stamp, outcome_of_rejection = gateway.reject_by_fault(arrived, refusal(plan.before))
        return DisturbedAnswer(
            stamp=stamp, answer=await complete(outcome_of_rejection), body_bytes=plan.body_bytes
        )
    # The request takes effect even where its answer is lost: that is what after_commit is for.
    is_older = not plan.only_from_cache or dict(arrived.query).get("resourceVersion") == "0"
    stamp, outcome = gateway.handle(
        _in_short_pages(arrived, plan.page), plan.revisions_ago if is_older else 0
    )
    answer = await complete(outcome)
    if plan.after is not None and isinstance(answer, RelayedAnswer):
        # Whatever is answered in its place, the stream behind must not stay open.
        answer.abort()
    if isinstance(plan.after, Drop):
        return DisturbedAnswer(stamp=stamp)
    if plan.after is not None:
        _, answer = gateway.refuse(arrived, refusal(plan.after))
    return DisturbedAnswer(stamp=stamp, answer=answer, body_bytes=plan.body_bytes)


def _in_short_pages(arrived: ArrivedRequest, items: int) -> ArrivedRequest:
    """Return a request that asks for pages with a smaller limit, any other one unchanged."""
    query = dict(arrived.query)
    if not items or (short(query.get("limit", "")) or 0) <= items:
        return arrived
    return replace(arrived, target=f"{arrived.path}?{urlencode({**query, 'limit': str(items)})}")


async def _wait(clock: Clock, seconds: float) -> None:
    """Wait.

    The client that waits for the answer does not count as at work meanwhile:
    virtual time would stand still for both.
    """
    due, excuse = asyncio.Event(), clock.excuse()

    def over() -> None:
        excuse.close()
        due.set()

    clock.call_at(clock.now() + seconds, over)
    await due.wait()
