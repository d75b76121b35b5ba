"""CHK: a check controller ends at any point and is started again (family H-59, first half)."""

from kueue_conformance import Capability, always, rows, scenario, within

RESTART = (Capability.RESTART,)
MANY = 6


@scenario(
    "CHK-120",
    "a controller continues its work after a restart",
    requirement="controllers#restart-safe",
    shows="CC-070",
    capabilities=RESTART,
    serial=True,
    cases=rows("ending", ("killed",), ("stopped",)),
    drivers=("ready", "pending"),
    clauses={"a": "the entry that was open is answered"},
)
def test_work_goes_on(make_queue, subject, kueue, ending):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", check.is_active)

    subject.kill() if ending == "killed" else subject.stop()
    subject.set_answer("Ready")
    subject.start()

    within("recover", lambda: workload.has_states("Ready", check), clause="a")


@scenario(
    "CHK-121",
    "wherever a controller is killed on its way to a verdict, the verdict is given after a restart",
    requirement="controllers#restart-safe",
    shows="CC-070 CC-071",
    capabilities=RESTART,
    needs=("faults",),
    serial=True,
    revision=2,
    drivers=("ready",),
    cases=rows("requests", *((number,) for number in range(MANY))),
    clauses={
        "a": "the way is known",
        "b": "it is killed after so many requests of it, or before the last; at its end when it is shorter this time",
        "c": "started again it gives the verdict",
        "d": "once",
    },
)
def test_killed_after_each_request(make_queue, subject, kueue, faults, requests):
    check = subject.make_check()
    queue = make_queue([check])
    within("react", check.is_active)
    subject.set_answer("Ready")
    with subject.observe_requests() as window:
        undisturbed = kueue.precheck(queue)
        within("react", lambda: undisturbed.has_states("Ready", check), clause="a")

    faults.cut_connections_after(min(requests, len(window.requests) - 1))
    workload = kueue.precheck(queue)
    within("react", lambda: faults.have_struck() or workload.has_states("Ready", check), clause="b")
    subject.kill()
    faults.remove_all()
    subject.start()

    within("recover", lambda: workload.has_states("Ready", check), clause="c")
    always(lambda: workload.had_states(check, "Pending", "Ready"), clause="d")


@scenario(
    "CHK-122",
    "a verdict that was given is not given again after a restart",
    requirement=("controllers#restart-safe", "controllers#idempotent"),
    shows="CC-070 CC-072 CC-043",
    capabilities=RESTART,
    needs=("journal",),
    serial=True,
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "it is written once, by either replica"},
)
def test_verdict_survives(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.kill()
    subject.start()

    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")


@scenario(
    "CHK-123",
    "changes made while a controller was down take effect after its restart",
    requirement="controllers#restart-safe",
    shows="CC-070 CC-060 CC-022",
    capabilities=RESTART,
    serial=True,
    since="0.9",
    drivers=("ready",),
    clauses={
        "a": "a verdict is given",
        "b": "a new Workload is answered",
        "c": "one with a new reservation is answered",
        "d": "an evicted one is not",
    },
)
def test_what_happened_meanwhile(make_queue, subject, kueue):
    check = subject.make_check()
    queue = make_queue([check])
    subject.set_answer("Ready")
    renewed, evicted = kueue.precheck(queue), kueue.precheck(queue)
    within("react", lambda: renewed.has_states("Ready", check), clause="a")
    within("react", lambda: evicted.has_states("Ready", check), clause="a")

    subject.kill()
    new = kueue.precheck(queue)
    kueue.evict_and_release(renewed)
    kueue.reserve(renewed)
    kueue.evict(evicted)
    subject.start()

    within("recover", lambda: new.has_states("Ready", check), clause="b")
    within("recover", lambda: renewed.has_states("Ready", check), clause="c")
    always(lambda: evicted.has_states("Pending", check), clause="d")


@scenario(
    "CHK-128",
    "a verdict from before a restart does not count for the next reservation",
    requirement=("controllers#restart-safe", "check-contract#no-old-verdict"),
    shows="CC-070 CC-060",
    capabilities=RESTART,
    serial=True,
    since="0.9",
    drivers=("ready", "pending"),
    clauses={
        "a": "a verdict is given before the restart",
        "b": "the new reservation waits, as the outside system has not decided about it",
        "c": "it gets its own verdict",
    },
)
def test_verdict_from_before_the_restart(make_queue, subject, kueue):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.kill()
    subject.set_answer("Pending")
    kueue.evict_and_release(workload)
    kueue.reserve(workload)
    subject.start()

    always(lambda: workload.has_states("Pending", check), clause="b")
    subject.set_answer("Ready")
    within("recover", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-124",
    "a controller ends when it is asked to",
    level="should",
    requirement="controllers#restart-safe",
    shows="CC-070 CC-015",
    capabilities=RESTART,
    serial=True,
    clauses={
        "a": "it ends within 10 s (budget 'stop')",
        "b": "its check is as Active as before: others may run, and it may come back",
    },
)
def test_ends_when_asked(subject):
    check = subject.make_check()
    within("react", check.is_active)

    subject.stop()

    within("stop", subject.was_stopped_in_time, clause="a")
    always(check.is_active, clause="b")


@scenario(
    "CHK-125",
    "checks and Workloads that were there before the controller are served",
    requirement=("controllers#restart-safe", "docs-2024#controller-marks-active"),
    shows="CC-010 CC-028",
    capabilities=RESTART,
    serial=True,
    needs=("scripted control plane",),
    drivers=("ready",),
    clauses={"a": "the check becomes Active", "b": "the entry is answered"},
)
def test_controller_starts_late(make_queue, subject, kueue):
    subject.set_answer("Ready")
    with subject.delay_start():
        check = subject.make_check()
        workload = kueue.precheck(make_queue([check]))

    within("react", check.is_active, clause="a")
    within("react", lambda: workload.has_states("Ready", check), clause="b")


@scenario(
    "CHK-126",
    "outside work that was begun before a crash is found and not begun twice",
    requirement="controllers#restart-safe",
    shows="CC-071 CC-070",
    capabilities=(*RESTART, Capability.CLEANUP),
    needs=("faults",),
    serial=True,
    drivers=("ready",),
    clauses={
        "a": "outside work is begun, and the verdict cannot be written",
        "b": "after a restart the verdict is given",
        "c": "the outside work exists once",
    },
)
def test_effect_is_found_again(make_queue, subject, kueue, faults):
    check = subject.make_check()
    within("react", check.is_active)
    faults.refuse_verdicts(500)
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")
    within("react", faults.have_struck, clause="a")

    subject.kill()
    faults.remove_all()
    subject.start()

    within("recover", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: subject.work.is_under_way(workload), clause="c")


@scenario(
    "CHK-127",
    "outside work is released for a Workload that was deleted while the controller was down",
    requirement=("controllers#restart-safe", "kep-993#controller-stops-after-eviction"),
    shows="CC-064 CC-061 CC-070",
    capabilities=(*RESTART, Capability.CLEANUP),
    serial=True,
    drivers=("ready",),
    cases=rows("end", ("deleted",), ("evicted",), ("finished",)),
    clauses={"a": "outside work is begun", "b": "after a restart it is over"},
)
def test_effect_is_released_after_a_restart(make_queue, subject, kueue, end):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.work.is_under_way(workload), clause="a")
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    subject.kill()
    {
        "deleted": workload.delete,
        "evicted": lambda: kueue.evict_and_release(workload),
        "finished": lambda: kueue.finish(workload),
    }[end]()
    subject.start()

    within("recover", lambda: subject.work.is_over(workload), clause="b")
