"""The process that started the shared control plane replaces it by that of another release."""

from types import SimpleNamespace

import pytest

from kueue_conformance.backends.features import OWN
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.options import read
from kueue_conformance.run import Run
from kueue_conformance.scenarios.dialect import select

(OLD,), (NEW,) = select("0.19.2"), select("0.20.7")
STORY = inventory()["UPG-001"]


@pytest.fixture
def run():
    """A run on a server of the harness that all processes share."""
    shared_run = Run(
        read({"backend": "envtest", "upgrade-from": "0.19.2", "dialect": "0.20.7", "report-dir": ""}, seed=1)
    )
    shared_run._backend = SimpleNamespace(shared=True, features=frozenset({OWN}), name="envtest")
    return shared_run


@pytest.fixture
def run_and_story(run, monkeypatch):
    """The process that has started its control plane, and what became of that."""
    story = []

    def start(_, dialect, __):
        story.append(f"begins {dialect.version}")
        return SimpleNamespace(stop=lambda: story.append(f"ends {dialect.version}"))

    cluster = SimpleNamespace(close=lambda: story.append("closed"), log=None)
    monkeypatch.setattr(Run, "lent", lambda *_: cluster)
    run._control_plane = SimpleNamespace(
        name="reference",
        features=run.control_plane.features,
        install=lambda _, dialect, __: story.append(f"installed {dialect.version}"),
        lacks=frozenset(),
        start=start,
        release=str,
        feature_gates=dict,
    )
    run.shared_kueue.begin(visible=lambda: False)
    return run, story


def test_a_case_begins_with_the_former_release_and_ends_with_the_new_one(run_and_story):
    run, story = run_and_story

    run.shared_kueue.play(OLD)
    with run.shared_kueue.replace_by(NEW):
        story.append("none works")

    assert story == [
        "installed 0.20.7",
        "begins 0.20.7",
        "ends 0.20.7",
        "installed 0.19.2",
        "begins 0.19.2",
        "ends 0.19.2",
        "installed 0.20.7",
        "none works",
        "begins 0.20.7",
    ]


def test_what_plays_the_release_goes_on(run_and_story):
    run, story = run_and_story

    run.shared_kueue.play(NEW)

    assert story == ["installed 0.20.7", "begins 0.20.7"]


def test_what_this_process_can_replace_is_not_missing(run_and_story):
    run, _ = run_and_story

    assert run.missing(STORY) == ""


def test_a_worker_does_not_replace_it(run):
    run.shared_kueue.play(OLD)

    assert run.missing(STORY) == (
        "upgrade of Kueue: several processes share one control plane, which is configured for a case in a run with -n 0"
    )


def test_a_cluster_of_others_keeps_its_kueue(run_and_story):
    run, _ = run_and_story
    run._backend.features = frozenset()

    assert run.missing(STORY) == "upgrade of Kueue"
