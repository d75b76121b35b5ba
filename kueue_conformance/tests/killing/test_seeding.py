"""Wrong control planes are judged in several seeds by children of one process (N-04)."""

import pytest

from .seeding import in_seeds


@pytest.mark.parametrize(
    "plane", ["reserves_nothing", "moves_the_time_with_every_write"], ids=["of a rule", "of a recorded story"]
)
def test_a_wrong_control_plane_is_caught_in_each_seed(plane):
    assert sorted(in_seeds([plane], (3, 4), most=1)) == [(plane, 3, True), (plane, 4, True)]


def test_one_that_cannot_be_judged_is_an_error():
    with pytest.raises(RuntimeError, match="before it judged not_there"):
        [*in_seeds(["not_there"], (3,), most=1)]
