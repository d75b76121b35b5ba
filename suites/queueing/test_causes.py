"""QUE: why a Workload waits for quota, in the words of its release (KV-08, KV-12 to KV-15)."""

from kueue_conformance import always, rows, scenario, within

STOPPED = ("Inadmissible", "is inactive")
"""What a release that does not name causes goes on to say of a queue that was stopped and is resumed."""
PENDING_EVALUATION = ("PendingEvaluation", "Workload is pending evaluation in the scheduling queue")
BYPASSED = (
    "ExceedsMaxQuota",
    "Bypassed scheduling evaluation because an equivalent workload recently failed",
)
BELOW_THE_RANGE = ("Misconfigured", "requests must not be above the limitRange max")
BEYOND_ITS_LIMIT = ("Pending", "requests must not exceed its limits")


@scenario(
    "QUE-363",
    "a Workload whose victims still hold their quota says that it waits for them, as the release names it",
    requirement="queueing#status",
    shows="KV-08 M-026",
    since="0.19",
    also=("kep993",),
    level="should",
    clauses={
        "a": "the reason of QuotaReserved while the victim holds on",
        "b": "and the message counts the victims",
        "c": "it has their quota afterwards",
    },
)
def test_waits_for_its_victims(kueue_cluster):
    queues = kueue_cluster.make_topology("q 2 within=LowerPriority")
    queues.submit_in_turn("q: low(0)2")
    kueue_cluster.release.pods_are_held = True

    high = queues.submit("q: high(5)1")

    within("settle", lambda: high.is_unreserved_for("waiting-for-preempted"), clause="a")
    always(lambda: high.is_unreserved_for("waiting-for-preempted"), clause="a")
    always(
        lambda: high.has_message_containing("QuotaReserved", "Pending the preemption of 1 workload(s)"),
        clause="b",
    )
    kueue_cluster.release.pods_are_held = False
    within("admit", high.is_admitted, clause="c")


@scenario(
    "QUE-364",
    "a Workload behind the head of a strict queue that was resumed waits for its evaluation, and its release says so or not",
    requirement="queueing#status",
    shows="KV-12 AC-253",
    since="0.19",
    also=("kep993",),
    level="should",
    clauses={
        "a": "the reason of QuotaReserved, while the head does not fit",
        "b": "and what its message says",
        "c": "it is admitted when the head is gone",
    },
)
def test_waits_for_its_evaluation(kueue_cluster):
    queues = kueue_cluster.make_topology("q 5 StrictFIFO")
    head, behind = queues.submit_all("q: head(10)6 behind(1)1")
    queues["q"].hold()
    within("settle", lambda: behind.is_unreserved_for("suspended") and head.is_unreserved_for("suspended"))

    queues["q"].resume()

    within("settle", lambda: head.is_unreserved_for("exceeds-max-quota"))
    reason, text = _by_release(kueue_cluster, PENDING_EVALUATION, STOPPED)
    within("settle", lambda: behind.has_condition("QuotaReserved", "False", reason), clause="a")
    always(lambda: behind.has_message_containing("QuotaReserved", text), clause="b")
    head.delete()
    within("requeue", behind.is_admitted, clause="c")


@scenario(
    "QUE-365",
    "a Workload is not evaluated after an equal one has failed, and says so or not by release",
    requirement="queueing#quirks",
    shows="KV-13 Q-045",
    since="0.19",
    also=("kep993",),
    gates=("SchedulingEquivalenceHashing",),
    level="may",
    clauses={
        "a": "the first one says what is lacking",
        "b": "the second has the reason that its release gives",
        "c": "and the message",
        "d": "no event tells of it",
    },
)
def test_bypassed_after_its_equal(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="1")
    queue.hold()
    first = queue.submit(cpu="2")
    clock.tick()
    second = queue.submit(cpu="2")
    within("settle", lambda: first.is_unreserved_for("suspended") and second.is_unreserved_for("suspended"))

    queue.resume()

    lacking = "insufficient quota for cpu"
    within("settle", lambda: first.has_message_containing("QuotaReserved", lacking), clause="a")
    reason, text = _by_release(kueue_cluster, BYPASSED, STOPPED)
    within("settle", lambda: second.has_condition("QuotaReserved", "False", reason), clause="b")
    always(lambda: second.has_message_containing("QuotaReserved", text), clause="c")
    event = kueue_cluster.unreserved_reason("exceeds-max-quota")
    always(lambda: kueue_cluster.has_event(event, second).negate(), clause="d")


