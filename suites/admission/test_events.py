"""ADM: what is told by events and messages (AC-250…261, AC-380…383)."""

from kueue_conformance import always, listed, scenario, within


@scenario(
    "ADM-437", "each change of a Job's state emits one event",
    requirement="kep-993#green-light", shows="AC-286 AC-330 AC-331 AC-332 AC-333 AC-342 AC-381 AC-382", since="0.9", also=("kep993",), level="should",
    clauses={
        "a": "CreatedWorkload on the Job", "b": "Started on the Job", "c": "EvictedDueTo… on the Workload, Stopped on the Job",
        "d": "again when it is started again", "e": "FinishedWorkload on the Job",
    },
)  # fmt: skip
def test_events_of_a_job(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    workload = queue.brings_to("prechecked", "job")
    events = kueue_cluster.events_of(workload)
    within("settle", lambda: events.tell("CreatedWorkload", on="Job"), clause="a")
    always(lambda: events.tell("Started", times=0, on="Job"), clause="b")
    queue.checks[0].answers(workload, "Ready")
    within("admit", lambda: events.tell("Started", on="Job"), clause="b")

    queue.drains()
    within("evict", workload.is_suspended)
    within(
        "settle",
        lambda: events.tell("EvictedDueToClusterQueueStopped") and events.tell("Stopped", on="Job"),
        clause="c",
    )
    queue.resumes()
    within("requeue", workload.is_prechecked)
    queue.checks[0].answers(workload, "Ready")
    within("admit", lambda: events.tell("Started", times=2, on="Job"), clause="d")
    always(lambda: events.tell("Admitted", times=2) and events.tell("QuotaReserved", times=2), clause="d")
    always(lambda: events.tell("CreatedWorkload", on="Job"), clause="a")
    workload.finish()

    def told_of_the_end():
        # Kueue v0.19.2 looks at its older copy of the Workload now and then, and tells it twice.
        end = events.tell("FinishedWorkload", on="Job") or events.tell("FinishedWorkload", times=2, on="Job")
        return end and events.tell("Stopped", on="Job")

    within("settle", told_of_the_end, clause="e")
    always(told_of_the_end, clause="e")


@scenario(
    "ADM-439", "reservation, admission and the obstacles to them have the recorded texts",
    requirement="docs-2024#admitted-when-ready", shows="AC-250 AC-251 AC-258 AC-283 AC-285 AC-333 AC-380 AC-381", since="0.19", level="may",
    cases=listed("checks", (0,), (1,)),
    clauses={
        "a": "what does not fit now", "b": "what never fits", "c": "QuotaReserved", "d": "Admitted", "e": "the event of the admission",
        "f": "the events of the Job",
    },
)  # fmt: skip
def test_texts_of_admission(kueue_cluster, clock, checks):
    queue = kueue_cluster.queue(checks, cpu="2")
    (flavor,) = queue.flavors
    workload = queue.brings_to("admitted", "job", cpu="1")
    events = kueue_cluster.events_of(workload)

    large, small = queue.submit(cpu="3"), queue.submit(cpu="2")

    now = f"couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor {flavor}, 1 more needed"
    ever = (
        f"couldn't assign flavors to pod set main: insufficient quota for cpu in flavor {flavor}, "
        "previously considered podsets requests (0) + current podset request (3) > maximum capacity (2)"
    )
    within("settle", lambda: small.says_just("QuotaReserved", now), clause="a")
    within("settle", lambda: large.says_just("QuotaReserved", ever), clause="b")
    always(lambda: kueue_cluster.events_of(large).say("Pending", ever), clause="b")
    always(
        lambda: workload.says_just("QuotaReserved", f"Quota reserved in ClusterQueue {queue.name}"),
        clause="c",
    )
    always(lambda: workload.says_just("Admitted", "The workload is admitted"), clause="d")
    waited = clock.may_be_told(workload.waited_for("Admitted") - workload.waited_for("QuotaReserved"))
    admitted = [
        f"Admitted by ClusterQueue {queue.name}, wait time since reservation was {one}s" for one in waited
    ]
    always(lambda: events.say("Admitted", *admitted), clause="e")
    always(lambda: events.say("Started", f"Admitted by clusterQueue {queue.name}", on="Job"), clause="f")
    created = f"Created Workload: {workload.namespace}/{workload.name}"
    always(lambda: events.say("CreatedWorkload", created, on="Job"), clause="f")
