"""Stories in real time: they are in order, rest takes as long
as the machine needs, and what comes late is no breach.
"""

import threading
from itertools import islice
from types import SimpleNamespace

import pytest

from kueue_conformance.backends.watch_delays import LONGEST_SECONDS, DelayedWatch, random_delays
from kueue_conformance.backends.watch_recorder import WatchRecorder
from kueue_conformance.base.budget import Budgets
from kueue_conformance.case.judgement import judge_case
from kueue_conformance.history.rests import Rest, settled_revisions
from kueue_conformance.stage.workloads.release import ReleaseStandIn
from kueue_conformance.tests.data_and_words.control_plane_stories import change, event, with_quota, workload

from .stub import change as written
from .stub import context

WALL = Budgets(virtual=False)


def own_story(*changes):
    log = SimpleNamespace(changes=[], news=threading.Condition(), kinds=frozenset(), catch_up=lambda: None)
    front = SimpleNamespace(requests=list, settle=lambda: None, attribute=lambda story_change: story_change)
    recorder = WatchRecorder(log, lambda *_: True, front)
    recorder.log = log
    log.changes.extend(changes)
    return recorder


def test_arrivals_keep_their_positions_when_an_earlier_revision_comes_later():
    story = own_story(written(7, kind="Event"))
    arrived = list(story.arrivals(0))
    story.log.changes.append(written(6))

    arrived += story.arrivals(len(arrived))

    assert [change.revision for change in arrived] == [7, 6]
    assert [change.revision for change in story.changes()] == [6, 7]


def test_a_change_that_arrives_late_is_no_later_than_what_was_written_after_it():
    late, event = written(6, at=100.3), written(7, at=100.1, kind="Event")

    changes = own_story(event, late).changes()

    assert [(change.revision, change.at) for change in changes] == [(6, 100.1), (7, 100.1)]


def test_a_quiet_moment_is_disproved_by_what_a_late_watch_delivers_after_it():
    story = own_story(written(5))
    rests = [Rest(revision=5, arrivals=1), Rest(revision=8, arrivals=1)]
    assert settled_revisions(rests, story) == [5, 8]

    story.log.changes.append(written(7, kind="Event"))

    assert settled_revisions(rests, story) == [5]


@pytest.mark.parametrize(
    ("actor", "at", "settled"),
    [
        pytest.param("kueue", 101.0, [], id="Kueue was still about to write"),
        pytest.param("kueue", 103.0, [5], id="Kueue wrote again after a delay"),
        pytest.param("kueue-conformance", 101.0, [5], id="the scenario went on"),
        pytest.param("unknown", 101.0, [5], id="an object was deleted"),
    ],
)
def test_a_quiet_moment_is_disproved_by_a_reaction_soon_after_it(actor, at, settled):
    story = own_story(written(5, at=100.0), written(6, actor, at=at))
    rests = [Rest(revision=5, arrivals=1)]

    assert settled_revisions(rests, story, reaction_seconds=2.0) == settled


def test_an_act_without_a_write_is_after_all_that_the_server_has():
    case = context(changes=[written(5)])
    case.cluster.recorder.newest_revision = lambda: 9

    case.acts()

    assert case.viewpoint.acted == 10


def test_a_delayed_watch_keeps_the_order_of_its_kind():
    delivered, done, stop = [], threading.Event(), threading.Event()

    def deliver(change):
        delivered.append(change.revision)
        if len(delivered) == 3:
            done.set()

    watch = DelayedWatch(iter([0.02, 0.0, 0.01]), deliver, stop)
    for revision in (1, 3, 5):
        watch(written(revision))

    assert done.wait(30)
    stop.set()
    assert delivered == [1, 3, 5]


def test_delays_are_repeatable_and_differ_by_kind():
    of_workloads, repeated_delays, of_events = (
        [*islice(random_delays(1, kind), 5)] for kind in ("Workload", "Workload", "Event")
    )

    assert of_workloads == repeated_delays != of_events
    assert all(0 <= delay <= LONGEST_SECONDS for delay in of_workloads)


