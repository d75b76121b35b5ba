"""The figures of a run: a row every minute, and what they must not do."""

import math
import statistics
from dataclasses import dataclass, field

from .programs import Resources

MOST_GROWTH = 0.10
"""How much more a program may hold in the last quarter than in the one before it."""
SPARE = Resources(bytes=16 << 20, descriptors=16, threads=4)
"""What may come on top: the parts of a small number vary by more than its tenth."""


@dataclass(frozen=True, kw_only=True)
class Row:
    """One interval: `second` is its end, `seconds` are latencies, `resources` are by program."""

    second: float
    resources: dict[str, Resources] = field(default_factory=dict)
    requests: int = 0
    request_p50_seconds: float = 0.0
    request_p99_seconds: float = 0.0
    event_p99_seconds: float = 0.0
    jobs: int = 0
    leader_changes: int = 0
    disturbances: int = 0


def percentile(values, percent):
    """Return the smallest value that so many percent do not exceed; 0 of no values."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(len(ordered) * percent / 100) - 1)] if ordered else 0.0


def growth(rows):
    """Yield a finding for each program that holds more and more: the last quarter of a run against the third,
    in which nothing is killed any more.
    """
    quarter = len(rows) // 4
    if quarter < 2:
        return
    third, last = rows[2 * quarter : 3 * quarter], rows[3 * quarter :]
    for name in rows[-1].resources:
        for what in ("bytes", "descriptors", "threads"):
            before, after = (_median(part, name, what) for part in (third, last))
            if after > before * (1 + MOST_GROWTH) + getattr(SPARE, what):
                yield f"{name} grows: {what} from {before:.0f} to {after:.0f} (median of a quarter)"


def _median(rows, name, what):
    values = [getattr(row.resources[name], what) for row in rows if name in row.resources]
    return statistics.median(values) if values else 0.0
