"""Tolerations of a pod together with those of its RuntimeClass."""

from __future__ import annotations

import pytest

from fakecluster.admission.plugins import runtime_class
from fakecluster.base.work_budget import TooMuchWork, fresh_budget

ANY = {"key": "a", "operator": "Exists"}
FIVE = {**ANY, "effect": "NoExecute", "tolerationSeconds": 5}
NINE = {**FIVE, "tolerationSeconds": 9}
EQUAL = {"key": "a", "operator": "Equal", "value": "b"}


@pytest.mark.parametrize(
    ("tolerations", "merged"),
    [
        pytest.param([ANY, ANY], [ANY], id="equal ones"),
        pytest.param([FIVE, ANY], [ANY], id="one that the next includes"),
        pytest.param([ANY, FIVE], [ANY], id="one that the first includes"),
        pytest.param([FIVE, NINE], [NINE], id="the longer time"),
        pytest.param([EQUAL, {"operator": "Exists"}], [{"operator": "Exists"}], id="everything"),
        pytest.param([EQUAL, {**EQUAL, "value": "c"}], [EQUAL, {**EQUAL, "value": "c"}], id="other values"),
    ],
)
def test_what_another_toleration_includes_is_left_out(tolerations, merged):
    assert runtime_class.merge_tolerations(tolerations) == merged


def test_very_many_tolerations_are_too_much_work():
    with fresh_budget(), pytest.raises(TooMuchWork, match="pairs of tolerations"):
        runtime_class.merge_tolerations([{**EQUAL, "value": str(number)} for number in range(1001)])
