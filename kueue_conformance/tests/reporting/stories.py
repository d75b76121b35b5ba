"""The story of a case for tests: a check controller answers
before quota is reserved, and tries a state that is none.
"""

from kueue_conformance.history.story import SUBJECT, Change, Question, Request
from kueue_conformance.report.evidence import Evidence

CONTROLLER = "example.com/budget"
CHECK = {"metadata": {"name": "check"}, "spec": {"controllerName": CONTROLLER}}
TIME = "1970-01-01T00:00:03Z"


def workload(state="", *true, revision="1"):
    """Return a Workload with an entry in a state and with conditions that are True."""
    entries = [{"name": "check", "state": state, "message": "", "lastTransitionTime": TIME}] if state else []
    conditions = [
        {"type": condition_type, "status": "True", "reason": condition_type} for condition_type in true
    ]
    metadata = {"name": "w", "namespace": "ns", "uid": "u", "resourceVersion": revision}
    return {
        "kind": "Workload",
        "metadata": metadata,
        "spec": {},
        "status": {"conditions": conditions, "admissionChecks": entries},
    }


def change(revision, actor, before, after, **fields):
    """Return a change of the Workload, or of something else."""
    default_fields = {
        "kind": "Workload",
        "namespace": "ns",
        "name": "w",
        "verb": "patch",
        "at": float(revision),
    }
    return Change(revision=revision, actor=actor, before=before, after=after, **{**default_fields, **fields})


CREATED, PENDING, READY = workload(), workload("Pending"), workload("Ready")
RESERVED, ADMITTED = workload("Ready", "QuotaReserved"), workload("Ready", "QuotaReserved", "Admitted")
CHANGES = (
    change(1, "user", None, CHECK, kind="AdmissionCheck", name="check", namespace="", verb="create"),
    change(2, "user", None, CREATED, verb="create"),
    change(3, "kueue", CREATED, PENDING),
    change(4, SUBJECT, PENDING, READY, subresource="status"),
    change(6, "kueue", READY, RESERVED),
    change(7, "kueue", RESERVED, ADMITTED),
    change(8, "user", ADMITTED, None, verb="delete"),
)
REFUSED = Request(
    agent="acme/1",
    at=5.0,
    verb="patch",
    resource="workloads",
    subresource="status",
    kind="Workload",
    namespace="ns",
    name="w",
    code=422,
    message='status.admissionChecks[0].state: Unsupported value: "Yes"',
    body=b'{"status":{}}',
    query={"fieldManager": "budget"},
)
LISTED = Request(
    at=0.5, verb="list", resource="workloads", code=200, answered=900, agent="acme/1", query={"limit": "500"}
)
ABOUT = {
    "suite": "0.1.0",
    "scenario": "CHK-010",
    "revision": 1,
    "title": "nothing is done early",
    "test": "test_x[v0.19]",
    "node": "check_controller/test_timing.py::test_x[v0.19]",
    "dialect": "v0.19",
    "parameters": {},
    "controller": CONTROLLER,
    "seed": 5,
    "options": {"subject": "process:./mine"},
    "fingerprint": "CHK-010.a",
    "text": "CHK-010.a  it is done",
    "faults": [{"at": 2.5, "fault": "refuse", "values": [409], "times": 3}],
}
ASKED = Question(
    at=3.5, namespace="ns", workload="w", check="check", answer={"state": "Ready", "message": "fine"}
)
KEPT = Evidence(
    about=ABOUT, changes=CHANGES, requests=(LISTED, REFUSED), questions=(ASKED,), attempts=(REFUSED,)
)
