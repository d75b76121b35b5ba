"""What a Job must satisfy, what may change,
and which statuses make sense (FK-466, FK-467, FK-469, FK-470, FK-477).
"""

import pytest

from .judging import UID, make, refusal, refusal_of_change, refusal_of_status

TEMPLATE = {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}
INDEXED = {"completionMode": "Indexed", "completions": 3, "parallelism": 2}
STARTED = "2026-01-01T00:00:00Z"


def job(status=None, **spec):
    obj = make("jobs.batch", spec={"template": TEMPLATE, **spec})
    return {**obj, "status": status} if status else obj


def condition(kind, status="True"):
    return {"type": kind, "status": status}


def test_the_selector_is_generated_from_the_uid_fk_466():
    labels = {
        "batch.kubernetes.io/controller-uid": UID,
        "batch.kubernetes.io/job-name": "x",
        "controller-uid": UID,
        "job-name": "x",
    }
    spec = job()["spec"]

    assert spec["selector"] == {"matchLabels": {"batch.kubernetes.io/controller-uid": UID}}
    assert spec["template"]["metadata"]["labels"] == labels


def test_a_manual_selector_is_left_alone_fk_466():
    spec = job(manualSelector=True, selector={"matchLabels": {"a": "b"}})["spec"]

    assert (spec["selector"], spec["template"]["metadata"]) == ({"matchLabels": {"a": "b"}}, {})


@pytest.mark.parametrize(
    ("spec", "texts"),
    [
        (
            {"template": {"spec": {**TEMPLATE["spec"], "restartPolicy": "Always"}}},
            ['spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"'],
        ),
        ({"parallelism": -1}, ["spec.parallelism: Invalid value: -1: must be greater than or equal to 0"]),
        (
            {"completionMode": "Indexed", "parallelism": 2},
            ["spec.completions: Required value: when completion mode is Indexed"],
        ),
        (
            {"backoffLimitPerIndex": 1},
            ["spec.backoffLimitPerIndex: Invalid value: 1: requires indexed completion mode"],
        ),
        (
            {"managedBy": "foo"},
            ['spec.managedBy: Invalid value: "foo": must be a domain-prefixed path (such as "acme.io/foo")'],
        ),
        (
            {"podFailurePolicy": {"rules": [{"action": "Ignore"}]}},
            [
                "spec.podFailurePolicy.rules[0]: Invalid value: specifying one of OnExitCodes and OnPodConditions is required"
            ],
        ),
        (
            {**INDEXED, "successPolicy": {"rules": [{"succeededIndexes": "0-9"}]}},
            [
                (
                    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "0-9": error parsing succeededIndexes:'
                    ' too large index: "9"'
                )
            ],
        ),
        (
            {"successPolicy": {"rules": [{"succeededCount": 1}]}},
            [
                (
                    'spec.successPolicy: Invalid value: {"Rules":[{"SucceededIndexes":null,"SucceededCount":1}]}:'
                    " requires indexed completion mode"
                )
            ],
        ),
    ],
    ids=[
        "restart policy",
        "negative",
        "indexed",
        "per index",
        "managed by",
        "failure policy",
        "indexes",
        "success policy",
    ],
)
def test_a_wrong_job_is_refused_fk_467(spec, texts):
    assert refusal("jobs.batch", spec={"template": TEMPLATE, **spec}) == texts


@pytest.mark.parametrize(
    ("change", "texts"),
    [
        ({"parallelism": 5, "completions": 1}, []),
        ({"suspend": True}, []),
        ({"completions": 5}, ["spec.completions: Invalid value: 5: field is immutable"]),
        (
            {"completionMode": "Indexed", "completions": 1},
            ['spec.completionMode: Invalid value: "Indexed": field is immutable'],
        ),
        ({"managedBy": "a.b/c"}, ['spec.managedBy: Invalid value: "a.b/c": field is immutable']),
        ({"podReplacementPolicy": "Failed"}, []),
    ],
    ids=["parallelism", "suspend", "completions", "mode", "managed by", "replacement"],
)
def test_changes_of_a_spec_fk_469(change, texts):
    assert refusal_of_change("jobs.batch", job(), job(**change)) == texts


def test_completions_of_an_indexed_job_follow_parallelism_fk_469():
    text = "spec.completions: Invalid value: 5: can only be modified in tandem with spec.parallelism"

    assert refusal_of_change("jobs.batch", job(**INDEXED), job(**{**INDEXED, "completions": 5})) == [text]
    assert (
        refusal_of_change(
            "jobs.batch", job(**INDEXED), job(**{**INDEXED, "completions": 5, "parallelism": 5})
        )
        == []
    )


PLACED = {"spec": {**TEMPLATE["spec"], "nodeSelector": {"a": "b"}}}
LARGER = {
    "spec": {
        **TEMPLATE["spec"],
        "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}],
    }
}
OTHER = {"spec": {**TEMPLATE["spec"], "containers": [{"name": "c", "image": "j"}]}}


@pytest.mark.parametrize(
    ("template", "suspended", "status", "allowed"),
    [
        (PLACED, True, None, True),
        (LARGER, True, None, True),
        (OTHER, True, None, False),
        (PLACED, False, None, False),
        (PLACED, True, {"startTime": STARTED}, False),
        (PLACED, True, {"startTime": STARTED, "conditions": [condition("Suspended")]}, True),
        (PLACED, True, {"startTime": STARTED, "conditions": [condition("Suspended")], "active": 1}, False),
    ],
    ids=["place", "size", "image", "running", "started", "suspended again", "pods left"],
)
def test_the_template_of_a_suspended_job_fk_470(template, suspended, status, allowed):
    old, new = job(status, suspend=suspended), job(suspend=suspended, template=template)

    assert (refusal_of_change("jobs.batch", old, new) == []) is allowed


ENDED = {
    "startTime": STARTED,
    "completionTime": STARTED,
    "conditions": [condition("SuccessCriteriaMet"), condition("Complete")],
}


@pytest.mark.parametrize(
    ("before", "after", "texts"),
    [
        ({}, {"active": 1, "ready": 1, "startTime": STARTED}, []),
        (
            {},
            {"active": 1, "ready": 2},
            ["status.ready: Invalid value: 2: cannot set more ready pods than active"],
        ),
        ({}, ENDED, []),
        (
            {},
            {"completionTime": STARTED},
            [
                f'status.completionTime: Invalid value: "{STARTED}": cannot set completionTime when there is no Complete=True condition'
            ],
        ),
        (
            {},
            {"startTime": STARTED, "conditions": [condition("Failed")]},
            [
                "status.conditions: Invalid value: cannot set Failed=True condition without the FailureTarget=true condition"
            ],
        ),
        (
            ENDED,
            {},
            [
                "status.conditions: Invalid value: cannot disable the terminal Complete=True condition",
                "status.startTime: Invalid value: null: field is immutable for unsuspended job once set",
                "status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition",
            ],
        ),
        (
            {"failed": 2},
            {"failed": 1},
            ["status.failed: Invalid value: 1: cannot decrease the failed counter"],
        ),
        (
            {},
            {"completedIndexes": "0"},
            [
                'status.completedIndexes: Invalid value: "0": cannot set non-empty completedIndexes when non-indexed completion mode',
            ],
        ),
    ],
    ids=[
        "running",
        "too many ready",
        "complete",
        "time alone",
        "failed alone",
        "never ended",
        "fewer failures",
        "indexes",
    ],
)
def test_statuses_fk_477(before, after, texts):
    assert refusal_of_status("jobs.batch", job(before or None), after) == texts
