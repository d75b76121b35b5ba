"""Texts that are put together of several parts (AC-489)."""

from __future__ import annotations

import pytest

from reference_impl.workload import messages

DELAYED = {
    "one check": (("a",), '1 preemption(s) wait until admission checks have passed or ask for them: "a"'),
    "two": (("a", "b"), '1 preemption(s) wait until admission checks have passed or ask for them: "a", "b"'),
}


@pytest.mark.parametrize(("checks", "told"), DELAYED.values(), ids=DELAYED)
def test_checks_that_delay_preemptions_are_named(checks: tuple[str, ...], told: str) -> None:
    assert messages.preemptions_delayed(1, checks) == told


def test_the_number_of_preemptions_replaces_an_earlier_one() -> None:
    once = messages.with_preemptions("Quota reserved in ClusterQueue cq", 2)

    assert once.startswith("Quota reserved in ClusterQueue cq")
    assert messages.with_preemptions(once, 1) == once.replace("2 preemption", "1 preemption")
    assert messages.with_preemptions(once, 0) == "Quota reserved in ClusterQueue cq"
