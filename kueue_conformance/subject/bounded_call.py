"""A call that the run waits for no longer than some seconds, whatever it does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")


class TimeLimitExceeded(Exception):
    """The time of a call is over, and it has not returned."""


def call_within(seconds: float, function: Callable[[], Result]) -> Result:
    """Return what a function returns, and raise what it raises.

    Raises TimeLimitExceeded when time is over, RuntimeError when the function calls `exit`.
    """
    results: list[Result] = []
    problems: list[Exception] = []

    def work() -> None:
        try:
            results.append(function())
        except SystemExit as end:
            # A thread that exits raises nothing in the one that waits for it.
            problems.append(RuntimeError(f"it called exit({end.code!r})"))
        # The caller gets it, whatever it is.
        except Exception as problem:  # noqa: BLE001
            problems.append(problem)

    # A thread cannot be killed: a daemon at least does not keep the run from its end.
    thread = threading.Thread(target=work, daemon=True, name="bounded call")
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise TimeLimitExceeded(f"it did not end within {seconds:g} s")
    if problems:
        raise problems[0]
    return results[0]
