"""The recorded stories of Kueue: their files and rows, what is compared of them, and that what differs is
told with its level.
"""

import copy
from dataclasses import replace

import pytest

from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.base.budget import Budgets
from kueue_conformance.base.errors import UsageError
from kueue_conformance.base.resources import fixtures
from kueue_conformance.case.context import CaseContext
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.control_planes.reference import ReferenceControlPlane
from kueue_conformance.recordings import view
from kueue_conformance.recordings.comparison import agreement, agreement_of_states, differences, moved_times
from kueue_conformance.recordings.document import State, Story, folder, folders, stories, story
from kueue_conformance.recordings.examiner import judge
from kueue_conformance.recordings.known_differences import KnownDifference, known_differences
from kueue_conformance.recordings.renaming import Renaming
from kueue_conformance.recordings.replay import PlayedStory, play
from kueue_conformance.scenarios.dialect import known_dialects
from kueue_conformance.scenarios.stories import DIALECT, recorded_stories
from kueue_conformance.wire.client import Client

STORIES = recorded_stories()
ROWS = set((fixtures() / "rows.txt").read_text("utf-8").split())
VIRTUAL_ONLY_SECONDS = 30


def names(recorded_story):
    return recorded_story.story


def test_every_recorded_story_is_a_row_and_every_row_is_recorded():
    assert sorted(recorded_story.story for recorded_story in STORIES) == sorted(
        name for where in folders() for file in where.iterdir() for name in stories(file)
    )


def test_every_row_is_two_scenarios_of_the_profile():
    profile = {row.id for row in inventory().values() if row.profile.name == "KUEUE-RECORDED"}

    assert {name for row in STORIES for name in (row.id, row.texts)} == profile
    assert len(profile) == 2 * len(STORIES)


@pytest.mark.parametrize("recorded_story", STORIES, ids=names)
def test_rows_exist(recorded_story):
    assert set(recorded_story.rows) <= ROWS


@pytest.mark.parametrize("recorded_story", STORIES, ids=names)
def test_provenance(recorded_story):
    recorded = story(recorded_story.story).recorded

    release = {DIALECT: "v0.19.2"}.get(recorded_story.dialect, recorded_story.dialect)
    assert (recorded["program"], recorded["version"]) == ("kueue", release)


@pytest.mark.parametrize("recorded_story", STORIES, ids=names)
def test_what_only_virtual_time_can_wait_for_says_so(recorded_story):
    waits = [step.wait for step in story(recorded_story.story).steps]
    waits += [a["pass"] for step in story(recorded_story.story).steps for a in step.actions if "pass" in a]

    assert ("virtual time" in recorded_story.needs) == (max(waits) > VIRTUAL_ONLY_SECONDS)


@pytest.mark.parametrize("recorded_story", STORIES, ids=names)
def test_who_plays_the_job_controller_wants_no_other(recorded_story):
    plays = any(
        a.keys() & {"finish", "run"} for step in story(recorded_story.story).steps for a in step.actions
    )

    assert ("no built-in controllers" in recorded_story.needs) == plays


@pytest.mark.parametrize(
    "recorded_story", [recorded_story for recorded_story in STORIES if not recorded_story.of_topic], ids=names
)
def test_a_file_that_is_written_anew_says_the_same(recorded_story, tmp_path):
    read = story(recorded_story.story)
    file = tmp_path / f"{recorded_story.story}.yaml"
    file.write_text(read.text(read.recorded, [step.state for step in read.steps]), "utf-8")

    assert stories(file) == {read.name: read}
    assert file.read_text("utf-8") == (folder() / file.name).read_text("utf-8")


def test_known_differences_name_steps_and_rows():
    rows = [row for rows_of_story in known_differences().values() for row in rows_of_story]

    assert [
        row
        for row in rows
        if row.row not in ROWS or row.step not in [step.title for step in story(row.story).steps]
    ] == []


@pytest.fixture(scope="module")
def backend():
    fake_backend = FakeBackend()
    yield fake_backend
    fake_backend.close()


@pytest.fixture
def context(backend):
    dialect, reference = known_dialects()[DIALECT], ReferenceControlPlane()
    lease = backend.lend(dialect, lambda base: reference.install(base, dialect))
    manager = reference.start(lease, dialect)
    client = Client(lease.transport, agent="recorded/1")
    yield CaseContext(lease, dialect, Budgets(True, 1.0), client, "recorded", lambda: None)
    manager.stop()
    lease.close()


