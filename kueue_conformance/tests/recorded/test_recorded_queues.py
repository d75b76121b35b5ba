"""Recorded stories about queues: what is compared of them, and that a wrong recording and a control plane
that does nothing fail.
"""

import copy
from contextlib import contextmanager
from dataclasses import replace

import pytest

from kueue_conformance.backends.fake import FakeBackend
from kueue_conformance.base.budget import Budgets
from kueue_conformance.base.errors import UsageError
from kueue_conformance.case.context import CaseContext
from kueue_conformance.control_planes import CONFIGURABLE, ServedApis
from kueue_conformance.control_planes.reference import ReferenceControlPlane
from kueue_conformance.recordings import quota_view
from kueue_conformance.recordings.actor import Actor, CannotAct, workload_manifest
from kueue_conformance.recordings.comparison import differences
from kueue_conformance.recordings.document import State, stories, story, topic_of
from kueue_conformance.recordings.examiner import judge
from kueue_conformance.recordings.known_differences import known_differences
from kueue_conformance.recordings.renaming import Renaming
from kueue_conformance.recordings.replay import play
from kueue_conformance.scenarios.dialect import select
from kueue_conformance.scenarios.stories import recorded_stories
from kueue_conformance.wire.client import Client

STORIES = [recorded_story for recorded_story in recorded_stories() if recorded_story.of_topic]
OF_TOPICS = list(
    {
        topic_of(recorded_story.story): recorded_story
        for recorded_story in reversed(STORIES)
        if "webhooks" not in recorded_story.needs
    }.values()
)
"""The first story of each file; the profile plays all of them."""


def names(recorded_story):
    return recorded_story.story


@pytest.fixture(scope="module")
def backend():
    fake_backend = FakeBackend()
    yield fake_backend
    fake_backend.close()


@contextmanager
def at_work(backend, recorded_story, *, idle=False):
    """Lend a cluster with the reference, which does nothing where it is idle."""
    (dialect,), reference = select(recorded_story.dialect), ReferenceControlPlane()
    serving = ServedApis(configured=CONFIGURABLE & set(recorded_story.needs))
    lease = backend.lend(dialect, lambda base: reference.install(base, dialect, serving))
    manager = None if idle else reference.start(lease, dialect, serving)
    client = Client(lease.transport, agent="recorded/1")
    yield CaseContext(lease, dialect, Budgets(True, 1.0), client, "recorded", lambda: None)
    if manager:
        manager.stop()
    lease.close()


@pytest.mark.parametrize("recorded_story", OF_TOPICS, ids=names)
def test_the_reference_does_and_tells_what_was_recorded(recorded_story, backend):
    read = story(recorded_story.story)
    with at_work(backend, recorded_story) as context:
        played = play(context, read, "krc-")

    rows = known_differences().get(recorded_story.story, ())
    assert [judge(read, played, rows, texts_only=texts_only) for texts_only in (False, True)] == [[], []]


@pytest.mark.parametrize("recorded_story", OF_TOPICS, ids=names)
def test_a_control_plane_that_does_nothing_does_not_act_as_recorded(recorded_story, backend):
    with at_work(backend, recorded_story, idle=True) as context:
        played = play(context, story(recorded_story.story), "krc-")

    assert judge(story(recorded_story.story), played, (), texts_only=False) != []


@pytest.mark.parametrize("recorded_story", STORIES, ids=names)
def test_in_every_story_something_is_decided(recorded_story):
    for step in story(recorded_story.story).steps:
        idle = {
            name: {**view, "conditions": {}} if name.startswith("Workload/") else view
            for name, view in step.state.objects.items()
        }
        story_differences = list(differences(step.state, replace(step.state, objects=idle)))
        if any(not difference.is_text_only for difference in story_differences):
            return
    pytest.fail("no Workload has a condition in any step")


@pytest.mark.parametrize("recorded_story", STORIES, ids=names)
def test_a_story_says_where_it_comes_from(recorded_story):
    recorded = story(recorded_story.story).recorded

    assert "neither recorded nor proven here" in recorded["source"]
    assert "proof" not in recorded


