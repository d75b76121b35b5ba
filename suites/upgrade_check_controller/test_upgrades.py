"""UPC: a check controller goes on while the Kueue under it is replaced by one of another release.

Each story begins with the former release. A Kueue of 0.20 brings the conditions of waiting Workloads into its
words as soon as it works, and applies the whole list of checks with them (KV-03, KV-16).
"""

from kueue_conformance import Capability, always, rows, scenario, within
from kueue_conformance.scenarios.capability import NEWER, UNGUARDED

VERDICTS = "upgrade#verdicts"
GOES_ON = "upgrade#check-controllers"


@scenario(
    "UPC-001",
    "a verdict that was given before Kueue is upgraded counts after it, and is not given again",
    requirement=(VERDICTS, "controllers#idempotent"),
    shows="CC-043 CC-051 KV-03 KV-16",
    since="0.19",
    drivers=("ready",),
    clauses={
        "a": "the verdict is given before the upgrade",
        "b": "it is written once, by the check controller",
        "c": "with the verdict of the other check the Workload is admitted",
    },
)
def test_verdict_counts_after_the_upgrade(kueue_cluster, make_queue, subject, kueue, clock, kueue_upgrade):
    check, other = subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check, other]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    clock.tick()

    kueue_upgrade.carry_out()

    always(
        lambda: subject.has_given_verdicts(workload, 1) and workload.has_states("Ready", check), clause="b"
    )
    other.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "UPC-002",
    "a Workload that waits for its check while Kueue is upgraded is answered afterwards",
    requirement=GOES_ON,
    shows="CC-022 KV-03 KV-16",
    since="0.19",
    drivers=("ready", "pending"),
    clauses={"a": "it gets its verdict", "b": "once", "c": "and is admitted"},
)
def test_waiting_workload_is_answered(make_queue, subject, kueue, kueue_upgrade):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    kueue_upgrade.carry_out()

    subject.set_answer("Ready")

    within("recover", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "UPC-003",
    "a verdict that is given while no Kueue works takes effect when that of the new release starts",
    requirement=(VERDICTS, "controllers#idempotent"),
    shows="CC-043 CC-051 AC-281",
    since="0.19",
    needs=(UNGUARDED,),
    drivers=("ready", "pending"),
    clauses={
        "a": "it is given while no Kueue works",
        "b": "it is written once, however long no Kueue reacts to it",
        "c": "the Workload is admitted afterwards",
    },
)
def test_verdict_between_two_kueues(make_queue, subject, kueue, clock, kueue_upgrade):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))

    with kueue_upgrade.delay_start():
        subject.set_answer("Ready")
        within("react", lambda: workload.has_states("Ready", check), clause="a")
        clock.advance(clock.hold)

    within("admit", workload.is_admitted, clause="c")
    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")


@scenario(
    "UPC-004",
    "a Ready that was given before the upgrade is taken back, though Kueue has applied the list of checks since",
    requirement=(VERDICTS, "controllers#conflicts"),
    shows="CC-038 CC-039 CC-051 KV-16",
    since="0.20",
    needs=(NEWER,),
    capabilities=(Capability.RETRY, Capability.REVOKE),
    drivers=("ready",),
    permits=("CC-039",),
    clauses={
        "a": "Ready is given before the upgrade",
        "b": "behind it Kueue owns the entry as well",
        "c": "the entry becomes Retry, whatever an apply without force is answered",
    },
)
def test_verdict_is_taken_back(kueue_cluster, make_queue, subject, kueue, kueue_upgrade):
    check, other = subject.make_check(), kueue_cluster.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check, other]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")
    kueue_upgrade.carry_out()
    within("settle", lambda: workload.has_entry_owner("kueue-admission", check.name), clause="b")

    subject.set_answer("Retry")

    within("recover", lambda: workload.had_states(check, "Pending", "Ready", "Retry", "Pending"), clause="c")


@scenario(
    "UPC-005",
    "outside work from before the upgrade continues, and no second one begins",
    requirement=(GOES_ON, "check-contract#outside-work"),
    shows="CC-062 CC-072 KV-03",
    since="0.19",
    capabilities=(Capability.CLEANUP,),
    drivers=("pending",),
    clauses={"a": "it is there before the upgrade", "b": "afterwards it is the same, and the only one"},
)
def test_outside_work_goes_on(make_queue, subject, kueue, kueue_upgrade):
    workload = kueue.precheck(make_queue([subject.make_check()]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")
    before = subject.work.identity_of(workload)

    kueue_upgrade.carry_out()
    subject.catch_up()

    always(lambda: subject.work.is_the_same(workload, before), clause="b")


@scenario(
    "UPC-006",
    "checks and Workloads that are made after the upgrade are served like those before it",
    requirement=(GOES_ON, "docs-2024#controller-marks-active"),
    shows="CC-010 CC-022 KV-03",
    since="0.19",
    drivers=("ready",),
    cases=rows("check", ("of before",), ("new",)),
    clauses={"a": "the check is Active", "b": "a new Workload is answered", "c": "and admitted"},
)
def test_new_workload_is_answered(make_queue, subject, kueue, kueue_upgrade, check):
    subject.set_answer("Ready")
    old = subject.make_check()
    kueue.precheck(make_queue([old]))

    kueue_upgrade.carry_out()
    served = old if check == "of before" else subject.make_check()

    within("react", served.is_active, clause="a")
    workload = kueue.precheck(make_queue([served]))
    within("react", lambda: workload.has_states("Ready", served), clause="b")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "UPC-007",
    "a Workload that a check has sent back before the upgrade gets a verdict of its own for the next reservation",
    requirement=(GOES_ON, "check-contract#no-old-verdict"),
    shows="CC-022 CC-060 KV-03",
    since="0.19",
    capabilities=(Capability.RETRY,),
    drivers=("ready", "retry"),
    clauses={
        "a": "it is sent back before the upgrade",
        "b": "the next reservation gets its verdict after the upgrade",
        "c": "and the Workload is admitted",
    },
)
def test_next_reservation_is_answered(make_queue, subject, kueue, kueue_upgrade):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    subject.set_answer("Retry")
    within("react", lambda: workload.had_states(check, "Pending", "Retry", "Pending"), clause="a")

    kueue_upgrade.carry_out()
    subject.set_answer("Ready")
    kueue.release(workload)

    within("requeue", lambda: workload.has_states("Ready", check), clause="b")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "UPC-008",
    "a Rejected that is given while no Kueue works stays, and deactivates the Workload when the next one starts",
    requirement=(VERDICTS, "check-contract#given-up-workloads"),
    shows="CC-023 CC-051 AC-291",
    since="0.19",
    needs=(UNGUARDED,),
    capabilities=(Capability.REJECTED,),
    drivers=("ready", "rejected", "pending"),
    clauses={
        "a": "Rejected is given while no Kueue works",
        "b": "it stays, although the outside system has changed its mind by the time that Kueue starts",
        "c": "the Workload is deactivated",
    },
)
def test_rejected_between_two_kueues(make_queue, subject, kueue, clock, kueue_upgrade):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))

    with kueue_upgrade.delay_start():
        subject.set_answer("Rejected")
        within("react", lambda: workload.has_states("Rejected", check), clause="a")
        subject.set_answer("Ready")
        clock.advance(clock.hold)

    always(lambda: workload.had_states(check, "Pending", "Rejected", "Pending"), clause="b")
    within("evict", workload.is_inactive, clause="c")
