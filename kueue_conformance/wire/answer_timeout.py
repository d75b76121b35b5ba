"""How long an API server is waited for, and the errors where it does not answer, or not in time."""

from __future__ import annotations

from typing import Any

import orjson

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


def check_answer(host: str, code: int, data: bytes) -> None:
    """Raise EnvironmentProblem for the answer of a server that did not get its own work done in time."""
    # 504 is its own time-out, an error of etcd has no code of its own.
    if code == 504 or (code == 500 and b"etcdserver: " in data):
        raise EnvironmentProblem(
            f"the API server at {host} answers {code}: {message_of(data)}",
            hint="is its machine busy with other work?",
        )


def message_of(data: bytes) -> str:
    """Return the message of a Status, or the text that came in its place."""
    try:
        return str(orjson.loads(data).get("message", ""))
    except (ValueError, AttributeError):
        return data.decode("utf-8", "replace").strip()
