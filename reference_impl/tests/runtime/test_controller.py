"""The controller loop: retries, what is worth a log line, coming back later (AC-374)."""

import asyncio
import io

import pytest

from reference_impl.runtime.controller import Controller, RequeueAfter
from reference_impl.runtime.errors import ApiError, UnreachableError
from reference_impl.runtime.log import Logger

from .clocks import HandClock

CONFLICT = ApiError(409, "Conflict", "the object has been modified")
INVALID = ApiError(422, "Invalid", "spec: Required value")


def raise_overload(code, **details):
    status = {"code": code, "reason": "Busy", "message": "slow down", "details": details}
    return ApiError.of(status)


def reconcile_once(outcome):
    """Let a controller reconcile one key; return delays until its next try, and the log."""
    clock, lines = HandClock(), io.StringIO()

    async def reconcile(_key):
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    async def run():
        controller = Controller("c", reconcile, clock, Logger(clock=clock, stream=lines))
        controller.queue.add("ns/x")
        task = asyncio.create_task(controller.run())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        due = clock.due
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return due

    return asyncio.run(run()), lines.getvalue()


@pytest.mark.parametrize(
    ("outcome", "due"),
    [
        pytest.param(None, [], id="at rest"),
        pytest.param(RequeueAfter(30.0), [30.0], id="later"),
        pytest.param(RequeueAfter(), [0.005], id="with backoff"),
        pytest.param(CONFLICT, [0.005], id="conflict"),
        pytest.param(INVALID, [0.005], id="refused"),
        pytest.param(UnreachableError("gone"), [0.005], id="no answer"),
        pytest.param(raise_overload(429, retryAfterSeconds=7), [7.0], id="when the server wants it"),
        pytest.param(raise_overload(503, retryAfterSeconds=7), [7.0], id="when the server is back"),
        pytest.param(raise_overload(429), [0.005], id="the server does not say when"),
        pytest.param(raise_overload(409, retryAfterSeconds=7), [0.005], id="a conflict is no overload"),
        pytest.param(ZeroDivisionError("oops"), [0.005], id="bug"),
        pytest.param(ApiError(404, "NotFound", "not found"), [], id="deleted meanwhile"),
    ],
)
def test_when_a_key_comes_again(outcome, due):
    assert reconcile_once(outcome)[0] == due


@pytest.mark.parametrize(
    ("outcome", "lines"),
    [
        pytest.param(CONFLICT, 0, id="a conflict is everyday life"),
        pytest.param(INVALID, 1, id="a refusal"),
        pytest.param(ZeroDivisionError("oops"), 1, id="a bug, without a traceback"),
    ],
)
def test_what_is_worth_a_line(outcome, lines):
    assert reconcile_once(outcome)[1].count("\n") == lines
