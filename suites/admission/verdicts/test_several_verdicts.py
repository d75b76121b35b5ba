"""ADM: what several checks say of one Workload: which of them it is makes no difference (KEP-993, 108-111;
AC-276, AC-285, AC-287, AC-291).
"""

from kueue_conformance import always, either, pairwise, rows, scenario, within

FORMS = ("workload", "job")
STAGES = ("prechecked", "admitted")
PLACES = (0, 1, 2)
LONGEST, LONGEST_NOTE = 32768, 1024


def one_and_the_rest(queue, position):
    """Return the check at a place of the list, and the others."""
    return queue.checks[position], [*queue.checks[:position], *queue.checks[position + 1 :]]


def one_says(queue, position, workload, verdict, *, other_verdict):
    """Have the check at a place of the list give a verdict, after all others gave theirs."""
    first, rest = one_and_the_rest(queue, position)
    [check.answer(workload, other_verdict) for check in rest]
    first.answer(workload, verdict)


def is_tried_again(queue, workload):
    """Tell whether quota is reserved a second time, and every check is undecided."""
    return workload.was_reserved(2) and workload.has_states("Pending", *queue.checks)


def eviction_text(check, message):
    """Return the text of an eviction by one check that said Retry."""
    return f'Evicted due to AdmissionCheck in Retry state: "{check.name}" ({message})'


def retry_with_message(kueue_cluster, message):
    """Have the only check of a Workload say Retry with a message while its pods are held; return the Workload
    and the text of its eviction.
    """
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    kueue_cluster.release.pods_are_held = True
    queue.checks[0].answer(workload, "Retry", message=message)
    return workload, eviction_text(queue.checks[0], message)


@scenario(
    "ADM-223",
    "when one check is in Retry and another Rejected at once, Rejected wins",
    requirement="kep-993#retry-or-reject",
    shows="SC-223 AC-291",
    since="0.8",
    also=("kep993",),
    revision=2,
    cases=pairwise(first=("Retry", "Rejected"), form=FORMS),
    clauses={"a": "it is rejected"},
)
def test_rejected_wins(make_queue, first, form):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked", form)
    second = {"Retry": "Rejected", "Rejected": "Retry"}[first]

    workload.set_verdicts(dict(zip(queue.checks, (first, second), strict=True)))

    within("evict", workload.is_rejected, clause="a")


@scenario(
    "ADM-340",
    "one check that is not Ready holds a Workload back, whichever check it is",
    requirement=("docs-2024#all-positive", "kep-993#order-is-irrelevant"),
    shows="AC-241 AC-242 AC-285",
    cases=pairwise(place=PLACES, form=FORMS),
    clauses={"a": "Prechecked while one is undecided", "b": "admitted by its answer"},
)
def test_last_check_to_pass(make_queue, place, form):
    queue = make_queue(checks=3)
    workload = queue.submit_until("prechecked", form)
    last, other_checks = one_and_the_rest(queue, place)

    [check.answer(workload, "Ready") for check in other_checks]
    always(lambda: workload.is_prechecked() and workload.was_ever("Admitted").negate(), clause="a")
    last.answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-341",
    "one check in Retry evicts a Workload, whichever check it is",
    requirement=("docs-2024#retry-releases", "kep-993#order-is-irrelevant"),
    shows="AC-287 AC-289 AC-340",
    since="0.9",
    cases=pairwise(place=PLACES, other_verdict=("Pending", "Ready"), form=FORMS),
    clauses={
        "a": "evicted because of a check",
        "b": "reserved again, and every check undecided",
        "c": "never admitted",
    },
)
def test_retry_at_each_place(make_queue, place, other_verdict, form):
    queue = make_queue(checks=3)
    workload = queue.submit_until("prechecked", form)

    one_says(queue, place, workload, "Retry", other_verdict=other_verdict)

    within("evict", workload.was_evicted_by_a_check, clause="a")
    within("requeue", lambda: is_tried_again(queue, workload), clause="b")
    always(lambda: workload.was_ever("Admitted").negate(), clause="c")


