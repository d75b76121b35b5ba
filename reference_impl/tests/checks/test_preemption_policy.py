"""When preemptions are issued, as a table (AC-442…445, AC-462…468, AC-488)."""

from __future__ import annotations

import pytest

from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.checks.preemption_policy import at_reservation, may_preempt

ANYTIME, AFTER = "Anytime", "AfterCheckPassedOrOnDemand"


def checks(**states: str) -> Checks:
    """Checks by name: their states, and a reason after a colon."""
    answers = {name: text.split(":") for name, text in states.items()}
    return Checks(
        tuple(
            {"name": name, "state": state, "reason": "".join(reason)}
            for name, (state, *reason) in answers.items()
        )
    )


TABLE = {
    "there is no check": (checks(), {}, True),
    "none delays": (checks(a="Pending", b="Pending"), {"a": ANYTIME, "b": ANYTIME}, True),
    "one delays": (checks(a="Pending", b="Ready"), {"a": AFTER, "b": ANYTIME}, False),
    "the one that delays has passed": (checks(a="Ready", b="Pending"), {"a": AFTER, "b": ANYTIME}, True),
    "one of two has passed": (checks(a="Ready", b="Pending"), {"a": AFTER, "b": AFTER}, False),
    "an unknown policy delays": (checks(a="Pending"), {"a": "Sometimes"}, False),
    "a check that is not there delays": (checks(a="Pending"), {}, False),
    "it asks": (checks(a="Pending:PreemptionRequired"), {"a": AFTER}, True),
    "it asks by the older name": (checks(a="Pending:BookQuotaRequired"), {"a": AFTER}, True),
    "another one asks": (
        checks(a="Pending", b="Pending:PreemptionRequired"),
        {"a": AFTER, "b": ANYTIME},
        True,
    ),
    "one that has passed asks": (
        checks(a="Pending", b="Ready:PreemptionRequired"),
        {"a": AFTER, "b": AFTER},
        False,
    ),
    "one that objects asks": (checks(a="Retry:PreemptionRequired"), {"a": AFTER}, False),
    "another reason": (checks(a="Pending:Retry"), {"a": AFTER}, False),
}


@pytest.mark.parametrize(("answers", "policies", "expected"), TABLE.values(), ids=TABLE)
def test_when_preemptions_are_issued(answers: Checks, policies: dict[str, str], expected: bool) -> None:
    assert may_preempt(answers, policies) is expected
    assert at_reservation(answers, policies)
