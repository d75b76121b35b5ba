"""Back-off arithmetic: the delay before attempt n doubles up to a limit (AC-347, Q-341).

Kueue spreads delays by up to 0.01 %; the API cuts moments to the second, so that is left out here.
"""

from __future__ import annotations


def delay(attempt: int, *, base: float, limit: float) -> float:
    """Return the seconds before the given attempt, counted from 1."""
    exponent = min(attempt - 1, 64)
    return float(min(base * 2**exponent, limit))
