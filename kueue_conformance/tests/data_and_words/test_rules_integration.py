"""Safety rules of job integrations over the shortest stories that they are about, and how a job is read."""

from itertools import pairwise

import pytest

from kueue_conformance.base.job_fields import JobFields, PodSetPaths
from kueue_conformance.history.story import SUBJECT, Change
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

from .control_plane_stories import AT, workload

FIELDS = JobFields(
    kind="Training",
    suspend=("spec", "suspend"),
    pod_sets=(PodSetPaths(("spec", "template"), ("spec", "workers")),),
    statuses={
        "running": {"phase": "Running", "active": "${parallelism}"},
        "stopped": {"active": 0},
        "succeeded": {"phase": "Succeeded", "active": 0},
        "failed": {"phase": "Failed", "conditions": [{"type": "Failed", "time": "${time}"}]},
    },
    managed_by=("spec", "managedBy"),
)
USER = "kueue-conformance"
OWN_JOBS = {"fields": None, "judges_own_jobs": True}
"""A story in which the control plane is judged as an integration of batch/v1 Jobs."""


def job(*, suspend=True, status=None, metadata=None, **spec):
    labels = {"kueue.x-k8s.io/queue-name": "local"}
    fixed = {"name": "train", "namespace": "ns", "uid": "1", "labels": labels, **(metadata or {})}
    spec = {"suspend": suspend, "workers": 1, "template": {"spec": {"containers": []}}, **spec}
    return {
        "apiVersion": "example.com/v1",
        "kind": "Training",
        "metadata": fixed,
        "spec": spec,
        "status": status or {},
    }


def batch_job(**spec):
    return {**job(**spec), "apiVersion": "batch/v1", "kind": "Job"}


def owned(*conditions, **fields):
    owner = {
        "apiVersion": "example.com/v1",
        "kind": "Training",
        "name": "train",
        "uid": "1",
        "controller": True,
    }
    made = workload(*conditions, **fields)
    return {**made, "metadata": {**made["metadata"], "uid": "2", "ownerReferences": [owner]}}


def broken(*writes, fields=FIELDS, **who):
    """Return the rules that writes break, each an actor, what was before and after, and all at rest between
    them.
    """
    changes = [
        Change(
            revision=number,
            at=AT + 60 * number,
            actor=actor,
            verb="patch",
            kind=(after or before).get("kind", "Workload"),
            namespace="ns",
            name=(after or before)["metadata"]["name"],
            before=before,
            after=after,
        )
        for number, (actor, before, after) in enumerate(writes, 1)
    ]
    story = Story(changes, [], "", settled=range(len(changes) + 1), job_fields=fields, **who)
    return {violation.rule for violation in judge(story, known_dialects()["v0.20"])}


ADMITTED = (USER, None, owned("QuotaReserved", "Admitted"))


def test_a_start_by_an_admitted_workload_breaks_nothing():
    assert broken((USER, None, job()), ADMITTED, (SUBJECT, job(), job(suspend=False))) == set()


@pytest.mark.parametrize(
    ("rule", "writes"),
    [
        pytest.param(
            "JI-010", [(USER, None, job()), (SUBJECT, job(), job(suspend=False))], id="without-workload"
        ),
        pytest.param(
            "JI-010",
            [
                (USER, None, job()),
                (USER, None, owned("Admitted", "Evicted")),
                (SUBJECT, job(), job(suspend=False)),
            ],
            id="evicted",
        ),
        pytest.param(
            "JI-010",
            [
                (USER, None, job()),
                ADMITTED,
                (USER, job(), job(metadata={"deletionTimestamp": "2027-01-15T08:00:00Z"})),
                (SUBJECT, job(), job(suspend=False)),
            ],
            id="deleted",
        ),
        pytest.param(
            "JI-082",
            [
                (USER, None, job(managedBy="another")),
                (SUBJECT, job(managedBy="another"), job(managedBy="ours")),
            ],
            id="managed-by",
        ),
        pytest.param(
            "JI-032",
            [
                (USER, None, job(status={"phase": "Running", "active": 1})),
                ADMITTED,
                (SUBJECT, owned("QuotaReserved", "Evicted"), owned("Evicted")),
            ],
            id="pods-left",
        ),
        pytest.param(
            "JI-032",
            [
                (USER, None, job(suspend=False)),
                (SUBJECT, owned("QuotaReserved", "Evicted"), owned("Evicted")),
            ],
            id="not-suspended",
        ),
    ],
)
def test_a_rule_is_broken(rule, writes):
    assert broken(*writes) == {rule}


def test_a_child_runs_by_the_workload_above_it():
    reference = {"kind": "Training", "name": "train", "uid": "1", "controller": True}
    metadata = {"name": "child", "uid": "3", "labels": {}, "ownerReferences": [reference]}
    child, runs = job(metadata=metadata), job(metadata=metadata, suspend=False)

    assert broken((USER, None, job()), ADMITTED, (USER, None, child), (SUBJECT, child, runs)) == set()
    assert broken((USER, None, job()), (USER, None, child), (SUBJECT, child, runs)) == {"JI-010"}


@pytest.mark.parametrize(
    ("status", "has_pods", "has_ended"),
    [
        pytest.param({}, False, False, id="new"),
        pytest.param({"phase": "Running", "active": 2}, True, False, id="running"),
        pytest.param({"active": 2}, True, False, id="fields-taken-away"),
        pytest.param({"phase": "Running"}, False, False, id="stopped"),
        pytest.param({"phase": "Succeeded"}, False, True, id="succeeded"),
        pytest.param(
            {"phase": "Failed", "conditions": [{"type": "New"}, {"type": "Failed", "time": "8:00"}]},
            False,
            True,
            id="failed",
        ),
        pytest.param({"phase": "Failed", "conditions": [{"type": "Failed"}]}, False, False, id="no-time"),
    ],
)
def test_a_status_says_whether_pods_are_left(status, has_pods, has_ended):
    assert (FIELDS.has_pods(job(status=status)), FIELDS.has_ended(job(status=status))) == (
        has_pods,
        has_ended,
    )


def test_fields_are_the_same_when_they_are_read_again():
    assert JobFields.of(FIELDS.to_dict()).to_dict() == FIELDS.to_dict()


def test_controllers_of_a_control_plane_that_answer_each_other_are_no_loop():
    states = [owned(queue=str(number)) for number in range(21)]
    answers = [("kueue", before, after) for before, after in pairwise(states)]

    def loops(actor, **who):
        return "JI-083" in broken(*((actor, *write[1:]) for write in answers), **who)

    assert (loops(SUBJECT), loops("kueue", **OWN_JOBS)) == (True, False)


def test_a_control_plane_that_integrates_jobs_itself_is_judged_by_all_its_writes():
    taken_over = (batch_job(), batch_job(managedBy="another"))

    assert broken((USER, None, batch_job()), ("kueue", *taken_over), **OWN_JOBS) == {"JI-082"}
    assert broken((USER, None, batch_job()), (USER, *taken_over), **OWN_JOBS) == set()
    assert broken((USER, None, batch_job()), ("kueue", *taken_over)) == set()


def test_a_control_plane_that_starts_a_job_without_admission_breaks_its_own_row_alone():
    start = (batch_job(), batch_job(suspend=False))

    assert broken((USER, None, batch_job()), ("kueue", *start), **OWN_JOBS) == {"AC-335"}
