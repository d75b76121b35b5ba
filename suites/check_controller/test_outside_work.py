"""CHK: what a check controller makes for a Workload outside of it: begun with quota, once, and ended with it
(KEP-993, 233, 251-252).
"""

from kueue_conformance import Capability, always, never, rows, scenario, within

KUEUE = ("scripted control plane",)
CLEANUP = (Capability.CLEANUP,)
WORK = "check-contract#outside-work"
LOST = 3


@scenario(
    "CHK-086",
    "outside work begins when quota is reserved, and not before",
    requirement=("kep-993#controller-acts-after-precheck", WORK),
    shows="CC-020",
    needs=KUEUE,
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "without quota no outside work exists", "b": "with quota there is"},
)
def test_work_begins_with_quota(make_queue, subject, kueue):
    check = subject.make_check()
    workload = make_queue([check]).submit()
    kueue.list_checks(workload, check)
    always(lambda: subject.work.is_over(workload), clause="a")

    kueue.reserve(workload)

    within("react", lambda: subject.work.is_under_way(workload), clause="b")


@scenario(
    "CHK-087",
    "outside work is started once, whatever other clients write",
    requirement=WORK,
    shows="CC-062 CC-072",
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "it is never doubled"},
)
def test_work_is_begun_once(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")

    workload.touch()
    check.touch()
    subject.catch_up()
    workload.touch()

    never(lambda: subject.work.is_doubled(workload), clause="b")


@scenario(
    "CHK-088",
    "outside work ends when the Workload is evicted",
    requirement=("kep-993#controller-stops-after-eviction", WORK),
    shows="CC-061",
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "it is over"},
)
def test_work_ends_with_an_eviction(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")

    kueue.evict_and_release(workload)

    within("cleanup", lambda: subject.work.is_over(workload), clause="b")


@scenario(
    "CHK-089",
    "a reservation that is lost for a while does not start outside work twice",
    requirement=WORK,
    shows="CC-062",
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "with the new reservation it exists", "c": "it is never doubled"},
)
def test_work_survives_a_lost_reservation(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")

    kueue.cancel_reservation(workload)
    subject.catch_up()
    kueue.reserve(workload)

    within("react", lambda: subject.work.is_under_way(workload), clause="b")
    never(lambda: subject.work.is_doubled(workload), clause="c")


@scenario(
    "CHK-090",
    "outside work ends when the Workload is finished",
    requirement=WORK,
    shows="CC-063",
    capabilities=CLEANUP,
    drivers=("ready",),
    clauses={"a": "it is begun", "b": "it is over"},
)
def test_work_ends_with_the_workload(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")
    within("react", lambda: workload.has_states("Ready", check))
    kueue.admit(workload)

    kueue.finish(workload)

    within("cleanup", lambda: subject.work.is_over(workload), clause="b")


@scenario(
    "CHK-091",
    "outside work ends when the Workload is deleted, and does not block the deletion",
    requirement=(WORK, "check-contract#nothing-in-the-way"),
    shows="CC-064",
    needs=(*KUEUE, "garbage collection"),
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "the Workload is removed", "c": "it is over"},
)
def test_work_ends_with_a_deletion(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")

    workload.delete()

    within("cleanup", workload.is_gone, clause="b")
    within("cleanup", lambda: subject.work.is_over(workload), clause="c")


@scenario(
    "CHK-191",
    "outside work ends when the deletion of the Workload is lost with a watch",
    requirement=(WORK, "controllers#survives-watches"),
    shows="CC-064 CC-075",
    needs=(*KUEUE, "faults"),
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={
        "a": "it is begun",
        "b": "the Workload is removed, and a watch ends in place of the event",
        "c": "it is over",
    },
)
def test_work_ends_with_a_lost_deletion(make_queue, subject, kueue, faults):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")
    subject.catch_up()

    faults.end_watches_with_the_next_event(410, times=LOST)
    workload.delete()
    within("cleanup", workload.is_gone, clause="b")
    within("recover", faults.have_struck, clause="b")

    within("recover", lambda: subject.work.is_over(workload), clause="c")


@scenario(
    "CHK-092",
    "outside work ends when Kueue drops the entry",
    requirement=(WORK, "check-contract#entries-are-kueues"),
    shows="CC-065",
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "it is over"},
)
def test_work_ends_with_the_entry(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")

    kueue.list_checks(workload)

    within("cleanup", lambda: subject.work.is_over(workload), clause="b")


@scenario(
    "CHK-093",
    "a new reservation starts outside work again",
    requirement=(WORK, "kep-993#controller-stops-after-eviction"),
    shows="CC-060 CC-061",
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "evicted it is over", "c": "with new quota it is begun again"},
)
def test_work_begins_anew(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")
    kueue.evict_and_release(workload)
    within("cleanup", lambda: subject.work.is_over(workload), clause="b")

    kueue.reserve(workload)

    within("react", lambda: subject.work.is_under_way(workload), clause="c")


@scenario(
    "CHK-094",
    "outside work is found again by a subject that died before it wrote its verdict",
    requirement=WORK,
    shows="CC-070 CC-071",
    capabilities=(*CLEANUP, Capability.RESTART),
    drivers=("asks",),
    serial=True,
    clauses={
        "a": "it is begun",
        "b": "after the restart the verdict is given",
        "c": "the outside work exists once",
    },
)
def test_work_is_found_again(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")

    subject.kill()
    subject.set_answer("Ready")
    subject.start()

    within("react", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: subject.work.is_under_way(workload), clause="c")


@scenario(
    "CHK-185",
    "each Workload has outside work of its own, which ends with that Workload alone",
    requirement=WORK,
    shows="CC-061 CC-062",
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun for both", "b": "one is over", "c": "the outside work of the other continues"},
)
def test_work_of_two_workloads(make_queue, subject, kueue):
    check = subject.make_check()
    queue = make_queue([check])
    workload = kueue.precheck(queue)
    other = kueue.precheck(queue, name=f"{workload.name}-too")
    within(
        "react", lambda: subject.work.is_under_way(workload) and subject.work.is_under_way(other), clause="a"
    )
    before = subject.work.identity_of(other)

    kueue.evict_and_release(workload)

    within("cleanup", lambda: subject.work.is_over(workload), clause="b")
    always(lambda: subject.work.is_the_same(other, before), clause="c")


@scenario(
    "CHK-186",
    "outside work ends when a user deactivates the Workload",
    requirement=("kep-993#controller-stops-after-eviction", WORK),
    shows="CC-061 CC-068",
    needs=KUEUE,
    capabilities=CLEANUP,
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "it is over"},
)
def test_work_ends_with_a_deactivation(make_queue, subject, kueue):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")

    kueue.deactivate(workload)

    within("cleanup", lambda: subject.work.is_over(workload), clause="b")


@scenario(
    "CHK-187",
    "outside work continues when the controller is stopped and started again",
    level="should",
    requirement=WORK,
    shows="CC-070 CC-071",
    capabilities=(*CLEANUP, Capability.RESTART),
    serial=True,
    cases=rows("ending", ("killed",), ("stopped",)),
    drivers=("pending",),
    clauses={"a": "it is begun", "b": "after the restart the same outside work exists"},
)
def test_work_survives_a_restart(make_queue, subject, kueue, ending):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")
    before = subject.work.identity_of(workload)

    subject.kill() if ending == "killed" else subject.stop()
    subject.start()

    always(lambda: subject.work.is_the_same(workload, before), clause="b")
