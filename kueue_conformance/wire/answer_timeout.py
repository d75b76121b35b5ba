"""How long an API server is waited for, and the error where it does not answer."""

from __future__ import annotations

from typing import Any

from ..base.errors import EnvironmentProblem

_CONNECT_SECONDS = 10.0
_READ_SECONDS = 75.0
"""Seconds; an API server ends a request itself after 60."""


def answer_timeout() -> Any:
    """Return the time-outs of a request that is no watch."""
    from urllib3 import Timeout

    return Timeout(connect=_CONNECT_SECONDS, read=_READ_SECONDS)


def no_answer(host: str, problem: Exception) -> EnvironmentProblem:
    """Return the error for a request that a server did not answer."""
    from urllib3.exceptions import ReadTimeoutError

    hint = (
        "it took the request: is its machine busy with other work?"
        if isinstance(problem, ReadTimeoutError)
        else "is it running, and is the kubeconfig for it?"
    )
    return EnvironmentProblem(f"the API server at {host} does not answer: {problem}", hint=hint)
