"""CHK: which rights a check controller needs, beside those that it asks for (family H-60, CC-078)."""

from kueue_conformance import Capability, always, scenario, within

SEEN = ("journal",)
PLAYED = (*SEEN, "scripted control plane")


@scenario(
    "CHK-150",
    "a check controller needs no right to update Workloads or AdmissionChecks, only their status",
    level="should",
    requirement="controllers#least-privilege",
    shows="CC-078 CC-030",
    needs=SEEN,
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "Kueue's objects are written through their status only"},
)
def test_least_privilege(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(subject.has_written_status_only, clause="b")


@scenario(
    "CHK-151",
    "the declared role grants all that is needed from the start to a verdict",
    level="should",
    requirement="controllers#least-privilege",
    shows="CC-078",
    needs=PLAYED,
    capabilities=(Capability.RESTART,),
    serial=True,
    drivers=("ready",),
    clauses={
        "a": "started again, the controller gives a verdict",
        "b": "the role of the subject file grants what it needed",
    },
)
def test_declared_role_is_enough(make_queue, subject, kueue):
    subject.require_declared_role()
    subject.set_answer("Ready")
    with subject.delay_start():
        check = subject.make_check()
        workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(subject.has_used_granted_rights_only, clause="b")
