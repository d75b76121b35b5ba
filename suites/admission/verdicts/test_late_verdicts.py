"""ADM: verdicts that come when nothing was asked, are taken back, or come too late (admission.md §7.12)."""

from kueue_conformance import always, either, never, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-221",
    "a negative verdict on a Workload without quota keeps it out of the queue",
    requirement="kep-993#no-reservation-on-hold",
    shows="SC-221 AC-282 AC-313 C-01",
    since="0.9",
    level="should",
    revision=2,
    cases=pairwise(state=("Retry", "Rejected"), place=(0, 1), form=FORMS),
    clauses={
        "a": "another one, without a verdict, is reserved",
        "b": "it is not",
        "c": "it is not evicted or deactivated",
    },
)
def test_negative_verdict_without_quota(make_queue, state, place, form):
    queue = make_queue(checks=2, cpu="0")
    workload, other = queue.submit(form, cpu="1"), queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks) and other.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)

    queue.checks[place].answer(workload, state)
    queue.set_quota("2")

    within("reserve", other.is_prechecked, clause="a")
    always(workload.is_suspended, clause="b")
    always(lambda: workload.was_ever("Evicted").negate() and workload.is_inactive().negate(), clause="c")


@scenario(
    "ADM-222",
    "a Retry that is written during an eviction takes effect",
    requirement="kep-993#no-reservation-on-hold",
    shows="SC-222 AC-314",
    since="0.9",
    level="may",
    clauses={"a": "it stays Retry", "b": "no quota is reserved for it"},
)
def test_retry_during_eviction(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("prechecked")
    kueue_cluster.release.pods_are_held = True
    queue.checks[0].answer(workload, "Retry")
    within("evict", workload.is_evicted)

    queue.checks[0].answer(workload, "Retry")
    kueue_cluster.release.pods_are_held = False

    within("evict", workload.was_released)
    always(lambda: workload.has_states("Retry"), clause="a")
    always(workload.is_suspended, clause="b")


@scenario(
    "ADM-645",
    "a Rejected that is written during an eviction deactivates the Workload, or is dropped",
    requirement="kueue-api#quirks",
    shows="BUG-157 AC-291 AC-314 KV-33",
    since="0.19",
    level="may",
    clauses={"a": "it is deactivated, or not", "b": "its quota is free at last", "c": "and stays so"},
)
def test_rejected_during_eviction(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=1)
    workload = queue.submit_until("admitted")
    kueue_cluster.release.pods_are_held = True
    queue.checks[0].answer(workload, "Retry")
    within("evict", workload.is_evicted)

    queue.checks[0].answer(workload, "Rejected")
    clock.advance_budget("react")

    either(
        "react",
        {
            "it is deactivated": lambda: workload.is_evicted() and workload.is_inactive(),
            "it is dropped": lambda: (
                workload.is_evicted() and workload.has_states("Rejected") and workload.is_inactive().negate()
            ),
        },
        until={"it is dropped": "<0.19.3, 0.20.0"},
        clause="a",
    )
    kueue_cluster.release.pods_are_held = False
    within("evict", workload.is_suspended, clause="b")
    within("settle", lambda: queue.shows_counts(reserving=0, admitted=0), clause="b")
    always(workload.is_suspended, clause="c")


@scenario(
    "ADM-224",
    "a check that goes back to Pending after admission changes nothing",
    requirement="kep-993#best-effort-decisions",
    shows="SC-224 AC-311 AC-486 D-12",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "it stays admitted"},
)
def test_pending_after_admission(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.submit_until("prechecked", form)
    queue.admit(workload)

    queue.checks[0].answer(workload, "Pending")

    always(workload.is_admitted, clause="a")


@scenario(
    "ADM-225",
    "a check that goes back to Pending before admission holds the admission back",
    requirement=("docs-2024#all-positive", "kep-993#best-effort-decisions"),
    shows="AC-285 AC-453",
    clauses={"a": "the other answer is not enough", "b": "both are"},
)
def test_answer_taken_back_before_admission(make_queue):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    queue.checks[0].answer(workload, "Ready")
    queue.checks[0].answer(workload, "Pending")

    queue.checks[1].answer(workload, "Ready")
    always(workload.is_prechecked, clause="a")
    queue.checks[0].answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-235",
    "an overwritten verdict counts when its controller writes it again",
    requirement="kep-993#green-light",
    shows="SC-235 AC-372 CC-060",
    clauses={"a": "admitted by the second answer"},
)
def test_lost_verdict_is_given_again(make_queue):
    queue = make_queue(checks=2)
    workload = queue.submit_until("prechecked")
    queue.checks[0].answer(workload, "Ready")
    queue.checks[0].overwrite_verdict(workload, "Pending")

    queue.checks[1].answer(workload, "Ready")
    always(workload.is_prechecked)
    queue.checks[0].answer(workload, "Ready")

    within("admit", workload.is_admitted, clause="a")


