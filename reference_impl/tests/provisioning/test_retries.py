"""Waits before the next request (PA-095, PA-096, PC-05)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.provisioning.config import RetryStrategy
from reference_impl.kueue.provisioning.retries import (
    is_retry_delay,
    retry_delay,
    retry_delay_v0_6,
    retry_delay_within_limits,
)


@pytest.mark.parametrize(
    ("base", "maximum", "waits"),
    [
        (60, 1800, [60, 120, 240, 480, 960, 1800, 1800]),
        (60, 30, [60, 30, 30]),
        (2, 1800, [2, 4, 8, 16]),
        (0, 1800, [0, 0]),
        (60, 0, [60, 120, 240, 480, 960, 1920, 3840]),
        (-5, 1800, [-5, -10]),
    ],
)
def test_goldens(base: int, maximum: int, waits: list[int]) -> None:
    """PA-096."""
    strategy = RetryStrategy(3, base, maximum)
    assert [retry_delay(strategy, number + 1, 0.0) for number in range(len(waits))] == waits


def test_jitter_is_small_and_upwards() -> None:
    """PA-095: at most 0.01 %, cut to whole seconds."""
    assert retry_delay(RetryStrategy(3, 100_000, 0), 1, 1.0) == 100_010
    assert retry_delay(RetryStrategy(3, 600, 0), 1, 1.0) == 600
    assert is_retry_delay(RetryStrategy(3, 100_000, 0), 1, 100_007)
    assert not is_retry_delay(RetryStrategy(3, 100_000, 0), 1, 100_011)


def test_the_largest_base_comes_out_negative() -> None:
    """PC-05, and what replaces it."""
    strategy = RetryStrategy(3, 2**31 - 1, 2**31 - 1)
    assert retry_delay(strategy, 1, 0.9) < 0
    assert retry_delay_within_limits(strategy, 1, 0.9) == 2**31 - 1
    assert retry_delay_within_limits(RetryStrategy(3, -5, 10), 1, 0.0) == 0
    assert retry_delay_within_limits(RetryStrategy(3, 600, 30), 1, 0.0) == 30


def test_waits_of_v0_6() -> None:
    """DK-05."""
    assert [retry_delay_v0_6(number) for number in (1, 2, 3, 9)] == [60, 120, 240, 1800]
