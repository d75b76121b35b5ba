"""The process that started the shared control plane replaces it by that of another release."""

from contextlib import suppress
from dataclasses import replace
from types import SimpleNamespace

import pytest

from kueue_conformance.backends.features import OWN
from kueue_conformance.base.errors import UnmetPremise, UsageError
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.options import read
from kueue_conformance.run import Run
from kueue_conformance.run.programs import CaseControlPlane
from kueue_conformance.scenarios.capability import UPGRADES
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


def real_kueue(name, story, release):
    """A Kueue that is started as a process, and says its version then."""
    return SimpleNamespace(
        name="upstream",
        features=frozenset({UPGRADES}),
        lacks=frozenset(),
        install=lambda *_: story.append(f"{name} installed"),
        replace=lambda *_: story.append(f"{name} replaces"),
        start=lambda *_: begin(name, story),
        release=lambda: release,
        feature_gates=dict,
        uninstall=lambda: story.append(f"{name} removed"),
    )


def begin(name, story):
    story.append(f"{name} begins")
    return SimpleNamespace(stop=lambda: story.append(f"{name} ends"))


REAL = "upstream:manifests={}.yaml,command=./{}"


@pytest.fixture
def upgrade(monkeypatch):
    """Returns a run in which one real Kueue, or the reference, takes the place of another."""
    monkeypatch.setattr(Run, "lent", lambda *_: SimpleNamespace(close=lambda: None, log=None))

    def choose(former_release, release, **options_by_name):
        options = {"backend": "envtest", "report-dir": "", "control-plane": REAL.format("new", "new")}
        former = {"upgrade-from": REAL.format("old", "old")}
        shared_run, story = Run(read({**options, **former, **options_by_name}, seed=1)), []
        shared_run._backend = SimpleNamespace(shared=True, features=frozenset({OWN}), name="envtest")
        shared_run._control_plane = real_kueue("new", story, release)
        shared_run._former_control_plane = real_kueue("old", story, former_release)
        shared_run.announce = story.append
        return shared_run, story

    return choose


def test_the_old_kueue_is_started_first_to_say_its_version(upgrade):
    run, story = upgrade("v0.19.2", "v0.20.7")

    run.shared_kueue.begin(visible=lambda: False)

    assert story == [
        "old installed",
        "old begins",
        "upgrades begin with Kueue v0.19.2, dialect v0.19",
        "old ends",
        "new replaces",
        "new begins",
    ]
    assert (run.settings.upgrade_from, *run.settings.dialects) == (OLD, NEW)


def test_a_case_begins_with_the_old_kueue_and_ends_with_the_new_one(upgrade):
    run, story = upgrade("v0.19.2", "v0.20.7")
    run.shared_kueue.begin(visible=lambda: False)
    story.clear()

    run.shared_kueue.play(OLD)
    with run.shared_kueue.replace_by(NEW):
        story.append("none works")
    run.shared_kueue.restart()
    run.shared_kueue.close()

    assert story == [
        *("new ends", "old replaces", "old begins"),
        *("old ends", "new replaces", "none works", "new begins"),
        *("new ends", "new installed", "new begins"),
        *("new removed", "new ends"),
    ]


@pytest.mark.parametrize(
    ("releases", "problem"),
    [
        pytest.param(("", "v0.20.7"), "the Kueue of --upgrade-from says no version", id="no version"),
        pytest.param(
            ("v0.20.7", "v0.20.7"), "judged by the same dialect, v0.20: nothing would", id="the same"
        ),
    ],
)
def test_kueues_that_are_no_two_releases_are_refused(releases, problem, upgrade):
    run, _ = upgrade(*releases)

    with pytest.raises(UsageError, match=problem):
        run.shared_kueue.begin(visible=lambda: False)


def test_a_real_kueue_is_upgraded_from_a_release_that_is_named(upgrade):
    run, _ = upgrade("v0.19.2", "v0.20.7")
    run.shared_kueue.begin(visible=lambda: False)
    assert run.missing(STORY) == ""

    run.settings = replace(run.settings, upgrade_from=None)

    assert run.missing(STORY) == "upgrade of Kueue"


def test_a_case_that_ends_while_none_works_leaves_the_next_one_a_kueue(upgrade):
    run, story = upgrade("v0.19.2", "v0.20.7")
    run.shared_kueue.begin(visible=lambda: False)
    with suppress(UnmetPremise), run.shared_kueue.replace_by(OLD):
        raise UnmetPremise("undetermined", hint="")
    story.clear()

    run.shared_kueue.play(OLD)

    assert story == ["old installed", "old begins"]
    assert run.missing(STORY) == ""


def test_a_case_asks_the_kueue_of_now_whether_it_has_ended(upgrade):
    run, _ = upgrade("v0.19.2", "v0.20.7")
    run.shared_kueue.begin(visible=lambda: False)
    case = CaseControlPlane(None, lambda: run.shared_kueue.playing)
    former = run.shared_kueue.playing
    former.exit_reason = lambda: "was stopped for the upgrade"

    run.shared_kueue.play(OLD)
    run.shared_kueue.playing.exit_reason = str

    assert case.exit_reason() == ""
