"""Recorded stories across an upgrade: their rows, what is compared, and which options go together."""

import pytest

from kueue_conformance.base.errors import UsageError
from kueue_conformance.options.settings_reader import read
from kueue_conformance.recordings.document import State, story
from kueue_conformance.recordings.replay import PlayedStory
from kueue_conformance.recordings.upgrade import conditions, differences, effects
from kueue_conformance.scenarios.dialect import previous_line, select
from kueue_conformance.scenarios.stories import recorded_stories
from kueue_conformance.scenarios.upgrades import upgraded_stories
from kueue_conformance.session.fixtures import case_of
from kueue_conformance.tests.killing import judging_planes
from kueue_conformance.tests.killing.planes import planes

from ..command_line.processes import run

ROWS = upgraded_stories()


def test_every_story_with_a_file_of_its_own_is_cut_at_each_of_its_steps():
    steps = {row.story.story: row.steps for row in ROWS}

    assert steps == {row.story: len(story(row.story).steps) for row in recorded_stories() if not row.of_topic}
    assert len(steps) >= 40


def end(*, ended="", **content):
    return PlayedStory(states=[State(objects={"Workload/w": content}, events={})], ended=ended)


WORKLOAD = {
    "active": True,
    "conditions": {"QuotaReserved": ["False", "Pending", "no room"]},
    "checks": [{"name": "c1", "state": "Pending", "message": "Reset"}],
    "behind": {"QuotaReserved": 1},
}
SAME_EFFECTS = {
    "another reason": {"conditions": {"QuotaReserved": ["False", "WaitingForQuota", "no room"]}},
    "a condition more that does not hold": {
        "conditions": {**WORKLOAD["conditions"], "Admitted": ["False", "NoReservation", "none"]}
    },
    "another message of a check": {"checks": [{"name": "c1", "state": "Pending", "message": ""}]},
    "an older generation": {"behind": {}},
}
OTHER_EFFECTS = {
    "quota is reserved": {"conditions": {"QuotaReserved": ["True", "QuotaReserved", ""]}},
    "another state of a check": {"checks": [{"name": "c1", "state": "Ready", "message": "Reset"}]},
    "no check": {"checks": []},
    "not active": {"active": False},
}


@pytest.mark.parametrize("change", SAME_EFFECTS.values(), ids=SAME_EFFECTS)
def test_words_are_no_effects(change):
    assert [*differences(end(**WORKLOAD), end(**{**WORKLOAD, **change}), effects)] == []


@pytest.mark.parametrize("change", OTHER_EFFECTS.values(), ids=OTHER_EFFECTS)
def test_another_effect_is_a_difference(change):
    assert [*differences(end(**WORKLOAD), end(**{**WORKLOAD, **change}), effects)]


def test_a_lost_workload_is_a_difference():
    lost = PlayedStory(states=[State(objects={}, events={})])

    assert [*differences(end(**WORKLOAD), lost, effects)]


def test_words_are_compared_of_what_is_not_finished():
    other = {**WORKLOAD, **SAME_EFFECTS["another reason"]}
    finished = {"Finished": ["True", "Succeeded", "done"]}

    assert [*differences(end(**WORKLOAD), end(**other), conditions)]
    assert [
        *differences(
            end(**{**WORKLOAD, "conditions": {**WORKLOAD["conditions"], **finished}}),
            end(**{**other, "conditions": {**other["conditions"], **finished}}),
            conditions,
        )
    ] == []


def test_a_story_that_cannot_be_played_on_ends_with_the_reason():
    played = PlayedStory(states=(), ended="the action `delete` is refused")

    assert [*differences(end(**WORKLOAD), played, effects)] == [
        "the story ends: the action `delete` is refused, expected as written"
    ]


LINES_BEFORE = {"0.20.7": "0.19.14", "0.19.2": "0.18.6", "0.21.0": "0.20.7"}


@pytest.mark.parametrize(("release", "before"), LINES_BEFORE.items())
def test_the_line_before_a_release_is_its_newest_patch(release, before):
    assert previous_line(select(release)[0]).version == before


@pytest.mark.parametrize("dialect", ["0.6.2", "kep993"])
def test_no_release_comes_before_the_first_one_or_a_proposal(dialect):
    with pytest.raises(UsageError, match="no release is known that comes before"):
        previous_line(select(dialect)[0])