@scenario(
    "QUE-366",
    "a request above a LimitRange is judged as it was written, or with the limit that the LimitRange adds, by release",
    requirement="queueing#messages",
    shows="KV-14 Q-093 M-042",
    since="0.19",
    also=("kep993",),
    level="may",
    clauses={"a": "the reason of QuotaReserved", "b": "and what its message says", "c": "it gets no quota"},
)
def test_judged_as_it_was_written(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="5")
    # A LimitRange with a max and no default makes the max the limit of what has none.
    kueue_cluster.make_object("LimitRange", spec={"limits": [{"type": "Container", "max": {"cpu": "1"}}]})

    workload = queue.submit(cpu="2")

    reason, text = _by_release(kueue_cluster, BELOW_THE_RANGE, BEYOND_ITS_LIMIT)
    within("settle", lambda: workload.has_condition("QuotaReserved", "False", reason), clause="a")
    # Until the cluster rests: the scheduler may write its own text in between, which does not stay.
    always(workload.is_suspended, clause="c")
    assert workload.has_message_containing("QuotaReserved", text), "b: what the message says in the end"


@scenario(
    "QUE-367",
    "the event of a Workload that gets no quota has the reason of its condition",
    requirement="queueing#events",
    shows="KV-15 EV-003",
    since="0.19",
    also=("kep993",),
    level="should",
    cases=rows(
        "comes cause",
        ("q: new(0)2", "waiting-for-quota"),
        ("q: new(0)5", "exceeds-max-quota"),
        ("q: new(0)1,memory=1", "no-matching-flavor"),
    ),
    clauses={"a": "a Warning with the reason that the release has for the cause", "b": "and the message"},
)
def test_event_has_the_cause(kueue_cluster, comes, cause):
    queues = kueue_cluster.make_topology("q 4")
    queues.submit_in_turn("q: x(0)3")

    new = queues.submit(comes)

    within("settle", lambda: new.is_unreserved_for(cause))
    reason = kueue_cluster.unreserved_reason(cause)
    within("settle", lambda: kueue_cluster.has_event(reason, new, type="Warning"), clause="a")
    events = kueue_cluster.events_of(new)
    within("settle", lambda: events.has_text_containing(reason, "couldn't assign flavors"), clause="b")


@scenario(
    "QUE-375",
    "a request for a resource that no flavor has matches no flavor, whatever becomes of its other resources",
    requirement="queueing#events",
    shows="KV-52 KV-07",
    since="0.20.0",
    level="may",
    cases=rows(
        "comes",
        ("q: new(0)1,memory=1",),
        ("q: new(0)2,memory=1",),
        ("q: new(0)5,memory=1",),
        ("q: new(0)5,amemory=1",),
    ),
    clauses={"a": "the cause, with as much of the other resource as is free, taken, or more than there is"},
)
def test_mixed_requests(kueue_cluster, comes):
    queues = kueue_cluster.make_topology("q 4")
    queues.submit_in_turn("q: x(0)3")

    new = queues.submit(comes)

    within("settle", lambda: new.is_unreserved_for("no-matching-flavor"), clause="a")
    always(lambda: new.is_unreserved_for("no-matching-flavor"), clause="a")


def _by_release(kueue_cluster, named, unnamed):
    """Return reason and text: of a release that names causes, or of one that does not."""
    return named if kueue_cluster.context.dialect.fact("names-causes") else unnamed