@pytest.mark.parametrize(
    "recorded_story", [recorded_story for recorded_story in STORIES if not recorded_story.of_topic], ids=names
)
def test_the_reference_does_and_tells_what_was_recorded(recorded_story, context):
    read = story(recorded_story.story)
    played, rows = play(context, read, "krc-"), known_differences().get(recorded_story.story, ())

    assert [judge(read, played, rows, texts_only=texts_only) for texts_only in (False, True)] == [[], []]


CONDITION = {
    "type": "Evicted",
    "status": "True",
    "reason": "AdmissionCheck",
    "message": "by c1",
    "observedGeneration": 3,
    "lastTransitionTime": "2026-11-21T10:00:00Z",
}
ENTRY = {
    "name": "c1",
    "state": "Ready",
    "message": "ok",
    "lastTransitionTime": "2026-11-21T10:00:01Z",
    "retryCount": 1,
}
WORKLOAD = {
    "metadata": {"name": "w1", "generation": 3, "finalizers": []},
    "spec": {"active": True},
    "status": {
        "conditions": [CONDITION],
        "admissionChecks": [ENTRY],
        "requeueState": {"count": 1, "requeueAt": "2026-11-21T10:00:09Z"},
    },
}
EVENT = {
    "involvedObject": {"kind": "Workload", "name": "w1"},
    "type": "Normal",
    "reason": "Admitted",
    "message": "was 3s",
}


def state_of(workload, events, before=None):
    objects_by_kind = {"Workload": [workload]}
    was = view.transitions({"Workload": [before]}) if before else {}
    return State(
        objects=view.objects(objects_by_kind),
        events=view.events(events),
        moved=moved_times(was, view.transitions(objects_by_kind)),
    )


RECORDED = state_of(WORKLOAD, [EVENT], WORKLOAD)


def with_change(*path, value):
    changed_workload = copy.deepcopy(WORKLOAD)
    parent = changed_workload
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return changed_workload


IN_STATUS = [
    (("conditions", 0, "status"), "False", "Workload/w1 conditions", False),
    (("conditions", 0, "reason"), "Preempted", "Workload/w1 conditions", False),
    (("conditions", 0, "message"), "by c2", "Workload/w1 conditions", True),
    (("conditions", 0, "observedGeneration"), 2, "Workload/w1 behind", False),
    (("conditions", 0, "lastTransitionTime"), "2026-11-21T10:00:02Z", "Workload/w1 times that moved", False),
    (("admissionChecks", 0, "state"), "Pending", "Workload/w1 checks", False),
    (("admissionChecks", 0, "retryCount"), 2, "Workload/w1 checks", False),
    (("admissionChecks", 0, "message"), "well", "Workload/w1 checks", True),
    (("admissionChecks", 0, "lastTransitionTime"), "2026-11-21T10:00:02Z", "Workload/w1 times that moved", False),
    (("requeueState", "count"), 2, "Workload/w1 status", False),
]  # fmt: skip


@pytest.mark.parametrize(
    ("path", "value", "where", "is_text_only"),
    IN_STATUS,
    ids=[f"{row[0][0]}-{row[0][-1]}" for row in IN_STATUS],
)
def test_a_change_of_the_status_is_one_difference(path, value, where, is_text_only):
    changed_state = state_of(with_change("status", *path, value=value), [EVENT], WORKLOAD)

    assert [
        (difference.where, difference.is_text_only) for difference in differences(RECORDED, changed_state)
    ] == [(where, is_text_only)]


EVENTS = [
    ([], "event Workload/w1 Normal Admitted", False),
    ([EVENT, {**EVENT, "reason": "Evicted"}], "event Workload/w1 Normal Evicted", False),
    ([{**EVENT, "message": "was 4h"}], "event Workload/w1 Normal Admitted: was 4h", True),
    ([EVENT, EVENT], "event Workload/w1 Normal Admitted: was <n>s", True),
    ([{**EVENT, "series": {"count": 5}}], "event Workload/w1 Normal Admitted: was <n>s", True),
]