@scenario(
    "ADM-342",
    "checks that are in Retry at the same time evict a Workload once, and all are Pending afterwards",
    requirement=("docs-2024#retry-releases", "kep-993#prechecked-to-suspended-retry"),
    shows="AC-287 AC-289 AC-340",
    since="0.9",
    cases=pairwise(checks=(2, 3), stage=STAGES, form=FORMS),
    clauses={
        "a": "evicted and released",
        "b": "reserved again, and every check is Pending",
        "c": "once, and not again",
    },
)
def test_all_say_retry(make_queue, checks, stage, form):
    queue = make_queue(checks=checks)
    workload = queue.submit_until(stage, form)

    workload.set_verdicts(dict.fromkeys(queue.checks, "Retry"))

    within("evict", workload.was_evicted_by_a_check, clause="a")
    within("requeue", lambda: is_tried_again(queue, workload), clause="b")
    always(lambda: workload.was_evicted_times(1) and workload.was_reserved(2), clause="c")


@scenario(
    "ADM-343",
    "the event of an eviction has the message of its condition",
    requirement="docs-2024#retry-event",
    shows="AC-276 AC-287 AC-381 D-06",
    level="may",
    since="0.18",
    clauses={"a": "it names the check and has its message"},
)
def test_text_of_the_event_of_eviction(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    message = kueue_cluster.names.message()

    queue.checks[0].answer(workload, "Retry", message=message)

    message_of_eviction = eviction_text(queue.checks[0], message)
    within(
        "evict",
        lambda: kueue_cluster.has_event_with_text(
            "EvictedDueToAdmissionCheck", workload, message_of_eviction
        ),
        clause="a",
    )


@scenario(
    "ADM-344",
    "one Rejected check deactivates a Workload, whichever check it is",
    requirement=(
        "docs-2024#rejected-releases",
        "kep-993#prechecked-to-rejected",
        "kep-993#order-is-irrelevant",
    ),
    shows="AC-291 AC-292 AC-293",
    cases=pairwise(place=PLACES, other_verdict=("Pending", "Ready"), form=FORMS),
    clauses={"a": "rejected", "b": "never reserved again, and never admitted"},
)
def test_rejection_at_each_place(make_queue, place, other_verdict, form):
    queue = make_queue(checks=3)
    workload = queue.submit_until("prechecked", form)

    one_says(queue, place, workload, "Rejected", other_verdict=other_verdict)

    within("evict", workload.is_rejected, clause="a")
    always(lambda: workload.was_reserved(1) and workload.was_ever("Admitted").negate(), clause="b")


@scenario(
    "ADM-345",
    "checks that reject a Workload at the same time deactivate it once",
    requirement=("docs-2024#rejected-releases", "kep-993#prechecked-to-rejected"),
    shows="AC-291 AC-293",
    cases=pairwise(checks=(2, 3), stage=STAGES, form=FORMS),
    clauses={"a": "rejected", "b": "evicted once, and never reserved again"},
)
def test_all_reject(make_queue, checks, stage, form):
    queue = make_queue(checks=checks)
    workload = queue.submit_until(stage, form)

    workload.set_verdicts(dict.fromkeys(queue.checks, "Rejected"))

    within("evict", workload.is_rejected, clause="a")
    always(lambda: workload.was_evicted_times(1) and workload.was_reserved(1), clause="b")


@scenario(
    "ADM-346",
    "condition and events of a rejection name every check that rejects, and no other",
    requirement="docs-2024#rejected-event",
    shows="AC-270 AC-276 AC-291 AC-381 D-09 D-10",
    level="may",
    since="0.18",
    cases=rows("author", ("first",), ("second",), ("both",)),
    clauses={
        "a": "the event of the rejection",
        "b": "the condition Evicted",
        "c": "the event of the eviction",
    },
)
def test_text_of_a_rejection(kueue_cluster, author):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    message, first, second = kueue_cluster.names.message(), *queue.checks
    rejecting = {"first": [first], "second": [second], "both": [first, second]}[author]

    workload.set_verdicts(dict.fromkeys(rejecting, "Rejected"), message=message)

    noun = {"first": "AdmissionCheck", "second": "AdmissionCheck", "both": "AdmissionChecks"}[author]
    why = f"{noun} in Rejected state: " + "; ".join(f'"{check.name}" ({message})' for check in rejecting)
    gone = f"The workload is deactivated due to {why}"
    within(
        "evict",
        lambda: kueue_cluster.has_event_with_text(
            "AdmissionCheckRejected", workload, f"Deactivated due to {why}"
        ),
        clause="a",
    )
    within("evict", lambda: workload.has_message("Evicted", gone), clause="b")
    within(
        "evict",
        lambda: kueue_cluster.has_event_with_text(
            "EvictedDueToDeactivatedDueToAdmissionCheck", workload, gone
        ),
        clause="c",
    )


@scenario(
    "ADM-347",
    "a Workload with one check in Retry and another Rejected gets no quota again",
    requirement=("docs-2024#rejected-deactivates", "kep-993#retry-or-reject"),
    shows="AC-291",
    since="0.8",
    also=("kep993",),
    cases=pairwise(place=(0, 1), stage=STAGES, form=FORMS),
    clauses={
        "a": "rejected",
        "b": "evicted once, and never reserved again",
        "c": "not evicted for the check in Retry",
    },
)
def test_retry_beside_rejected(make_queue, place, stage, form):
    queue = make_queue(checks=2)
    workload = queue.submit_until(stage, form)
    first, (other,) = one_and_the_rest(queue, place)

    workload.set_verdicts({first: "Rejected", other: "Retry"})

    within("evict", workload.is_rejected, clause="a")
    always(lambda: workload.was_evicted_times(1) and workload.was_reserved(1), clause="b")
    always(lambda: workload.was_evicted_by_a_check().negate(), clause="c")


@scenario(
    "ADM-348",
    "a rejection waits for the end of a delay for which another check keeps the quota",
    requirement="kep-993#hold",
    shows="AC-288 AC-291 AC-322 D-07",
    level="may",
    since="0.19",
    revision=2,
    cases=pairwise(place=(0, 1)),
    clauses={
        "a": "quota is kept during the delay, or given back",
        "b": "not rejected before the delay is over",
        "c": "rejected then, or reserved again where nothing was to be rejected",
    },
)
def test_rejection_during_a_delay(make_queue, clock, place):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    first, (other,) = one_and_the_rest(queue, place)
    began = clock.current_time()
    with clock.during(clock.hold):
        other.answer(workload, "Retry", delay=clock.hold)
        within("settle", workload.is_waiting_for_requeue)
        clock.advance(clock.hold // 2)
        observed = either(
            "evict",
            {
                "it is kept": lambda: workload.has_quota_reserved() and workload.was_ever("Evicted").negate(),
                "it is given back": lambda: workload.was_evicted_by_a_check() and workload.is_suspended(),
            },
            clause="a",
        )
    # Where quota is given back at once, the other check has nothing more to answer.
    if observed == "it is kept":
        first.answer(workload, "Rejected")
    holds, ends = {
        "it is kept": (workload.is_prechecked, workload.is_inactive),
        "it is given back": (workload.is_suspended, lambda: workload.was_reserved(2)),
    }[observed]

    clock.advance_while(
        clock.hold, lambda: holds() and workload.is_inactive().negate(), since=began, clause="b"
    )
    within("prompt", ends, clause="c")


@scenario(
    "ADM-058",
    "a text that is too long for a condition or an event is truncated, and ends with dots",
    requirement="docs-2024#retry-event",
    shows="AC-120 AC-274 AC-276",
    level="may",
    since="0.18",
    clauses={"a": "the condition Evicted", "b": "the event"},
)
def test_long_message(kueue_cluster):
    workload, message = retry_with_message(kueue_cluster, message="x" * LONGEST)

    within("evict", lambda: workload.has_message("Evicted", f"{message[: LONGEST - 4]} ..."), clause="a")
    event = f"{message[: LONGEST_NOTE - 4]} ..."
    within(
        "evict",
        lambda: kueue_cluster.has_event_with_text("EvictedDueToAdmissionCheck", workload, event),
        clause="b",
    )


@scenario(
    "ADM-059",
    "a condition repeats the message of a check verbatim",
    requirement="docs-2024#retry-evicts",
    shows="AC-276 AC-383",
    level="may",
    since="0.18",
    cases=rows("character", ("percent",), ("quote",), ("backslash",), ("umlaut",)),
    clauses={"a": "the condition Evicted"},
)
def test_odd_message(kueue_cluster, character):
    odd = {"percent": "%", "quote": '"', "backslash": "\\", "umlaut": "ü"}[character]

    workload, message = retry_with_message(kueue_cluster, message=f"50{odd}of 100{odd}d nodes")

    within("evict", lambda: workload.has_message("Evicted", message), clause="a")
