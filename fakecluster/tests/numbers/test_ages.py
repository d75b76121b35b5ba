"""How kubectl tells lengths of time (FK-426)."""

from __future__ import annotations

import pytest

from fakecluster.codec import ages

MINUTE, HOUR, DAY, YEAR = 60, 3600, 86_400, 365 * 86_400
LENGTHS = [
    (-2, "<invalid>"),
    (-1, "0s"),
    (0, "0s"),
    (119, "119s"),
    (2 * MINUTE, "2m"),
    (2 * MINUTE + 30, "2m30s"),
    (10 * MINUTE, "10m"),
    (3 * HOUR - 1, "179m"),
    (3 * HOUR, "3h"),
    (3 * HOUR + 5 * MINUTE, "3h5m"),
    (8 * HOUR, "8h"),
    (2 * DAY - 1, "47h"),
    (2 * DAY + 5 * HOUR, "2d5h"),
    (8 * DAY, "8d"),
    (2 * YEAR + DAY, "2y1d"),
    (8 * YEAR, "8y"),
]


@pytest.mark.parametrize(("seconds", "expected"), [pytest.param(*row, id=str(row[0])) for row in LENGTHS])
def test_lengths_get_coarser(seconds, expected):
    assert ages.duration(seconds) == expected


MOMENTS = [
    pytest.param(None, "<unknown>", id="none"),
    pytest.param("soon", "<invalid>", id="no time"),
    pytest.param("2026-01-01T00:00:00Z", "90s", id="seconds"),
    pytest.param("2026-01-01T00:00:00.500000Z", "89s", id="microseconds"),
]


@pytest.mark.parametrize(("timestamp", "expected"), MOMENTS)
def test_moments_are_told_from_now(timestamp, expected):
    assert ages.since(timestamp, ages.to_epoch_seconds("2026-01-01T00:01:30Z")) == expected
