"""How conditions are found, set and taken away (AC-250…274)."""

from __future__ import annotations

from typing import Any

import pytest

from reference_impl.api import instants
from reference_impl.kueue.workload import conditions as c
from reference_impl.kueue.workload.conditions import Condition

from .objects import EARLIER, NOW, condition

OTHER = condition("Other")
STAMP = instants.render(NOW)


def test_a_new_condition_comes_last_with_the_generation_ac_273() -> None:
    conditions = c.put([OTHER], Condition("Admitted", True, "R", "m"), 3, NOW)

    assert conditions == [
        OTHER,
        {
            "type": "Admitted",
            "status": "True",
            "reason": "R",
            "message": "m",
            "lastTransitionTime": STAMP,
            "observedGeneration": 3,
        },
    ]


SET = {"the same status": (True, EARLIER), "another status": (False, STAMP)}


@pytest.mark.parametrize(("status", "since"), SET.values(), ids=SET)
def test_the_time_moves_with_the_status_alone_and_the_place_never(status: bool, since: str) -> None:
    before = [condition("Admitted", True, "old"), OTHER]

    written, other = c.put(before, Condition("Admitted", status, "new", "m"), None, NOW)

    assert (written["reason"], written["lastTransitionTime"], other) == ("new", since, OTHER)
    assert written["status"] == str(status)
    assert "observedGeneration" not in written
    assert before[0]["reason"] == "old"


LONG = {"as long as may be": (32768, 32768), "longer": (32769, 32768)}


@pytest.mark.parametrize(("length", "expected"), LONG.values(), ids=LONG)
def test_a_message_that_is_too_long_is_cut_ac_274(length: int, expected: int) -> None:
    (written,) = c.put([], Condition("Admitted", True, "R", "x" * length), None, NOW)

    assert len(written["message"]) == expected
    assert (written["message"] == "x" * length) is (length == expected)


TRUE = {"True": (condition("A"), True), "False": (condition("A", False), False), "absent": (OTHER, False)}


@pytest.mark.parametrize(("stored", "expected"), TRUE.values(), ids=TRUE)
def test_a_condition_is_true_when_it_is_there_and_says_so(stored: Any, expected: bool) -> None:
    assert c.is_true([OTHER, stored], "A") is expected
    assert c.find([OTHER, stored], "A") == (None if stored is OTHER else stored)
    assert c.without([OTHER, stored], "A") == [entry for entry in (OTHER, stored) if entry is OTHER]
