"""Wrong control planes are judged one after another by one process, in several seeds (N-04)."""

from dataclasses import replace

import pytest

from ..mutation.pool import workers
from . import seeding
from .planes import planes
from .seeding import caught, in_seeds

PLANES = [
    pytest.param("reserves_nothing", id="of a rule"),
    pytest.param("moves_the_time_with_every_write", id="of a recorded story"),
    pytest.param("has_fields_of_later_releases", id="of the API"),
    pytest.param("makes_every_attempt_the_first", id="of provisioning"),
    pytest.param("forgets_the_users_of_queues", id="of the installation"),
]
RIGHT = "right"
"""A control plane that overrides nothing, by the scenario of the first one."""


@pytest.fixture(scope="module")
def judge(tmp_path_factory):
    folder = tmp_path_factory.mktemp("judge")
    with workers(1, folder, serve_planes) as lent:
        yield lambda name: [*caught(lent, [name], (3, 4), folder)]


def serve_planes(connection, log):
    """Judge the zoo, and a right control plane."""
    zoo = planes()
    right = replace(
        next(named_item for named_item in zoo if named_item.name == "reserves_nothing"),
        name=RIGHT,
        overrides=(),
    )
    seeding.planes = lambda: [*zoo, right]
    seeding.serve(connection, log)


@pytest.mark.parametrize("plane", PLANES)
def test_a_wrong_control_plane_is_caught_in_each_seed(judge, plane):
    assert judge(plane) == [(plane, 3, True), (plane, 4, True)]


@pytest.mark.parametrize("plane", ["reserves_nothing", "has_fields_of_later_releases"])
def test_the_right_one_is_not_caught_after_a_wrong_one(judge, plane):
    judge(plane)

    assert judge(RIGHT) == [(RIGHT, 3, False), (RIGHT, 4, False)]


def test_one_that_cannot_be_judged_is_an_error():
    with pytest.raises(RuntimeError, match="not_there cannot be judged: unknown"):
        [*in_seeds(["not_there"], (3,), most=1)]
