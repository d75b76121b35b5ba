"""Webhooks that are functions of this process: the same reviews, without a server (FK-314)."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType

import orjson

from ...api.outcome import Call, CallResult
from ...base.json_types import Json

Function = Callable[[Json], Json] | Callable[[Json], Awaitable[Json]]
LocalFunctions = Mapping[str, Function]
"""Who answers in this process, by URL without query: what is sent → what is answered."""
NO_FUNCTIONS: LocalFunctions = MappingProxyType({})
JSON = (("content-type", "application/json"),)


async def call_function(function: Function, call: Call) -> CallResult:
    """Return what a function answers: in a thread of its own,
    so it may ask the cluster, a coroutine on the cluster's loop.
    """
    try:
        async with asyncio.timeout(call.timeout):
            review = orjson.loads(call.body)
            # A plain function may ask the cluster and block, which the loop must not.
            is_coroutine = inspect.iscoroutinefunction(function)
            body = orjson.dumps(
                await (function(review) if is_coroutine else asyncio.to_thread(function, review))
            )
    except TimeoutError:
        return CallResult(error=f'{call.method.capitalize()} "{call.url}": context deadline exceeded')
    except Exception as error:  # noqa: BLE001 - a server would answer that it failed
        text = f"{type(error).__name__}: {error}".encode()
        return CallResult(code=500, headers=(("content-type", "text/plain"),), body=text)
    return CallResult(code=200, headers=JSON, body=body)
