"""Stories of one Workload and two checks, of which `a` is the subject's, as short as they can be told."""

from kueue_conformance.history.story import SUBJECT, Change, Request
from kueue_conformance.rules import Story, judge
from kueue_conformance.scenarios.dialect import known_dialects

OURS, NAME = "example.com/ours", "example.com/others"
AT = 1_800_000_000.0
BOUND = b'{"metadata": {"resourceVersion": "1"}}'
NOW, EARLIER = "2027-01-15T08:00:00Z", "2027-01-15T07:00:00Z"


def check(name, controller=OURS, **fields):
    return {
        "metadata": {"name": name, "resourceVersion": "1"},
        "spec": {"controllerName": controller},
        **fields,
    }


def entry(name, state, time=EARLIER, **fields):
    return {"name": name, "state": state, "lastTransitionTime": time, **fields}


def workload(*entries, conditions=("QuotaReserved",), spec=None, metadata=None, **fields):
    status_conditions = [{"type": condition_type, "status": "True"} for condition_type in conditions]
    return {
        "metadata": {"name": "work", **(metadata or {})},
        "spec": spec or {},
        "status": {"conditions": status_conditions, "admissionChecks": [*entries], **fields},
    }


def change(before, after, kind="Workload", name="work", actor=SUBJECT, *, revision=9, after_seconds=0.0):
    return Change(
        revision=revision,
        at=AT + after_seconds,
        actor=actor,
        verb="update",
        kind=kind,
        namespace="",
        name=name,
        before=before,
        after=after,
    )


def attempt(**changes):
    fields = {
        "verb": "patch",
        "subresource": "status",
        "code": 200,
        "message": "",
        "changed": True,
        "body": BOUND,
    }
    workload_fields = {"kind": "Workload", "namespace": "ns", "name": "work"}
    return Request(at=AT, **{**fields, **workload_fields, **changes})


MADE = [
    change(None, check("a"), "AdmissionCheck", "a", "user", revision=1),
    change(None, check("b", NAME), "AdmissionCheck", "b", "user", revision=1),
]


def broken_rules(changes=(), attempts=(), dialect="v0.19", requests=(), timeout_scale=1.0):
    story = Story(
        changes=[*MADE, *changes],
        attempts=attempts,
        controller=OURS,
        requests=requests,
        timeout_scale=timeout_scale,
    )
    return [violation.rule for violation in judge(story, known_dialects()[dialect])]
