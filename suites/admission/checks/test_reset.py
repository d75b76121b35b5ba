"""ADM: what an eviction makes of the entries of checks (KEP-993, 240-241; AC-340, AC-345, D-11, D-13)."""

from kueue_conformance import always, pairwise, rows, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-228",
    "the remaining entries after a rejection are Pending again",
    requirement="kep-993#retry-or-reject",
    shows="SC-228 AC-345 AC-349 C-06",
    since="0.15",
    level="should",
    cases=rows("verdict", ("Retry",), ("Rejected",)),
    clauses={"a": "Pending, with the previous state in the message"},
)
def test_reset_entry(make_queue, verdict):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked")

    queue.checks[0].answer(workload, verdict)

    message = f"Reset to Pending after eviction. Previously: {verdict}"
    within("requeue", lambda: workload.had_entry_message(queue.checks[0], message), clause="a")


@scenario(
    "ADM-350",
    "a Workload that is evicted for another reason than a check has its checks reset to Pending as well",
    requirement=("kep-993#undecided-at-first", "kep-993#retry-or-reject"),
    shows="AC-293 AC-303 AC-340 AC-387 AC-482 D-11",
    since="0.9",
    also=("kep993",),
    cases=rows(
        "stage cause form",
        *(
            (stage, cause, form)
            for stage, cause in (
                ("admitted", "drained"),
                ("admitted", "deactivated"),
                ("prechecked", "deactivated"),
            )
            for form in FORMS
        ),
    ),
    clauses={"a": "it gave its quota back", "b": "every check is listed, and undecided"},
)
def test_reset_whatever_the_cause(make_queue, stage, cause, form):
    queue = make_queue(checks=2)
    workload = queue.submit_until(stage, form)
    queue.checks[1].answer(workload, "Ready")

    {"drained": queue.hold_and_drain, "deactivated": workload.deactivate}[cause]()

    within("evict", workload.was_released, clause="a")
    within(
        "settle", lambda: workload.lists_checks(*queue.checks) and workload.has_states("Pending"), clause="b"
    )


@scenario(
    "ADM-351",
    "an entry that was undecided at an eviction stays as it was",
    requirement="kep-993#one-entry-per-check",
    shows="AC-340",
    since="0.9",
    level="should",
    cases=pairwise(place=(0, 1), form=FORMS),
    clauses={"a": "evicted, and reserved again", "b": "every field of it is unchanged"},
)
def test_undecided_entry_stays(kueue_cluster, clock, place, form):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked", form)
    undecided, other = queue.checks[place], queue.checks[1 - place]
    undecided.answer(
        workload, "Pending", message=kueue_cluster.names.message(), updates=kueue_cluster.pod_updates()
    )
    entry = dict(workload.entry_of(undecided))
    clock.tick()

    other.answer(workload, "Retry")

    within("requeue", lambda: workload.was_evicted_by_a_check() and workload.was_reserved(2), clause="a")
    always(lambda: workload.has_entry(undecided, entry), clause="b")


@scenario(
    "ADM-352",
    "an entry that the eviction resets to Pending has the time of the eviction",
    requirement="kep-993#retry-or-reject",
    shows="AC-340 AC-349",
    since="0.9",
    level="should",
    cases=pairwise(place=(0, 1)),
    clauses={"a": "the one that passed", "b": "the one in Retry"},
)
def test_time_of_reset_entries(make_queue, clock, place):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    passed, other = queue.checks[place], queue.checks[1 - place]
    passed.answer(workload, "Ready")
    clock.advance(clock.hold)

    other.answer(workload, "Retry")

    within("requeue", lambda: workload.was_reserved(2) and workload.has_fresh_entry(passed), clause="a")
    within("requeue", lambda: workload.has_fresh_entry(other), clause="b")


@scenario(
    "ADM-353",
    "an entry that was Ready is Pending again after an eviction, with its previous state in the message",
    requirement="kep-993#retry-or-reject",
    shows="SC-228 AC-340 AC-349",
    since="0.15",
    level="should",
    cases=pairwise(place=(0, 1)),
    clauses={"a": "Pending, with the previous state in the message"},
)
def test_message_of_an_entry_that_passed(kueue_cluster, place):
    queue = kueue_cluster.make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    passed, other = queue.checks[place], queue.checks[1 - place]
    passed.answer(workload, "Ready", message=kueue_cluster.names.message())

    other.answer(workload, "Retry")

    message = "Reset to Pending after eviction. Previously: Ready"
    within(
        "requeue",
        lambda: workload.has_states("Pending", passed) and workload.has_entry_message(passed, message),
        clause="a",
    )


@scenario(
    "ADM-354",
    "retryCount grows for each check in Retry, and for no other",
    requirement="kep-993#retry-or-reject",
    shows="AC-122 AC-340 AC-345 D-13",
    since="0.15",
    level="may",
    cases=rows("author", ("first",), ("second",), ("both",)),
    clauses={
        "a": "counted for the checks in Retry",
        "b": "not for the others",
        "c": "forgotten for all that pass before the next eviction",
    },
)
def test_retries_are_counted_by_check(make_queue, author):
    queue = make_queue(checks=3)
    workload = queue.submit_until("prechecked")
    first, second, third = queue.checks
    asking = {"first": [first], "second": [second], "both": [first, second]}[author]

    workload.set_verdicts(dict.fromkeys(asking, "Retry"))
    within(
        "requeue",
        lambda: workload.was_reserved(2) and all(workload.has_retried(check, 1) for check in asking),
        clause="a",
    )
    other_checks = [check for check in queue.checks if check not in asking]
    always(lambda: all(workload.has_retried(check, 0) for check in other_checks), clause="b")
    workload.set_verdicts(dict.fromkeys([first, second], "Ready"))
    third.answer(workload, "Retry")

    within(
        "requeue",
        lambda: (
            workload.was_reserved(3) and workload.has_retried(first, 0) and workload.has_retried(second, 0)
        ),
        clause="c",
    )
