"""Where all cases share one control plane, a run in one process configures it for a case that wants that, and
takes it back.
"""

from types import SimpleNamespace

import pytest

from kueue_conformance.backends.features import OWN
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.control_planes import ADMISSION_FAIR_SHARING, CONFIGURABLE, FAIR_SHARING
from kueue_conformance.options import read
from kueue_conformance.run import Run

FAIR = inventory()["QUE-205"]


class CaseControlPlane:
    """A control plane that tells when it begins and ends."""

    def __init__(self, story, features):
        self._story, self._name = story, ", ".join(sorted(features)) or "as usual"
        story.append(f"begins {self._name}")

    def stop(self):
        self._story.append(f"ends {self._name}")


@pytest.fixture
def run():
    """A run on a server that all processes share."""
    shared_run = Run(read({"backend": "envtest", "control-plane": "reference"}, seed=1))
    shared_run._backend = SimpleNamespace(shared=True, features=frozenset({OWN}), name="envtest")
    return shared_run


@pytest.fixture
def run_and_story(run):
    """The process that has started its control plane, and what became of that."""
    story = []
    run.shared_kueue.start_as = lambda features: CaseControlPlane(story, features)
    run.shared_kueue.playing = run.shared_kueue.start_as(frozenset())
    return run, story


def test_a_real_kueue_is_as_its_manifests_have_it(run_and_story):
    run, story = run_and_story
    run._control_plane = SimpleNamespace(name="upstream", features=CONFIGURABLE)

    with run.shared_kueue.with_configuration(frozenset({FAIR_SHARING})):
        pass

    assert story == ["begins as usual"]


def test_process_that_started_it_configures_it_for_a_case(run_and_story):
    run, story = run_and_story
    with run.shared_kueue.with_configuration(frozenset({FAIR_SHARING, ADMISSION_FAIR_SHARING})):
        story.append("the case")

    assert story == [
        "begins as usual",
        "ends as usual",
        "begins admission fair sharing, fair sharing",
        "the case",
        "ends admission fair sharing, fair sharing",
        "begins as usual",
    ]


def test_case_that_wants_nothing_leaves_it_alone(run_and_story):
    run, story = run_and_story
    with run.shared_kueue.with_configuration(frozenset()):
        pass

    assert story == ["begins as usual"]


def test_it_is_taken_back_when_a_case_fails(run_and_story):
    run, story = run_and_story
    with (
        pytest.raises(ValueError, match="failed"),
        run.shared_kueue.with_configuration(frozenset({FAIR_SHARING})),
    ):
        raise ValueError("failed")

    assert story[-1] == "begins as usual"


def test_what_this_process_can_configure_is_not_missing(run_and_story):
    run, _ = run_and_story

    assert run.missing(FAIR) == ""


def test_worker_says_how_to_run_what_it_cannot_configure(run):
    assert run.missing(FAIR) == (
        "fair sharing: several processes share one control plane, which is configured for a case in a run with -n 0"
    )