@pytest.mark.parametrize(
    ("events", "where", "is_text_only"), EVENTS, ids=["missing", "more", "text", "twice", "series"]
)
def test_a_change_of_the_events_is_told_first_by_what_it_is(events, where, is_text_only):
    found_differences = list(differences(RECORDED, state_of(WORKLOAD, events, WORKLOAD)))

    assert (found_differences[0].where, found_differences[0].is_text_only) == (where, is_text_only)


def test_what_was_not_recorded_is_not_compared():
    views = {
        name: {key: field for key, field in fields.items() if key != "behind"}
        for name, fields in RECORDED.objects.items()
    }
    old = State(objects=views, events=dict.fromkeys(RECORDED.events, 0))

    assert (
        list(differences(old, state_of(with_change("metadata", "generation", value=9), [EVENT, EVENT]))) == []
    )


def test_a_text_has_no_part_in_how_a_control_plane_acts():
    played = PlayedStory(
        states=[
            state_of(with_change("status", "conditions", 0, "message", value="else"), [EVENT], WORKLOAD),
            RECORDED,
        ]
    )
    recorded_story = two_steps()

    assert judge(recorded_story, played, (), texts_only=False) == []
    assert [
        line.partition(" recorded")[0] for line in judge(recorded_story, played, (), texts_only=True)
    ] == ["step `first`: Workload/w1 conditions:"]


def two_steps():
    steps = story("kep-zero").steps[:2]
    return Story(
        name="made",
        recorded={},
        steps=[
            replace(step, title=title, state=RECORDED)
            for step, title in zip(steps, ("first", "second"), strict=True)
        ],
    )


KNOWN = KnownDifference(
    story="made", step="second", where="Workload/w1 conditions", row="AC-270", reason="so"
)


def test_a_known_difference_is_no_difference():
    other = state_of(with_change("status", "conditions", 0, "reason", value="Else"), [EVENT], WORKLOAD)

    assert judge(two_steps(), PlayedStory(states=[RECORDED, other]), (KNOWN,), texts_only=False) == []


def test_a_known_difference_that_is_gone_is_told():
    (line,) = judge(two_steps(), PlayedStory(states=[RECORDED, RECORDED]), (KNOWN,), texts_only=False)

    assert line.startswith("step `second`: Workload/w1 conditions: as recorded by now: remove its row")


def test_a_story_that_cannot_go_on_is_a_difference():
    played = PlayedStory(states=[RECORDED], ended="there is no Workload w1")

    assert judge(two_steps(), played, (), texts_only=False) == [
        "step `second`: cannot be played: there is no Workload w1"
    ]


def test_names_get_a_mark_and_lose_it_again():
    actions = [
        {"create": {"kind": "ClusterQueue", "metadata": {"name": "cq"}}},
        {"create": {"kind": "Job", "metadata": {"name": "j1"}}},
    ]
    names = Renaming.of("krc-001-", actions)
    patch = {"spec": {"clusterQueue": "cq", "jobs": ["j1", "cq"], "priority": 1}}

    assert names.to_cluster(patch) == {
        "spec": {"clusterQueue": "krc-001-cq", "jobs": ["j1", "krc-001-cq"], "priority": 1}
    }
    assert names.from_cluster("reserved in krc-001-cq of krc-001-team") == "reserved in cq of team"


def test_runs_that_differ_are_recorded_with_what_each_did():
    runs = [{"a": [1, "x"], "b": 1}, {"a": [1, "y"], "b": 1}, {"a": [1, "x"], "b": 1}]

    assert agreement(runs) == {"a": [1, {"either": ["x", "y"]}], "b": 1}


def test_a_count_is_recorded_where_two_runs_agree():
    runs = [State(objects={}, events={"a": 1, "b": 1}), State(objects={}, events={"a": 1, "b": 2})]

    assert [agreement_of_states([[state] for state in states])[0].events for states in (runs, runs[:1])] == [
        {"a": 1, "b": 0},
        {"a": 0, "b": 0},
    ]


def test_runs_with_other_events_are_not_recorded():
    runs = [[State(objects={}, events={"a": 1})], [State(objects={}, events={})]]

    with pytest.raises(UsageError, match="the events differ between two runs of one story: a"):
        agreement_of_states(runs)
