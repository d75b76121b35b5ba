"""CHK: what a check controller does when the API server refuses,
fails, is slow, or ends its watches (family H-58).
"""

from kueue_conformance import Capability, always, rows, scenario, within

FAULTS = ("faults",)
PLAYED = ("faults", "scripted control plane")
"""What Kueue does here is done by no Kueue at this moment, or would be answered by one."""
TIMES = 3
STORM = 12
SOME = 5
RETRY_AFTER = 1
OLDER = 3


@scenario(
    "CHK-100",
    "a verdict that runs into conflicts is written in the end",
    requirement="controllers#conflicts",
    shows="CC-038",
    needs=FAULTS,
    drivers=("ready", "pending"),
    clauses={"a": "the verdict meets the conflicts", "b": "it is given all the same", "c": "once"},
)
def test_conflicts_are_overcome(make_queue, subject, kueue, faults):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    faults.refuse_verdicts(409, times=STORM)

    subject.set_answer("Ready")

    within("recover", lambda: faults.have_struck(STORM), clause="a")
    within("recover", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: workload.had_states(check, "Pending", "Ready"), clause="c")


@scenario(
    "CHK-101",
    "after a conflict the controller decides again whether to write at all",
    requirement="controllers#conflicts",
    shows="CC-038 CC-022 CC-085",
    since="0.9",
    revision=2,
    needs=PLAYED,
    drivers=("ready", "pending"),
    clauses={
        "a": "the verdict meets a conflict",
        "b": "the Workload was evicted meanwhile and gets no verdict",
    },
)
def test_conflict_with_an_eviction(make_queue, subject, kueue, faults):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    always(lambda: workload.has_states("Pending", check))
    faults.hold_up_and_refuse_a_verdict(409)
    subject.set_answer("Ready")
    within("react", faults.have_struck, clause="a")

    kueue.evict(workload)

    always(lambda: workload.has_states("Pending", check), clause="b")


@scenario(
    "CHK-102",
    "after a conflict the current verdict is written",
    requirement="controllers#conflicts",
    shows="CC-038 CC-052",
    needs=PLAYED,
    drivers=("asks",),
    capabilities=(Capability.RETRY,),
    clauses={
        "a": "Ready meets a conflict",
        "b": "the outside system has another answer: Retry is written",
        "c": "Ready was never",
    },
)
def test_conflict_with_another_verdict(make_queue, subject, kueue, faults):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    faults.refuse_verdicts(409)
    subject.set_answer("Ready")
    within("react", faults.have_struck, clause="a")

    subject.set_answer("Retry")
    met = faults.strikes
    within("recover", lambda: faults.have_struck(met + 2), clause="a")
    faults.remove_all()

    within("recover", lambda: workload.has_states("Retry", check), clause="b")
    always(lambda: workload.had_states(check, "Pending", "Retry"), clause="c")


@scenario(
    "CHK-103",
    "a request to an overloaded API server is repeated, and no failure of the check is reported",
    requirement="controllers#backs-off",
    shows="CC-076 CC-053",
    needs=FAULTS,
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is refused", "b": "it is given in the end", "c": "no other was given"},
)
def test_too_many_requests(make_queue, subject, kueue, faults):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    faults.refuse_verdicts(429, times=TIMES, retry_after=RETRY_AFTER)

    subject.set_answer("Ready")

    within("recover", lambda: faults.have_struck(TIMES), clause="a")
    within("recover", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: workload.had_states(check, "Pending", "Ready"), clause="c")


@scenario(
    "CHK-104",
    "the controller waits as long as Retry-After says",
    level="should",
    requirement="controllers#backs-off",
    shows="CC-076",
    needs=FAULTS,
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is refused", "b": "the object is left alone for as long as the server asks"},
)
def test_retry_after_is_kept_to(make_queue, subject, kueue, faults):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    faults.refuse_verdicts(429, times=TIMES, retry_after=RETRY_AFTER)

    subject.set_answer("Ready")
    within("recover", lambda: workload.has_states("Ready", check), clause="a")

    always(lambda: subject.has_paused_after(429, RETRY_AFTER), clause="b")