REAL = "upstream:manifests=kueue.yaml,command=./kueue"
REFUSED = {
    "the same release": (
        {"upgrade-from": "0.20.7", "dialect": "v0.20"},
        "--upgrade-from 0.20.7 is the release of --dialect: nothing would change",
    ),
    "a profile of check controllers that judges one release": (
        {
            "upgrade-from": "0.19.2",
            "dialect": "v0.20",
            "profile": "CHECK-CONTROLLER",
            "subject": "reference",
        },
        "--upgrade-from 0.19.2 is for profile UPGRADE-CHECK-CONTROLLER, and CHECK-CONTROLLER judges one release",
    ),
    "another profile": (
        {"upgrade-from": "0.19.2", "dialect": "v0.20", "profile": "ADMISSION"},
        "--upgrade-from 0.19.2 is for profile UPGRADE, and ADMISSION judges one release",
    ),
    "two releases": (
        {"upgrade-from": "0.18.6,0.19.2", "dialect": "v0.20"},
        "--upgrade-from '0.18.6,0.19.2' is not one release of Kueue",
    ),
    "no release": (
        {"upgrade-from": "kep993", "dialect": "v0.20"},
        "--upgrade-from 'kep993' is not one release of Kueue",
    ),
    "a real Kueue on a server that is none": (
        {"upgrade-from": REAL},
        f"--upgrade-from {REAL} with a real Kueue needs a real API server, and --backend is fake",
    ),
    "a real Kueue beside others": (
        {"upgrade-from": REAL, "backend": "kind"},
        f"--upgrade-from {REAL} needs a cluster of the harness, and --backend kind is one that others may use",
    ),
    "a real Kueue without definitions": (
        {"upgrade-from": "upstream:./kueue", "backend": "envtest"},
        "--upgrade-from upstream:./kueue: upstream:./kueue cannot take part in an upgrade",
    ),
    "a real Kueue that runs already": (
        {"upgrade-from": "0.19.2", "backend": "envtest", "control-plane": "upstream"},
        "--upgrade-from 0.19.2: upstream cannot take part in an upgrade",
    ),
    "a real Kueue and another profile": (
        {"upgrade-from": REAL, "backend": "envtest", "profile": "ADMISSION"},
        f"--upgrade-from {REAL} is for profile UPGRADE, and ADMISSION judges one release",
    ),
    "the same real Kueue": (
        {"upgrade-from": REAL, "backend": "envtest", "control-plane": REAL},
        f"--upgrade-from {REAL} is the release of --control-plane: nothing would change",
    ),
    "a cluster that others may use": (
        {
            "upgrade-from": "0.19.2",
            "dialect": "v0.20",
            "backend": "kubeconfig:c",
            "control-plane": "reference",
        },
        "--upgrade-from 0.19.2 needs a cluster of the harness, and --backend kubeconfig:c is one that others may use",
    ),
    "a control plane that is not the reference": (
        {"upgrade-from": "0.19.2", "dialect": "v0.20", "control-plane": "scripted"},
        "--upgrade-from 0.19.2 replaces one release by another, of the reference or a real Kueue, and --control-plane is scripted",
    ),
    "an unknown one": ({"upgrade-from": "0.20.99", "dialect": "v0.20"}, "unknown dialect '0.20.99'"),
}


@pytest.mark.parametrize(("options", "problem"), REFUSED.values(), ids=REFUSED)
def test_options_that_do_not_go_together_are_refused(options, problem):
    with pytest.raises(UsageError) as refusal:
        read(options, seed=1)

    assert problem in str(refusal.value)


@pytest.mark.parametrize(
    ("former", "control_plane", "played_by"),
    [
        pytest.param("0.19.2", "", "", id="the reference twice"),
        pytest.param("0.19.2", REAL, "reference", id="the reference, then a real Kueue"),
        pytest.param(REAL, "", REAL, id="a real Kueue, then the reference"),
        pytest.param(REAL.replace("kueue", "old"), REAL, REAL.replace("kueue", "old"), id="two real Kueues"),
    ],
)
def test_control_plane_of_the_former_release(former, control_plane, played_by):
    settings = read({"upgrade-from": former, "control-plane": control_plane, "backend": "envtest"}, seed=1)

    assert (settings.former_control_plane, settings.profiles) == (played_by, ("UPGRADE",))


@pytest.mark.zoo
def test_control_plane_that_reserves_nothing_fails_every_story():
    plane = next(plane for plane in planes() if plane.name == "reserves_nothing_in_any_release")
    stories = sorted(scenario_id for row in ROWS for scenario_id in (row.id, row.words))

    verdicts = judging_planes.run(plane, stories, wants_case=lambda item: case_of(item)["cut"] == 0)

    assert sorted(verdicts.failed) == stories


@pytest.mark.slow
@pytest.mark.parametrize(
    ("former", "release", "summary"),
    [
        ("0.19.2", "0.20.7", "10 cases: 10 passed"),
        ("0.20.7", "0.19.2", "10 cases: 5 passed · 5 unsupported"),
    ],
    ids=["upgrade", "downgrade"],
)
def test_a_story_is_cut_before_its_first_step_and_after_its_last(tmp_path, former, release, summary):
    words = ["UPG-005", "UPG-105", "--upgrade-from", former, "--dialect", release, "-n", "0"]
    finished = run("run", *words, cwd=tmp_path)

    assert (finished.code, summary in finished.out) == (0, True), finished.out
