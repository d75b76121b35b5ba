"""When a request may be made again (PA-095…098)."""

from __future__ import annotations

from typing import Final

from .config import RetryStrategy

JITTER: Final = 0.0001
INT32: Final = 2**32
LARGEST: Final = 2**31 - 1
FAR: Final = 2.0**62


def retry_delay(strategy: RetryStrategy, attempt: int, jitter: float) -> int:
    """Return the seconds before the request after `attempt`; `jitter` is between 0 and 1.

    The first wait is not limited, a maximum of 0 limits nothing,
    and a number that no int32 holds comes out negative (PC-05).
    """
    seconds = _doubling(strategy, attempt)
    # Kueue's wait.Backoff caps a step only when it is multiplied: the first is taken as
    # it is.
    limited = seconds if attempt == 1 or not strategy.maximum else min(seconds, strategy.maximum)
    return _int32(int(limited * (1 + JITTER * jitter)))


def retry_delay_within_limits(strategy: RetryStrategy, attempt: int, jitter: float) -> int:
    """Return the same with the first wait limited too,
    and never a number that the API refuses (PA-095, PC-05, fixed).
    """
    seconds = _doubling(strategy, attempt)
    limited = min(seconds, strategy.maximum) if strategy.maximum > 0 else seconds
    return int(max(0.0, min(limited * (1 + JITTER * jitter), LARGEST)))


def retry_delay_v0_6(attempt: int) -> float:
    """Return the seconds after which v0.6 made the next request, counted from the failure (DK-05)."""
    return float(min(60 * 2 ** (attempt - 1), 1800))


def _doubling(strategy: RetryStrategy, attempt: int) -> float:
    return float(min(strategy.base * 2.0 ** min(attempt - 1, 62), FAR))


def _int32(value: int) -> int:
    """Wrap a number as a Go conversion to int32 does."""
    # Go wraps silently.
    return (value + INT32 // 2) % INT32 - INT32 // 2


def is_retry_delay(strategy: RetryStrategy, attempt: int, seconds: int) -> bool:
    """Tell whether a wait that was written down is one of these, whatever its jitter was."""
    return retry_delay(strategy, attempt, 0.0) <= seconds <= retry_delay(strategy, attempt, 1.0)