@scenario(
    "CHK-105",
    "a failure of the API server never becomes a verdict",
    requirement="controllers#backs-off",
    shows="CC-053 CC-076",
    needs=FAULTS,
    cases=rows("code", (500,), (503,), (504,)),
    drivers=("ready", "pending"),
    clauses={"a": "the verdict meets the failures", "b": "it is given in the end", "c": "no other was given"},
)
def test_failures_of_the_server(make_queue, subject, kueue, faults, code):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    faults.refuse_verdicts(code, times=TIMES)

    subject.set_answer("Ready")

    within("recover", lambda: faults.have_struck(TIMES), clause="a")
    within("recover", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: workload.had_states(check, "Pending", "Ready"), clause="c")


@scenario(
    "CHK-106",
    "the controller waits for the end of an outage of the API server",
    requirement="controllers#backs-off",
    shows="CC-076 CC-075",
    needs=FAULTS,
    cases=rows("trouble", ("refused",), ("cut",)),
    drivers=("ready", "pending"),
    clauses={
        "a": "every request fails",
        "b": "when it is over the verdict is given",
        "c": "no other was given",
    },
)
def test_outage_is_waited_for(make_queue, subject, kueue, faults, trouble):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    within("react", check.is_active, clause="a")
    faults.refuse_everything(503) if trouble == "refused" else faults.cut_connections()
    subject.set_answer("Ready")
    within("recover", lambda: faults.have_struck(TIMES), clause="a")

    faults.remove_all()

    within("recover", lambda: workload.has_states("Ready", check), clause="b")
    always(lambda: workload.had_states(check, "Pending", "Ready"), clause="c")


@scenario(
    "CHK-107",
    "watches that end are opened again, and no change is missed",
    requirement="controllers#survives-watches",
    shows="CC-075 CC-072",
    needs=FAULTS,
    drivers=("ready",),
    cases=rows("ending", ("expired",), ("failed",), ("cut",)),
    clauses={
        "a": "the verdict is given",
        "b": "it is given to a Workload that came after the end of the watches",
        "c": "the first is as it was",
    },
)
def test_watches_end(make_queue, subject, kueue, faults, ending):
    check = subject.make_check()
    subject.set_answer("Ready")
    queue = make_queue([check])
    first = kueue.precheck(queue)
    within("react", lambda: first.has_states("Ready", check), clause="a")

    faults.end_watches({"expired": 410, "failed": 500, "cut": 0}[ending])
    second = kueue.precheck(queue)

    within("recover", lambda: second.has_states("Ready", check), clause="b")
    always(lambda: first.had_states(check, "Pending", "Ready"), clause="c")


@scenario(
    "CHK-108",
    "an event that is lost with its watch is found by listing",
    requirement="controllers#survives-watches",
    shows="CC-075 CC-072",
    needs=FAULTS,
    drivers=("ready",),
    cases=rows("ending", ("expired",), ("cut",), ("cut, and too old by then",)),
    clauses={"a": "the Workload whose event was lost gets its verdict"},
)
def test_lost_event(make_queue, subject, kueue, faults, ending):
    check = subject.make_check()
    within("react", check.is_active)
    subject.set_answer("Ready")
    faults.lose_events(ending, times=TIMES)

    workload = kueue.precheck(make_queue([check]))

    within("recover", lambda: workload.has_states("Ready", check), clause="a")


