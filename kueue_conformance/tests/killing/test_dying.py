"""A control plane that dies in the middle of a case: an error that says what died, and neither failed nor
passed (§5 of its rules).
"""

from dataclasses import replace

import pytest

from kueue_conformance.base.errors import ControlPlaneDied
from kueue_conformance.case.context import within
from kueue_conformance.history.fact import Fact
from kueue_conformance.tests.running.stub import context
from reference_impl.kueue.checks.entries import Checks
from reference_impl.kueue.queueing.queue_manager import QueueManager

from .judging_planes import run
from .override import Override, wrap
from .own_errors import find_in_text
from .planes import WrongPlane


class Dead(BaseException):
    """Nothing that a controller would catch."""


def dies(_, *args, **kwargs):
    raise Dead("no heads today")


PLANE = WrongPlane(
    name="dies",
    zoo="control-planes",
    family="",
    row="",
    wrong="dies",
    named="ADM-201",
    safety="",
    level="must",
    dialect="v0.19",
    overrides=(Override(QueueManager, "pending", wrap(dies)),),
)


wrong_names = pytest.mark.parametrize("error", [AttributeError, NameError, TypeError, ImportError])


def raises(error):
    def decides(_, *args, **kwargs):
        raise error("gone")

    return decides


def test_a_dead_control_plane_is_an_error_and_no_failure():
    with pytest.raises(RuntimeError, match=r"ADM-201 ends in an error: .* died"):
        run(PLANE, ["ADM-201"])


def test_a_wait_ends_when_the_control_plane_has_died():
    case = context(ended=lambda: "the part 'scheduler' died of Dead: why")

    with case.current(), pytest.raises(ControlPlaneDied) as died:
        case.react()

    assert str(died.value).startswith(
        "the control plane died in the middle of ADM-204: the part 'scheduler' died of Dead: why\n  hint: "
    )


def test_one_that_lives_is_let_alone():
    case = context()

    with case.current():
        assert within("settle", lambda: Fact(True, "it is so", "it is so"))


def test_a_failed_case_names_the_safety_rules_that_were_broken_as_well():
    plane = replace(PLANE, overrides=(Override(Checks, "are_all_ready", lambda _: lambda _: True),))

    text = run(plane, ["ADM-201"]).texts["ADM-201"]

    assert text.startswith("ADM-201 ")
    assert "\n  rules      AC-285  Workload workload-1-adm-201-" in text


@wrong_names
def test_a_control_plane_that_calls_what_is_gone_catches_nothing(error):
    plane = replace(PLANE, overrides=(Override(Checks, "are_all_ready", wrap(raises(error))),))

    with pytest.raises(RuntimeError, match=r"dies breaks instead of deciding wrongly: (.|\n)*gone"):
        run(plane, ["ADM-201"])


def test_a_case_that_shows_a_name_that_is_gone_is_known_by_its_text():
    text = "the subject died\n  log  | AttributeError: 'Draft' object has no attribute 'now'\n  hint: look"

    assert find_in_text(text) == ["AttributeError: 'Draft' object has no attribute 'now'"]
