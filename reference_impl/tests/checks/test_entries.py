"""What the entries of checks say together, and what an eviction
leaves of them (AC-285, AC-287, AC-291, AC-340, AC-345).
"""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.kueue.checks.entries import Checks

SAYS = {
    "nothing": ((), True, False),
    "Pending": (("Pending",), False, False),
    "Ready": (("Ready",), True, False),
    "Ready, Pending": (("Ready", "Pending"), False, False),
    "Retry": (("Ready", "Retry"), False, True),
    "Rejected": (("Rejected", "Ready"), False, True),
}


@pytest.mark.parametrize(("states", "ready", "negative"), SAYS.values(), ids=SAYS)
def test_what_entries_say_together(states: tuple[str, ...], ready: bool, negative: bool) -> None:
    entries = [{"name": f"check-{index}", "state": state} for index, state in enumerate(states)]
    checks = Checks.of({"admissionChecks": entries})

    assert (checks.are_all_ready, checks.has_negative) == (ready, negative)


AT_10, AT_20 = "1970-01-01T00:00:10Z", "1970-01-01T00:00:20Z"


def entry(state: str, when: str = AT_10, **fields: Any) -> Any:
    return {"name": "a", "state": state, "message": "said", "lastTransitionTime": when, **fields}


DEADLINES = {
    "no entry": ((), None),
    "no delay": ((entry("Retry"),), None),
    "a delay": ((entry("Retry", requeueAfterSeconds=5),), 15.0),
    "a delay of nothing": ((entry("Retry", requeueAfterSeconds=0),), 10.0),
    "a delay of what passed": ((entry("Ready", requeueAfterSeconds=5),), None),
    "the later end": ((entry("Retry", requeueAfterSeconds=9), entry("Retry", AT_20, requeueAfterSeconds=1)), 21.0),
    "the longer delay": ((entry("Retry", requeueAfterSeconds=19), entry("Retry", AT_20, requeueAfterSeconds=1)), 29.0),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "deadline"), DEADLINES.values(), ids=DEADLINES)
def test_until_when_a_retry_waits(entries: tuple[Any, ...], deadline: float | None) -> None:
    """Q-340."""
    assert Checks(entries).retry_deadline() == deadline


PENDING = {"name": "a", "state": "Pending", "lastTransitionTime": AT_20}
PREVIOUSLY = "Reset to Pending after eviction. Previously: "
LEFT = {
    "Pending stays": (entry("Pending", podSetUpdates=[1]), entry("Pending", podSetUpdates=[1])),
    "Ready": (entry("Ready", podSetUpdates=[1], retryCount=2), {**PENDING, "message": f"{PREVIOUSLY}Ready"}),
    "first Retry": (entry("Retry"), {**PENDING, "message": f"{PREVIOUSLY}Retry", "retryCount": 1}),
    "third Retry with a delay": (
        entry("Retry", retryCount=2, requeueAfterSeconds=7),
        {**PENDING, "message": f"{PREVIOUSLY}Retry", "requeueAfterSeconds": 7, "retryCount": 3},
    ),
    "Rejected": (entry("Rejected"), {**PENDING, "message": f"{PREVIOUSLY}Rejected"}),
}


@pytest.mark.parametrize(("before", "after"), LEFT.values(), ids=LEFT)
def test_what_an_eviction_leaves(before: Any, after: Any) -> None:
    assert Checks((before,)).reset(20).entries == (after,)
    assert Checks((before,)).keep(20).entries == (before,)