@scenario(
    "CHK-109",
    "a watch that was idle for a while does no harm when it ends",
    requirement="controllers#survives-watches",
    shows="CC-075",
    needs=PLAYED,
    drivers=("ready", "pending"),
    clauses={
        "a": "changes made meanwhile are found",
        "b": "an eviction in silence is found out as well",
    },
)
def test_frozen_watches(make_queue, subject, kueue, faults):
    check = subject.make_check()
    queue = make_queue([check])
    before = kueue.precheck(queue)
    within("react", check.is_active)
    faults.freeze_watches()
    kueue.evict(before)
    during = kueue.precheck(queue)
    subject.set_answer("Ready")

    faults.remove_all()

    within("recover", lambda: during.has_states("Ready", check), clause="a")
    always(lambda: before.has_states("Pending", check), clause="b")


@scenario(
    "CHK-110",
    "an event that is delivered twice counts once",
    requirement="controllers#idempotent",
    shows="CC-072 CC-043",
    needs=FAULTS,
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "by one write"},
)
def test_repeated_events(make_queue, subject, kueue, faults):
    check = subject.make_check()
    faults.repeat_events()
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([check]))

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")


@scenario(
    "CHK-111",
    "a verdict that was stored although the response said otherwise is not written again",
    requirement=("controllers#idempotent", "controllers#conflicts"),
    shows="CC-072 CC-076 CC-043 CC-035",
    needs=FAULTS,
    cases=rows("loss", ("failed",), ("cut",)),
    drivers=("ready", "pending"),
    clauses={"a": "the verdict is written, and the answer is a failure", "b": "it is written once"},
)
def test_answer_is_lost(make_queue, subject, kueue, faults, loss):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    faults.fail_after_verdicts(500) if loss == "failed" else faults.lose_answers_to_verdicts()

    subject.set_answer("Ready")

    within("recover", lambda: faults.have_struck() and workload.has_states("Ready", check), clause="a")
    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")


@scenario(
    "CHK-112",
    "a stale response does not undo the writes of other clients",
    requirement="controllers#conflicts",
    shows="CC-031 CC-038 CC-086",
    needs=FAULTS,
    drivers=("asks",),
    clauses={"a": "the verdict is given", "b": "the other controller's verdict is still there"},
)
def test_stale_reads(kueue_cluster, make_queue, subject, kueue, faults):
    own, foreign = subject.make_check(), kueue_cluster.make_check()
    workload = kueue.precheck(make_queue([own, foreign]))
    within("react", lambda: subject.has_asked_about(workload))
    faults.freeze_watches()
    faults.serve_stale(OLDER, times=TIMES)
    foreign.answer(workload, "Ready")

    subject.set_answer("Ready")
    within("react", lambda: subject.has_tried_to_write(workload))
    faults.remove_all()

    within("recover", lambda: workload.has_states("Ready", own), clause="a")
    always(lambda: workload.had_states(foreign, "Pending", "Ready"), clause="b")


@scenario(
    "CHK-113",
    "listing everything again changes nothing",
    requirement="controllers#idempotent",
    shows="CC-072 CC-043",
    needs=FAULTS,
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "after a new list nothing is written"},
)
def test_new_list_changes_nothing(make_queue, subject, kueue, faults):
    check = subject.make_check()
    subject.set_answer("Ready")
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    faults.end_watches(410)

    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")


@scenario(
    "CHK-114",
    "the controller waits for a slow API server",
    requirement="controllers#backs-off",
    shows="CC-076 CC-072",
    needs=FAULTS,
    drivers=("ready",),
    clauses={"a": "the verdict is given", "b": "once"},
)
def test_slow_server(make_queue, subject, kueue, faults):
    check = subject.make_check()
    within("react", check.is_active)
    faults.slow_down()
    subject.set_answer("Ready")

    workload = kueue.precheck(make_queue([check]))

    within("recover", lambda: workload.has_states("Ready", check), clause="a")
    faults.remove_all()
    always(lambda: subject.has_given_verdicts(workload, 1), clause="b")