def test_a_story_is_in_order_of_revisions_though_one_kind_is_watched_later():
    changes = own_story(written(5), written(7), written(6, kind="Event")).changes()

    assert [story_change.revision for story_change in changes] == [5, 6, 7]


@pytest.mark.parametrize(
    "comes", [pytest.param(True, id="an event comes late"), pytest.param(False, id="an event never comes")]
)
def test_what_is_owed_at_rest_is_judged_after_a_longer_rest(comes):
    reserves = with_revision(11, change(workload(), with_quota()))
    tells = with_revision(12, change(None, event("QuotaReserved"), "Event"))
    case_context = context(changes=[reserves], budgets=WALL, kueue_works=True, rests=[Rest(11, 1)])
    case_context.about = SimpleNamespace(title="a scenario", permits=(), judges_own_jobs=False)
    case_context.client = SimpleNamespace(owns=lambda *_: True)
    case_context.cluster.recorder.kinds = None
    case_context.cluster.script = (
        {3: lambda: case_context.cluster.recorder.changes().append(tells)} if comes else {}
    )

    judgement = judge_case(case_context)

    assert ("AC-381" in {violation.rule for violation in judgement.broken}) is not comes


def with_revision(revision, story_change):
    names = ("at", "actor", "verb", "kind", "namespace", "name", "before", "after")
    return written(revision, **{name: getattr(story_change, name) for name in names})


class RecordingClient:
    """Lists one Workload, and records what is applied."""

    def __init__(self, workload):
        self.workload = workload
        self.applied = []

    def with_agent(self, agent, *, reports_writes):
        return self

    def list(self, kind, namespace):
        return [self.workload]

    def apply(self, document, *, manager, sub):
        self.applied.append(document["metadata"]["name"])


def test_an_evicted_workload_is_released_though_an_event_of_a_later_revision_came_first():
    conditions = [
        {"type": name, "status": "True", "reason": "Preempted", "message": "preempted"}
        for name in ("QuotaReserved", "Evicted")
    ]
    evicted = {
        "metadata": {"name": "work", "namespace": "ns", "uid": "u", "generation": 1},
        "status": {"conditions": conditions},
    }
    case = context()
    case.client = RecordingClient(evicted)
    case.cluster.recorder = own_story(written(29877, kind="Event", name="event"))
    stand_in = ReleaseStandIn(case, "ns")
    assert not stand_in.act()

    case.cluster.recorder.log.changes.append(written(29876, after=evicted))

    assert stand_in.act()
    assert case.client.applied == ["work"]


@pytest.mark.parametrize(
    ("virtual", "slowdown", "scale"),
    [
        pytest.param(False, 1.0, 2.0, id="an idle machine"),
        pytest.param(False, 3.0, 6.0, id="it takes three times as long"),
        pytest.param(False, 40.0, 10.0, id="no more than five times as long"),
        pytest.param(True, 40.0, 2.0, id="virtual time"),
    ],
)
def test_what_breaks_a_rule_is_judged_by_the_seconds_of_a_busy_machine(monkeypatch, virtual, slowdown, scale):
    monkeypatch.setattr("kueue_conformance.case.judgement.measure_slowdown", lambda: slowdown)
    case_context = judged_by(
        monkeypatch, lambda story: ["too late"] if story.timeout_scale < 10 else [], virtual
    )

    assert judge_case(case_context).story.timeout_scale == scale


def judged_by(monkeypatch, rule, virtual=False):
    """Return the context of a case with a subject, whose story one rule judges."""
    monkeypatch.setattr("kueue_conformance.case.judgement.judge", lambda story, *_: rule(story))
    monkeypatch.setattr("kueue_conformance.case.judgement.unreleased_work", lambda *_, **__: ())
    subject = SimpleNamespace(
        controller_name="example.com/budget", verdicts=SimpleNamespace(questions=list), job_kind=None
    )
    return context(budgets=Budgets(virtual=virtual, scale=2.0), subject=subject)
