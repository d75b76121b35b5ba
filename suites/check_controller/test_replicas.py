"""CHK: two replicas of a check controller with leader election (family H-59, second half)."""

from kueue_conformance import Capability, always, rows, scenario, within

TWO = (Capability.LEADER_ELECTION,)
SEEN = ("journal",)


@scenario(
    "CHK-130",
    "only one of two replicas writes",
    level="should",
    requirement="controllers#one-writer",
    shows="CC-073 CC-043",
    capabilities=TWO,
    needs=SEEN,
    serial=True,
    drivers=("ready",),
    clauses={"a": "each entry is answered", "b": "by one replica", "c": "once"},
)
def test_one_replica_writes(make_queue, subject, kueue):
    check = subject.make_check()
    queue = make_queue([check])
    within("react", check.is_active)
    subject.start_second()
    subject.set_answer("Ready")

    first, other = kueue.precheck(queue), kueue.precheck(queue)

    within("react", lambda: first.has_states("Ready", check), clause="a")
    within("react", lambda: other.has_states("Ready", check), clause="a")
    always(subject.has_one_writer, clause="b")
    always(lambda: subject.has_given_verdicts(first, 1), clause="c")
    always(lambda: subject.has_given_verdicts(other, 1), clause="c")


@scenario(
    "CHK-131",
    "when the leader ends the other replica takes over",
    level="should",
    requirement="controllers#one-writer",
    shows="CC-073 CC-070",
    capabilities=TWO,
    needs=SEEN,
    serial=True,
    drivers=("ready",),
    cases=rows("ending", ("killed",), ("stopped",)),
    clauses={
        "a": "a verdict is given",
        "b": "the other replica gives the next one within 60 s (budget 'takeover')",
        "c": "the first is as it was",
    },
)
def test_other_replica_takes_over(make_queue, subject, kueue, ending):
    check = subject.make_check()
    queue = make_queue([check])
    within("react", check.is_active)
    subject.start_second()
    subject.set_answer("Ready")
    first = kueue.precheck(queue)
    within("react", lambda: first.has_states("Ready", check), clause="a")

    subject.kill(subject.leader()) if ending == "killed" else subject.stop(subject.leader())
    second = kueue.precheck(queue)

    within("takeover", lambda: second.has_states("Ready", check), clause="b")
    always(lambda: subject.has_given_verdicts(first, 1), clause="c")


@scenario(
    "CHK-132",
    "a second replica that starts later changes nothing",
    level="should",
    requirement=("controllers#one-writer", "controllers#idempotent"),
    shows="CC-073 CC-072 CC-015",
    capabilities=TWO,
    needs=SEEN,
    serial=True,
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "a second replica does not give it again"},
)
def test_second_replica_changes_nothing(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.start_second()

    always(subject.has_one_writer, clause="b")
    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")


@scenario(
    "CHK-133",
    "a replica that has lost its lease writes nothing any more",
    level="should",
    requirement="controllers#one-writer",
    shows="CC-073",
    capabilities=TWO,
    needs=(*SEEN, "virtual time", "scripted control plane"),
    serial=True,
    drivers=("ready", "pending"),
    clauses={"a": "the lease is known", "b": "no verdict is given without it"},
)
def test_lease_is_lost(make_queue, subject, kueue, clock):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("takeover", subject.has_lease, clause="a")

    subject.take_lease_away()
    clock.advance_budget("takeover")
    subject.set_answer("Ready")

    always(lambda: workload.has_states("Pending", check), clause="b")