WORKLOAD = {
    "metadata": {"name": "w"},
    "spec": {},
    "status": {
        "conditions": [{"type": "QuotaReserved", "status": "True", "reason": "QuotaReserved", "message": "in a"}],
        "admission": {
            "clusterQueue": "a",
            "podSetAssignments": [{"name": "main", "count": 2, "flavors": {"cpu": "f"}, "resourceUsage": {"cpu": "2"}}],
        },
        "admissionChecks": [{"name": "k", "state": "Ready", "message": "not compared"}],
        "schedulingStats": {"evictions": [{"reason": "Preempted", "count": 1}]},
        "resourceRequests": [{"name": "main", "resources": {"cpu": "2"}}],
        "requeueState": {"count": 1},
    },
}  # fmt: skip
QUEUE = {
    "metadata": {"name": "a"},
    "spec": {},
    "status": {
        "conditions": [{"type": "Active", "status": "True", "reason": "Ready", "message": "ready"}],
        "pendingWorkloads": 1,
        "reservingWorkloads": 2,
        "admittedWorkloads": 3,
        "flavorsReservation": [{"name": "f", "resources": [{"name": "cpu", "total": "2", "borrowed": "1"}]}],
        "flavorsUsage": [{"name": "f", "resources": [{"name": "cpu", "total": "2"}]}],
        "fairSharing": {"weightedShare": 84},
    },
}
COHORT = {"metadata": {"name": "c"}, "spec": {}, "status": {"fairSharing": {"weightedShare": 7}}}
PARTS = [
    ("Workload", WORKLOAD, ("conditions", 0, "status"), "False", "conditions", False),
    ("Workload", WORKLOAD, ("conditions", 0, "reason"), "Pending", "conditions", False),
    ("Workload", WORKLOAD, ("conditions", 0, "message"), "in b", "conditions", True),
    ("Workload", WORKLOAD, ("admission", "clusterQueue"), "b", "admission", False),
    ("Workload", WORKLOAD, ("admission", "podSetAssignments", 0, "count"), 1, "admission", False),
    ("Workload", WORKLOAD, ("admission", "podSetAssignments", 0, "flavors", "cpu"), "g", "admission", False),
    ("Workload", WORKLOAD, ("admission", "podSetAssignments", 0, "resourceUsage", "cpu"), "1", "admission", False),
    ("Workload", WORKLOAD, ("admissionChecks", 0, "state"), "Retry", "checks", False),
    ("Workload", WORKLOAD, ("schedulingStats", "evictions", 0, "count"), 2, "evictions", False),
    ("Workload", WORKLOAD, ("resourceRequests", 0, "resources", "cpu"), "1", "resourceRequests", False),
    ("Workload", WORKLOAD, ("requeueState", "count"), 2, "requeueState", False),
    ("ClusterQueue", QUEUE, ("pendingWorkloads",), 0, "pending", False),
    ("ClusterQueue", QUEUE, ("reservingWorkloads",), 0, "reserving", False),
    ("ClusterQueue", QUEUE, ("admittedWorkloads",), 0, "admitted", False),
    ("ClusterQueue", QUEUE, ("flavorsReservation", 0, "resources", 0, "borrowed"), "0", "reservation", False),
    ("ClusterQueue", QUEUE, ("flavorsUsage", 0, "resources", 0, "total"), "1", "usage", False),
    ("ClusterQueue", QUEUE, ("fairSharing", "weightedShare"), 83, "share", False),
    ("ClusterQueue", QUEUE, ("conditions", 0, "message"), "set", "conditions", True),
    ("Cohort", COHORT, ("fairSharing", "weightedShare"), 8, "share", False),
]  # fmt: skip


def state_of(kind, manifest, events=()):
    return State(objects={f"{kind}/x": quota_view.VIEWS[kind](manifest)}, events=dict.fromkeys(events, 1))


@pytest.mark.parametrize(
    ("kind", "manifest", "path", "value", "field_path", "is_text_only"),
    PARTS,
    ids=[f"{row[0]}-{'-'.join(map(str, row[2]))}" for row in PARTS],
)
def test_a_change_of_a_status_is_one_difference(kind, manifest, path, value, field_path, is_text_only):
    other = copy.deepcopy(manifest)
    parent = other["status"]
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value

    status_differences = list(differences(state_of(kind, manifest), state_of(kind, other)))

    assert [(difference.where, difference.is_text_only) for difference in status_differences] == [
        (f"{kind}/x {field_path}", is_text_only)
    ]


def test_a_text_of_a_check_is_not_compared():
    other = copy.deepcopy(WORKLOAD)
    other["status"]["admissionChecks"][0]["message"] = "else"

    assert list(differences(state_of("Workload", WORKLOAD), state_of("Workload", other))) == []


def test_flags_are_seen():
    gone = {
        **WORKLOAD,
        "metadata": {"name": "w", "deletionTimestamp": "2026-11-21T10:00:00Z"},
        "spec": {"active": False},
    }

    flag_differences = list(differences(state_of("Workload", WORKLOAD), state_of("Workload", gone)))

    assert [difference.where for difference in flag_differences] == [
        "Workload/x deleting",
        "Workload/x inactive",
    ]


VARIES = State(
    objects={"ClusterQueue/a": {"pending": {"any": [1, 2]}, "usage": {"f": {"any": ["<absent>"]}}}}, events={}
)


@pytest.mark.parametrize(
    "view", [{"pending": 7, "usage": {}}, {"pending": 1, "usage": {"f": {}}}, {"usage": {}}]
)
def test_what_varies_may_be_anything_and_nothing(view):
    assert list(differences(VARIES, State(objects={"ClusterQueue/a": view}, events={}))) == []


