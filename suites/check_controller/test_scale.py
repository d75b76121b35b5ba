"""CHK: many Workloads at once, and one among them that cannot be answered (family H-61)."""

import pytest

from kueue_conformance import scenario, within

SOME, THOUSAND = 10, 1000


@pytest.mark.timeout(600)
@scenario(
    "CHK-160",
    "a thousand Workloads get their verdicts",
    level="should",
    requirement="controllers#scale",
    shows="CC-081 CC-074",
    serial=True,
    drivers=("ready",),
    clauses={"a": "each is answered within 600 s on virtual time, 240 s in real time (budget 'scale')"},
)
def test_thousand_workloads(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    queue = make_queue([check])

    kueue.precheck_many(queue, THOUSAND)

    within("scale", lambda: queue.has_verdicts("Ready", check, times=THOUSAND), clause="a")


@scenario(
    "CHK-162",
    "a Workload whose verdict cannot be written does not hold up the others",
    requirement="controllers#scale",
    shows="CC-082 CC-076",
    needs=("faults",),
    drivers=("ready", "pending"),
    clauses={
        "a": "its verdict is refused",
        "b": "the others are answered",
        "c": "new ones as well",
        "d": "in the end it is answered itself",
    },
)
def test_failing_workload_starves_nobody(make_queue, subject, kueue, faults):
    check = subject.make_check()
    queue = make_queue([check])
    failing, *passing = [kueue.precheck(queue) for _ in range(SOME)]
    within("react", check.is_active)
    faults.refuse_verdicts_on(failing, 500)
    subject.set_answer("Ready")

    within("react", faults.have_struck, clause="a")
    within("react", lambda: queue.has_verdicts("Ready", check, times=len(passing)), clause="b")
    new = kueue.precheck(queue)
    within("react", lambda: new.has_states("Ready", check), clause="c")
    faults.remove_all()
    within("recover", lambda: failing.has_states("Ready", check), clause="d")
