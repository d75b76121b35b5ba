"""ADM: what a control plane that starts anew knows:
all of it is in the objects (AC-241, AC-288, AC-301, AC-328).
"""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")
RESTART = ("restart of Kueue",)
IN_TIME, FIRST_DELAY = 1800, 60


@scenario(
    "ADM-551",
    "a Workload keeps its quota when the control plane restarts",
    requirement=("kep-993#reservation-fits-quota", "kep-993#best-effort-decisions"),
    shows="AC-241 AC-242 AC-285 AC-328",
    since="0.9",
    also=("kep993",),
    needs=RESTART,
    cases=pairwise(form=FORMS),
    clauses={
        "a": "reserved and admitted Workloads stay so, and were not evicted",
        "b": "a pending Workload waits for quota",
        "c": "a check admits the reserved Workload",
        "d": "released quota admits the pending Workload",
    },
)
def test_quota_outlives_a_restart(kueue_cluster, form):
    queue = kueue_cluster.make_queue(checks=1, cpu="3")
    admitted, reserved = (
        queue.submit_until("admitted", form, cpu="1"),
        queue.submit_until("prechecked", form, cpu="1"),
    )
    waiting = queue.submit(cpu="2")
    within("settle", lambda: waiting.has_condition("QuotaReserved", "False"))

    kueue_cluster.restart_control_plane()

    always(lambda: admitted.is_admitted() and reserved.is_prechecked(), clause="a")
    always(lambda: admitted.was_evicted_times(0) and reserved.was_evicted_times(0), clause="a")
    always(waiting.is_suspended, clause="b")
    queue.admit(reserved)
    always(lambda: reserved.is_admitted() and waiting.is_suspended(), clause="c")
    admitted.finish()
    within("reserve", waiting.is_prechecked, clause="d")


@scenario(
    "ADM-761",
    "the quota of reclaimed pods stays free when the control plane restarts",
    requirement=("kep-993#reservation-fits-quota", "kueue-api#reclaimable-pods"),
    shows="AC-115 AC-241 Q-083 Q-085",
    since="0.9",
    needs=(*RESTART, "virtual time"),
    cases=rows("succeeded free", (1, "1"), (2, "2")),
    clauses={"a": "the status shows what the pods need that are left", "b": "another Workload gets the rest"},
)
def test_reclaimed_pods_outlive_a_restart(kueue_cluster, succeeded, free):
    queue = kueue_cluster.make_queue(cpu="3")
    workload = queue.submit("job", cpu="1", count=3)
    job = kueue_cluster.job_of(workload)
    within("admit", job.is_started)
    job.set_pods(active=3 - succeeded, succeeded=succeeded)
    within("settle", lambda: queue.shows_reserved(f"{3 - succeeded}"))

    kueue_cluster.restart_control_plane()

    always(lambda: queue.shows_reserved(f"{3 - succeeded}"), clause="a")
    within("admit", queue.submit(cpu=free).is_admitted, clause="b")


@scenario(
    "ADM-552",
    "a retry delay survives a restart of the control plane, and ends in time",
    requirement="kep-993#hold",
    shows="AC-275 AC-288 AC-321 AC-322",
    since="0.15",
    needs=RESTART,
    cases=pairwise(form=FORMS),
    clauses={"a": "no new reservation before the delay is over", "b": "a new one then, and undecided"},
)
def test_delay_outlives_a_restart(kueue_cluster, clock, form):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)
    began = clock.current_time()
    queue.checks[0].answer(workload, "Retry", delay=clock.hold)
    clock.advance(clock.hold // 2)

    kueue_cluster.restart_control_plane()
    clock.advance_while(clock.hold, lambda: workload.was_reserved(1), since=began, clause="a")

    within("prompt", lambda: workload.was_reserved(2) and workload.has_states("Pending"), clause="b")


@scenario(
    "ADM-765",
    "the back-off of a Workload whose pods were not ready survives a restart of the control plane, and ends in time",
    requirement=("kueue-api#pods-in-time", "kep-993#hold"),
    shows="AC-275 AC-315 AC-322 Q-035",
    since="0.19",
    needs=(*RESTART, "virtual time"),
    cases=pairwise(form=FORMS),
    clauses={"a": "no new reservation before the back-off is over", "b": "a new one then"},
)
def test_back_off_outlives_a_restart(kueue_cluster, clock, form):
    workload = kueue_cluster.make_queue().submit(form)
    within("admit", workload.is_admitted)
    clock.advance(IN_TIME)
    within("evict", lambda: workload.was_released() and workload.is_waiting_for_requeue())
    clock.advance(FIRST_DELAY // 2)

    kueue_cluster.restart_control_plane()
    clock.advance_while(FIRST_DELAY // 2, lambda: workload.was_reserved(1), clause="a")

    within("prompt", lambda: workload.was_reserved(2), clause="b")


@scenario(
    "ADM-553",
    "changes made while no control plane is running take effect when one is started",
    requirement=(
        "docs-2024#admitted-when-ready",
        "docs-2024#retry-evicts",
        "docs-2024#rejected-deactivates",
        "kep-993#hold",
    ),
    shows="AC-285 AC-287 AC-291 AC-301 AC-328",
    since="0.9",
    needs=RESTART,
    cases=rows("example", ("Ready",), ("Retry",), ("Rejected",), ("stopped",)),
    clauses={"a": "the Workload gets the state that its checks stand for"},
)
def test_changes_without_a_control_plane(kueue_cluster, example):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")

    with kueue_cluster.without_control_plane():
        {"stopped": queue.hold}.get(example, lambda: queue.checks[0].answer(workload, example))()

    becomes = {
        "Ready": workload.is_admitted,
        "Rejected": workload.is_rejected,
        "stopped": workload.is_suspended,
        "Retry": lambda: (
            workload.was_evicted_by_a_check() and workload.was_reserved(2) and workload.has_states("Pending")
        ),
    }[example]
    within("requeue", becomes, clause="a")
