"""What a scenario says of an AdmissionCheck by its history."""

from itertools import pairwise

import pytest

from kueue_conformance.stage.checks.check import Check

from .stub import change, context


def check_object(status, time):
    active = {"type": "Active", "status": status, "lastTransitionTime": time}
    return {"metadata": {"uid": "1", "name": "check"}, "status": {"conditions": [active] if status else []}}


@pytest.mark.parametrize(
    ("conditions", "holds"),
    [
        pytest.param([("", ""), ("True", "12:00"), ("True", "12:00")], True, id="it stays"),
        pytest.param([("True", "12:00"), ("True", "12:01")], False, id="the time alone moves"),
        pytest.param(
            [("True", "12:00"), ("False", "12:01"), ("True", "12:01")],
            True,
            id="parameters that its cache has not yet make it False for a moment",
        ),
    ],
)
def test_the_time_of_active_may_move_with_its_status(conditions, holds):
    objects = [None, *(check_object(*condition) for condition in conditions)]
    writes = [
        change(number, "subject", before, after, kind="AdmissionCheck", namespace="", name="check")
        for number, (before, after) in enumerate(pairwise(objects), start=1)
    ]

    fact = Check(context(changes=writes), "check").has_moved_active_time_with_status()

    assert fact.holds == holds
