"""What the entries of checks say together (AC-285, AC-287, AC-291)."""

from __future__ import annotations

import pytest

from reference_impl.checks.entries import Checks

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
    entries = [{"name": f"check-{place}", "state": state} for place, state in enumerate(states)]
    checks = Checks.of({"admissionChecks": entries})

    assert (checks.all_ready, checks.negative) == (ready, negative)