@scenario(
    "CHK-115",
    "the controller survives a restart of the API server",
    requirement="controllers#survives-watches",
    shows="CC-075",
    needs=(*FAULTS, "server restart"),
    drivers=("ready",),
    clauses={
        "a": "the verdict is given",
        "b": "after the restart the next one is given",
        "c": "the first is as it was",
    },
)
def test_server_restarts(make_queue, subject, kueue, faults):
    check = subject.make_check()
    subject.set_answer("Ready")
    queue = make_queue([check])
    first = kueue.precheck(queue)
    within("react", lambda: first.has_states("Ready", check), clause="a")

    faults.restart_server()
    second = kueue.precheck(queue)

    within("recover", lambda: second.has_states("Ready", check), clause="b")
    always(lambda: first.had_states(check, "Pending", "Ready"), clause="c")


@scenario(
    "CHK-116",
    "a late verdict does not count for the next reservation",
    requirement=("controllers#conflicts", "kep-993#controller-stops-after-eviction"),
    shows="CC-085 CC-038 CC-050",
    since="0.9",
    needs=PLAYED,
    drivers=("ready", "pending"),
    clauses={
        "a": "the verdict is on its way",
        "b": "it is not taken for the new reservation",
        "c": "a verdict on that one is",
    },
)
def test_late_verdict(make_queue, subject, kueue, faults):
    check = subject.make_check()
    workload = kueue.precheck(make_queue([check]))
    always(lambda: workload.has_states("Pending", check))
    faults.slow_verdicts_down(times=1)
    subject.set_answer("Ready")
    within("react", faults.have_struck, clause="a")

    subject.set_answer("Pending")
    kueue.evict_and_release(workload)
    kueue.reserve(workload)

    always(lambda: workload.has_states("Pending", check), clause="b")
    subject.set_answer("Ready")
    within("recover", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-117",
    "an outage of the outside system never becomes a verdict",
    requirement="controllers#backs-off",
    shows="CC-053",
    revision=2,
    drivers=("ready", "trouble"),
    survival="d",
    clauses={
        "a": "the outside system is asked and fails",
        "b": "the entry stays Pending",
        "c": "when it works again the verdict is given",
        "d": "the controller does not end",
    },
)
def test_outside_system_fails(make_queue, subject, kueue, clock):
    check = subject.make_check()
    subject.fail_answers()
    workload = kueue.precheck(make_queue([check]))
    within("react", lambda: subject.has_met_trouble(workload), clause="a")

    clock.advance_budget("steady")
    always(lambda: workload.has_states("Pending", check), clause="b")
    subject.set_answer("Ready")
    within("recover", lambda: workload.has_states("Ready", check), clause="c")


@scenario(
    "CHK-118",
    "a list in pages is read to its end",
    requirement="controllers#survives-watches",
    shows="CC-075 CC-072",
    needs=FAULTS,
    drivers=("ready", "pending"),
    clauses={"a": "after a new list in short pages every Workload is answered"},
)
def test_list_in_pages(make_queue, subject, kueue, faults):
    check = subject.make_check()
    queue = make_queue([check])
    for _ in range(SOME):
        kueue.precheck(queue)
    within("react", check.is_active)

    faults.give_short_pages()
    faults.end_watches(410)
    subject.catch_up()
    subject.set_answer("Ready")

    within("recover", lambda: queue.has_verdicts("Ready", check, times=SOME), clause="a")


@scenario(
    "CHK-119",
    "a watch that delivers nothing any more is replaced in the end",
    level="should",
    requirement="controllers#survives-watches",
    shows="CC-075",
    needs=(*FAULTS, "virtual time"),
    drivers=("ready",),
    clauses={"a": "missed changes are found within 900 s (budget 'doubt')"},
)
def test_silent_watch(make_queue, subject, kueue, faults):
    check = subject.make_check()
    within("react", check.is_active)
    subject.set_answer("Ready")

    faults.freeze_the_open_watch()
    workload = kueue.precheck(make_queue([check]))

    within("doubt", lambda: workload.has_states("Ready", check), clause="a")