@scenario(
    "ADM-236",
    "a verdict that was found during an earlier reservation is written during a later one",
    requirement="kep-993#best-effort-decisions",
    shows="SC-236 CC-085",
    level="may",
    since="0.9",
    revision=4,
    clauses={
        "a": "it is accepted, as v0.19.2 does, or recognised as out of date",
        "b": "the flavor is that of the later reservation",
        "c": "admitted once the check answers for the later one",
    },
)
def test_late_answer(kueue_cluster, clock):
    first, second = kueue_cluster.make_flavor(), kueue_cluster.make_flavor()
    queue = kueue_cluster.make_queue(checks=1, flavors=[first])
    workload = queue.submit_until("prechecked")
    found_at = clock.current_time()
    queue.hold()
    within("evict", workload.is_suspended)
    queue.set_flavors(second)
    queue.resume()
    within("requeue", lambda: workload.has_flavor(second) and workload.has_states("Pending"))

    queue.checks[0].answer(workload, "Ready", found_at=found_at)
    clock.settle()

    either(
        "admit",
        {"taken": workload.is_admitted, "known to be out of date": workload.is_prechecked},
        clause="a",
    )
    always(lambda: workload.has_flavor(second), clause="b")
    queue.checks[0].answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-454",
    "no quota is reserved for a Workload with a check in Retry or Rejected, whenever that was written",
    requirement=("kep-993#no-reservation-on-hold", "kep-993#retry-or-reject"),
    shows="AC-282",
    cases=pairwise(state=("Retry", "Rejected"), place=(0, 1), form=FORMS),
    clauses={
        "a": "a later Workload that no check has turned down is reserved, and admitted when its checks pass",
        "b": "it never is",
    },
)
def test_nothing_is_reserved_for_what_is_turned_down(make_queue, state, place, form):
    queue = make_queue(checks=2, cpu="0")
    workload, other = queue.submit(form, cpu="1"), queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks) and other.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)
    queue.checks[1 - place].answer(workload, "Ready")
    queue.checks[place].answer(workload, state)

    queue.set_quota("2")

    within("reserve", other.is_prechecked, clause="a")
    always(lambda: workload.was_reserved(0), clause="b")
    [check.answer(other, "Ready") for check in queue.checks]
    within("admit", other.is_admitted, clause="a")
    workload.touch()
    always(lambda: workload.is_suspended() and workload.was_reserved(0), clause="b")


@scenario(
    "ADM-599",
    "in v0.6 a Retry for a Workload without quota evicts nothing",
    requirement="kep-993#no-reservation-on-hold",
    shows="AC-313 AC-346",
    only=("v0.6",),
    level="may",
    clauses={"a": "it is not evicted", "b": "and not finished"},
)
def test_older_retry_without_quota(make_queue):
    queue = make_queue(checks=1, cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)

    queue.checks[0].answer(workload, "Retry")

    never(lambda: workload.was_ever("Evicted"), clause="a")
    always(lambda: workload.is_finished().negate(), clause="b")