PENDING, OTHER, ADMITTED = (
    "W Warning Pending: no quota",
    "W Warning Pending: less quota",
    "W Normal Admitted: in a",
)
PERHAPS = [
    ("a line may come", {}, {PENDING}, {PENDING: 1}, []),
    ("a line may stay away", {PENDING: 0}, {PENDING}, {}, []),
    ("another text is told", {PENDING: 0}, {ADMITTED}, {OTHER: 1}, [True, True]),
    ("another event is done", {}, {PENDING}, {ADMITTED: 1}, [False]),
    ("any text will do", {PENDING: 0}, {"W Warning Pending"}, {OTHER: 1}, []),
    ("an event with any text may come", {}, {"W Warning Pending"}, {OTHER: 1}, []),
    (
        "an event with any text is missed where it was recorded",
        {PENDING: 0},
        {"W Warning Pending"},
        {},
        [False],
    ),
]


@pytest.mark.parametrize(
    ("recorded", "perhaps", "played_events", "text_only_flags"),
    [row[1:] for row in PERHAPS],
    ids=[row[0] for row in PERHAPS],
)
def test_events_that_may_be_told(recorded, perhaps, played_events, text_only_flags):
    before = State(objects={}, events=recorded, perhaps=frozenset(perhaps))

    assert [
        difference.is_text_only for difference in differences(before, State(objects={}, events=played_events))
    ] == text_only_flags


FILE = """
recorded: {program: kueue, version: v0.19.2}
form: queues
stories:
  one:
    truncated: true
    steps:
    - {title: a, do: [], expect: {objects: {ClusterQueue/q: {pending: 1, admitted: 0}, Workload/w: {conditions: {}}}, events: [x], perhaps: [p]}}
    - {title: b, do: [], wait: 9, expect: {objects: {ClusterQueue/q: {pending: null, admitted: 1}, Workload/w: null}, events: [y], perhaps: [q]}}
"""


def test_a_file_of_a_topic_names_the_parts_that_change(tmp_path):
    file = tmp_path / "topic.yaml"
    file.write_text(FILE, "utf-8")

    (read_story,) = stories(file).values()
    first, second = read_story.steps

    assert (read_story.name, read_story.truncated, read_story.form) == ("topic/one", True, "queues")
    assert first.state.objects == {
        "ClusterQueue/q": {"pending": 1, "admitted": 0},
        "Workload/w": {"conditions": {}},
    }
    assert second.state == State(
        objects={"ClusterQueue/q": {"admitted": 1}}, events={"x": 0, "y": 0}, perhaps=frozenset("pq")
    )
    assert (first.wait, second.wait) == (2.2, 9)


def test_an_unknown_form_is_refused(tmp_path):
    file = tmp_path / "topic.yaml"
    file.write_text(FILE.replace("form: queues", "form: quotas"), "utf-8")

    with pytest.raises(UsageError, match="form of a story"):
        stories(file)


def test_cohorts_without_an_object_are_renamed():
    queue = {"kind": "ClusterQueue", "metadata": {"name": "a"}, "spec": {"cohortName": "co"}}
    move = {"merge": {"kind": "ClusterQueue", "name": "a", "patch": {"spec": {"cohortName": "other"}}}}
    names = Renaming.of(
        "x-", [{"create": queue}, move, {"refused": {"merge": {"patch": {"parentName": None}}}}]
    )

    assert names.names == {"a", "co", "other"}
    assert names.to_cluster(move)["merge"]["patch"] == {"spec": {"cohortName": "x-other"}}


def test_a_submitted_workload():
    sets = [
        {
            "name": "main",
            "count": 3,
            "minCount": 1,
            "requests": {"cpu": "1"},
            "pod": {"nodeSelector": {"a": "b"}},
        }
    ]
    workload_object = workload_manifest(
        {"name": "w", "queue": "q", "priority": -1, "annotations": {"gate": "shut"}, "sets": sets}
    )
    (pods,) = workload_object["spec"]["podSets"]

    assert workload_object["metadata"] == {"name": "w", "annotations": {"gate": "shut"}}
    assert (
        workload_object["spec"]["queueName"],
        workload_object["spec"]["priority"],
        "active" in workload_object["spec"],
    ) == ("q", -1, False)
    assert (pods["count"], pods["minCount"], pods["template"]["spec"]["nodeSelector"]) == (3, 1, {"a": "b"})
    assert pods["template"]["spec"]["containers"][0]["resources"] == {"requests": {"cpu": "1"}}


def test_what_was_refused_must_be_refused(backend):
    flavor = {"create": {"kind": "ResourceFlavor", "metadata": {"name": "f"}}}
    with at_work(backend, OF_TOPICS[0], idle=True) as context:
        actor = Actor(context, "team", rests=False)
        with pytest.raises(CannotAct, match="is accepted, and was refused"):
            actor.play([{"refused": flavor}], 0)
        actor.play([{"refused": flavor}], 0)  # it is there by now
