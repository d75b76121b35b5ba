"""ADM: texts of events and messages (AC-250…261, AC-380…383)."""

from kueue_conformance import always, cross, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-437",
    "each change of a Job's state emits one event",
    requirement="kep-993#green-light",
    shows="AC-286 AC-330 AC-331 AC-332 AC-333 AC-342 AC-381 AC-382",
    since="0.9",
    also=("kep993",),
    level="should",
    clauses={
        "a": "CreatedWorkload on the Job",
        "b": "Started on the Job",
        "c": "EvictedDueTo… on the Workload, Stopped on the Job",
        "d": "again when it is started again",
        "e": "FinishedWorkload on the Job",
    },
)
def test_events_of_a_job(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked", "job")
    events = kueue_cluster.events_of(workload)
    within("settle", lambda: events.has_events("CreatedWorkload", on="Job"), clause="a")
    always(lambda: events.has_events("Started", times=0, on="Job"), clause="b")
    queue.checks[0].answer(workload, "Ready")
    within("admit", lambda: events.has_events("Started", on="Job"), clause="b")

    queue.hold_and_drain()
    within("evict", workload.is_suspended)
    within(
        "settle",
        lambda: (
            events.has_events("EvictedDueToClusterQueueStopped") and events.has_events("Stopped", on="Job")
        ),
        clause="c",
    )
    queue.resume()
    within("requeue", workload.is_prechecked)
    queue.checks[0].answer(workload, "Ready")
    within("admit", lambda: events.has_events("Started", times=2, on="Job"), clause="d")
    always(
        lambda: events.has_events("Admitted", times=2) and events.has_events("QuotaReserved", times=2),
        clause="d",
    )
    always(lambda: events.has_events("CreatedWorkload", on="Job"), clause="a")
    workload.finish()

    def has_event_of_the_end():
        # Kueue v0.19.2 looks at its older copy of the Workload now and then, and tells it twice.
        end = events.has_events("FinishedWorkload", on="Job") or events.has_events(
            "FinishedWorkload", times=2, on="Job"
        )
        return end and events.has_events("Stopped", on="Job")

    within("settle", has_event_of_the_end, clause="e")
    always(has_event_of_the_end, clause="e")


@scenario(
    "ADM-439",
    "reservation, admission and the obstacles to them have the recorded texts",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-250 AC-251 AC-258 AC-283 AC-285 AC-333 AC-380 AC-381",
    since="0.19",
    level="may",
    cases=rows("checks", (0,), (1,)),
    clauses={
        "a": "a Workload that does not fit now",
        "b": "a Workload that never fits",
        "c": "QuotaReserved",
        "d": "Admitted",
        "e": "the event of the admission",
        "f": "the events of the Job",
    },
)
def test_texts_of_admission(kueue_cluster, clock, checks):
    queue = kueue_cluster.make_queue(checks, cpu="2")
    (flavor,) = queue.flavors
    workload = queue.submit_until("admitted", "job", cpu="1")
    events = kueue_cluster.events_of(workload)

    large, small = queue.submit(cpu="3"), queue.submit(cpu="2")

    present_text = f"couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor {flavor}, 1 more needed"
    ever = (
        f"couldn't assign flavors to pod set main: insufficient quota for cpu in flavor {flavor}, "
        "previously considered podsets requests (0) + current podset request (3) > maximum capacity (2)"
    )
    within("settle", lambda: small.has_message("QuotaReserved", present_text), clause="a")
    within("settle", lambda: large.has_message("QuotaReserved", ever), clause="b")
    always(lambda: kueue_cluster.events_of(large).has_text(large.reason("QuotaReserved"), ever), clause="b")
    always(
        lambda: workload.has_message("QuotaReserved", f"Quota reserved in ClusterQueue {queue.name}"),
        clause="c",
    )
    always(lambda: workload.has_message("Admitted", "The workload is admitted"), clause="d")
    waited = clock.possible_seconds(
        workload.seconds_until("Admitted") - workload.seconds_until("QuotaReserved")
    )
    admitted = [
        f"Admitted by ClusterQueue {queue.name}, wait time since reservation was {seconds}s"
        for seconds in waited
    ]
    always(lambda: events.has_text("Admitted", *admitted), clause="e")
    always(lambda: events.has_text("Started", f"Admitted by clusterQueue {queue.name}", on="Job"), clause="f")
    created = f"Created Workload: {workload.namespace}/{workload.name}"
    always(lambda: events.has_text("CreatedWorkload", created, on="Job"), clause="f")


@scenario(
    "ADM-572",
    "the events about a Job that is stopped, changed or finished have the recorded texts",
    requirement="kep-993#green-light",
    shows="AC-296 AC-330 AC-332 AC-335 AC-382",
    since="0.19",
    level="may",
    revision=2,
    cases=rows(
        "example reason text",
        ("its Workload is deleted", "Stopped", "Workload is deleted"),
        ("it runs without admission", "Stopped", "Not admitted by cluster queue"),
        ("its queue is drained", "Stopped", "The ClusterQueue is stopped"),
        ("it is over", "FinishedWorkload", "Workload '{key}' is declared finished"),
        (
            "it asks for more",
            "Stopped",
            "No matching Workload; restoring pod templates according to existent Workload",
        ),
        ("its Workload is lost", "Stopped", "Missing Workload; unable to restore pod templates"),
    ),
    clauses={"a": "in these words"},
)
def test_texts_of_jobs(kueue_cluster, example, reason, text):
    queue = kueue_cluster.make_queue(checks=1)
    unadmitted = example == "it runs without admission"
    workload = queue.submit_until("prechecked" if unadmitted else "admitted", "job", completions=4)
    job = kueue_cluster.job_of(workload)
    key = f"{workload.namespace}/{workload.name}"
    within("start", lambda: unadmitted or job.is_started())

    {
        "its Workload is deleted": workload.delete_workload,
        "it runs without admission": job.unsuspend,
        "its queue is drained": queue.hold_and_drain,
        "it is over": workload.finish,
        "it asks for more": lambda: job.set_parallelism(2),
        "its Workload is lost": workload.force_delete,
    }[example]()

    events = kueue_cluster.events_of(workload)
    within("settle", lambda: events.has_text(reason, text.format(key=key), on="Job"), clause="a")


@scenario(
    "ADM-573",
    "the event about the new Workload of a pending Job that changes has the recorded text",
    requirement="kep-993#green-light",
    shows="AC-331 AC-382",
    since="0.19",
    level="may",
    clauses={"a": "in these words"},
)
def test_texts_of_changed_jobs(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    workload = queue.submit("job", cpu="2")
    within("settle", lambda: workload.has_condition("QuotaReserved", "False"))

    kueue_cluster.job_of(workload).set_cpu_request("3")

    events = kueue_cluster.events_of(workload)
    text = f"Updated not matching Workload for suspended job: {workload.namespace}/{workload.name}"
    within("settle", lambda: events.has_text("UpdatedWorkload", text, on="Job"), clause="a")


@scenario(
    "ADM-575",
    "the messages of a requeue have the recorded texts",
    requirement="docs-2024#retry-evicts",
    shows="AC-269 M-080 M-081",
    since="0.19",
    level="may",
    cases=rows(
        "why reason text",
        ("a delay is over", "BackoffFinished", "The workload backoff was finished"),
        ("it is active again", "Reactivated", "The workload was reactivated"),
    ),
    clauses={"a": "the condition Requeued has it"},
)
def test_texts_of_requeueing(kueue_cluster, clock, why, reason, text):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")

    if why == "a delay is over":
        with clock.during(clock.hold):
            queue.checks[0].answer(workload, "Retry", delay=clock.hold)
            within("settle", workload.is_waiting_for_requeue)
        clock.advance(clock.hold)
    else:
        workload.deactivate()
        within("evict", workload.is_suspended)
        workload.reactivate()

    within("requeue", lambda: workload.had_message("Requeued", reason, text), clause="a")


@scenario(
    "ADM-576",
    "the messages of PodsReady have the recorded texts",
    requirement="kueue-api#pods-in-time",
    shows="AC-272",
    since="0.19",
    level="may",
    needs=("virtual time",),
    clauses={
        "a": "before they are",
        "b": "when they are",
        "c": "when one has failed",
        "d": "when they are again",
    },
)
def test_texts_of_ready_pods(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked", "job", count=2)
    job = kueue_cluster.job_of(workload)
    ready = "All pods reached readiness and the workload is running"
    within(
        "settle", lambda: workload.has_message("PodsReady", "Not all pods are ready or succeeded"), clause="a"
    )
    queue.checks[0].answer(workload, "Ready")
    within("admit", job.is_started)

    job.set_pods(active=2, ready=2)
    within("react", lambda: workload.has_message("PodsReady", ready), clause="b")
    job.set_pods(active=2, ready=1)
    failed = "At least one pod has failed, waiting for recovery"
    within("react", lambda: workload.has_message("PodsReady", failed), clause="c")
    job.set_pods(active=2, ready=2)

    within("react", lambda: workload.has_message("PodsReady", ready), clause="d")


@scenario(
    "ADM-577",
    "in older releases the messages of verdicts have the recorded texts, and name the first check that rejects",
    requirement="docs-2024#retry-evicts",
    shows="D-06 D-08 AC-346",
    only=("v0.6",),
    level="may",
    cases=rows(
        "verdict condition reason text",
        ("Retry", "Evicted", "AdmissionCheck", "At least one admission check is false"),
        ("Rejected", "Finished", "AdmissionChecksRejected", "Admission checks [{names}] are rejected"),
    ),
    clauses={"a": "the condition has it"},
)
def test_older_texts_of_verdicts(kueue_cluster, verdict, condition, reason, text):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    expected_text = text.format(names=" ".join(sorted(check.name for check in queue.checks)))

    workload.set_verdicts(dict.fromkeys(queue.checks, verdict))

    within("evict", lambda: workload.had_message(condition, reason, expected_text), clause="a")


@scenario(
    "ADM-702",
    "the event of each admission tells the seconds since the reservation that it follows",
    requirement="docs-2024#admitted-when-ready",
    shows="AC-285 AC-381",
    since="0.19",
    level="should",
    needs=("virtual time",),
    cases=cross(attempt=(1, 2), form=FORMS),
    clauses={"a": "so many as its checks have taken in this attempt"},
)
def test_event_tells_how_long_checks_took(kueue_cluster, clock, attempt, form):
    queue = kueue_cluster.make_queue(checks=2)
    workload, seconds = queue.submit(form), (7, 3 * clock.hold)[attempt - 1]
    for _ in range(1, attempt):
        within("reserve", lambda: workload.is_prechecked() and workload.has_states("Pending", *queue.checks))
        clock.advance(clock.hold)
        queue.admit(workload)
        queue.requeue(workload, "retry")
    within("reserve", lambda: workload.is_prechecked() and workload.has_states("Pending", *queue.checks))

    clock.advance(seconds)
    queue.admit(workload)

    waited = clock.possible_seconds(
        workload.seconds_until("Admitted") - workload.seconds_until("QuotaReserved")
    )
    texts = [
        f"Admitted by ClusterQueue {queue.name}, wait time since reservation was {wait}s" for wait in waited
    ]
    within("settle", lambda: kueue_cluster.events_of(workload).has_text("Admitted", *texts), clause="a")
