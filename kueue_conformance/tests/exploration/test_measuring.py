"""What measures `explore`: a limit within a run, and why a wrong control plane is missed."""

from dataclasses import replace

import pytest

from ..killing.override import Override, wrap
from ..killing.planes import planes
from .bounded_process import run_bounded
from .measuring import Outcome
from .missed_planes import NOT_DRAWN, NOT_JUDGED, RARE, reason_of


def work_without_end():
    while True:
        pass


def test_what_works_without_end_is_ended_and_what_returns_is_not():
    results = dict(run_bounded({"ends": lambda: 7, "never ends": work_without_end}, 0.2, 2))

    assert results == {"ends": 7, "never ends": None}


class Decisions:
    """One decision, where a wrong control plane replaces it."""

    @staticmethod
    def decide():
        return "right"


@pytest.mark.parametrize(
    ("is_reached", "is_found", "reason"),
    [(False, False, NOT_DRAWN), (True, False, RARE), (True, True, f"{NOT_JUDGED}: differs")],
)
def test_why_a_control_plane_is_missed_is_what_its_stories_reach(is_reached, is_found, reason):
    override = Override(Decisions, "decide", wrap(lambda right: f"not {right()}"))
    plane = replace(planes()[0], overrides=(override,))

    def compare(counted):
        with counted.install():
            assert not is_reached or Decisions.decide() == "not right"
        return Outcome(is_found, 1, "differs")

    assert reason_of(plane, compare) == reason
