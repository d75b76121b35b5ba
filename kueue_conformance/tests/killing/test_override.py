"""A decision is replaced wherever it is used, and is right again afterwards."""

import pytest

from reference_impl.api.crds.definitions import definitions

from .override import wrap
from .planes import autoscalers, planes

EVERYBODY = [*planes(), *autoscalers()]


def test_what_a_decision_about_the_api_has_made_is_made_anew():
    (plane,) = [plane for plane in planes() if plane.name == "has_fields_of_later_releases"]
    right = definitions(plane.dialect)

    with plane.install():
        wrong = definitions(plane.dialect)

    assert wrong != right
    assert definitions(plane.dialect) == right


def test_a_wrong_decision_that_does_not_take_what_the_right_one_takes_is_refused():
    def wrong(right, workload):
        return right

    def right(workload, current_time):
        return workload

    with pytest.raises(
        TypeError, match=r"wrong: too many positional arguments; .*right takes \(workload, current_time\)"
    ):
        wrap(wrong)(right)


@pytest.mark.parametrize("plane", EVERYBODY, ids=[f"{mutant.zoo}-{mutant.name}" for mutant in EVERYBODY])
def test_every_wrong_decision_takes_what_the_right_one_takes(plane):
    with plane.install():
        assert plane.overrides
