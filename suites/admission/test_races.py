"""ADM: cases that no upstream test covers: verdicts at odd moments, checks that come and go (admission.md §7.12)."""

from kueue_conformance import always, either, listed, pairwise, scenario, within

FORMS = ("workload", "job")
STAGES = ("prechecked", "admitted")


def stage_of(workload, checks):
    """Return what a Workload is once quota is reserved: Prechecked if there are checks, else Admitted."""
    return {0: workload.is_admitted, 1: workload.is_prechecked}[checks]


@scenario(
    "ADM-220", "a delay postpones the eviction, as a release does it",
    requirement="kep-993#hold", shows="SC-220 AC-288 D-07", since="0.15", level="may", revision=2, cases=pairwise(stage=STAGES, form=FORMS),
    clauses={"a": "quota is kept during the delay", "b": "evicted when it is over"},
)  # fmt: skip
def test_delay_defers_the_eviction(make_queue, clock, stage, form):
    queue = make_queue(checks=1)
    workload = queue.brings_to(stage, form)

    queue.checks[0].answers(workload, "Retry", delay=clock.hold)
    clock.nearly_passes(clock.hold)
    always(lambda: workload.holds_quota() and workload.was_ever("Evicted").denied(), clause="a")
    clock.passes_the_rest(clock.hold)

    within("prompt", workload.was_evicted_by_a_check, clause="b")


@scenario(
    "ADM-221", "a negative verdict on a Workload without quota keeps it out of the queue",
    requirement="kep-993#no-reservation-on-hold", shows="SC-221 AC-282 AC-313 C-01", since="0.9", level="should", revision=2,
    cases=pairwise(state=("Retry", "Rejected"), place=(0, 1), form=FORMS),
    clauses={"a": "another one, without a verdict, is reserved", "b": "it is not", "c": "it is neither evicted nor deactivated"},
)  # fmt: skip
def test_negative_verdict_without_quota(make_queue, state, place, form):
    queue = make_queue(checks=2, cpu="0")
    workload, other = queue.submit(form, cpu="1"), queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks) and other.lists_checks(*queue.checks))

    queue.checks[place].answers(workload, state)
    queue.has_quota("2")

    within("reserve", other.is_prechecked, clause="a")
    always(workload.is_suspended, clause="b")
    always(lambda: workload.was_ever("Evicted").denied() and workload.is_inactive().denied(), clause="c")


@scenario(
    "ADM-222", "a Retry that comes during the eviction is not forgotten",
    requirement="kep-993#no-reservation-on-hold", shows="SC-222 AC-314", since="0.9", level="may",
    clauses={"a": "it stays Retry", "b": "no quota is reserved for it"},
)  # fmt: skip
def test_retry_during_eviction(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    workload = queue.brings_to("prechecked")
    kueue_cluster.release.pods_are_held = True
    queue.checks[0].answers(workload, "Retry")
    within("evict", workload.is_evicted)

    queue.checks[0].answers(workload, "Retry")
    kueue_cluster.release.pods_are_held = False

    within("evict", workload.was_released, clause="a")
    always(lambda: workload.is_suspended() and workload.has_states("Retry"), clause="b")


@scenario(
    "ADM-223", "when one check says Retry and another Rejected at once, Rejected wins",
    requirement="kep-993#retry-or-reject", shows="SC-223 AC-291", since="0.8", also=("kep993",), revision=2,
    cases=pairwise(first=("Retry", "Rejected"), form=FORMS),
    clauses={"a": "it is given up"},
)  # fmt: skip
def test_rejected_wins(make_queue, first, form):
    queue = make_queue(checks=2)
    workload = queue.brings_to("prechecked", form)
    second = {"Retry": "Rejected", "Rejected": "Retry"}[first]

    workload.is_judged(dict(zip(queue.checks, (first, second), strict=True)))

    within("evict", workload.is_rejected, clause="a")


@scenario(
    "ADM-224", "a check that goes back to Pending after admission changes nothing",
    requirement="kep-993#best-effort-decisions", shows="SC-224 AC-311 AC-486 D-12", level="should", cases=pairwise(form=FORMS),
    clauses={"a": "it stays admitted"},
)  # fmt: skip
def test_pending_after_admission(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.brings_to("prechecked", form)
    queue.checks[0].answers(workload, "Ready")
    within("admit", workload.is_admitted)

    queue.checks[0].answers(workload, "Pending")

    always(workload.is_admitted, clause="a")


@scenario(
    "ADM-225", "a check that goes back to Pending before admission holds it back",
    requirement=("docs-2024#all-positive", "kep-993#best-effort-decisions"), shows="AC-285 AC-453",
    clauses={"a": "the other answer is not enough", "b": "both are"},
)  # fmt: skip
def test_answer_taken_back_before_admission(make_queue):
    queue = make_queue(checks=2)
    workload = queue.brings_to("prechecked")
    queue.checks[0].answers(workload, "Ready")
    queue.checks[0].answers(workload, "Pending")

    queue.checks[1].answers(workload, "Ready")
    always(workload.is_prechecked, clause="a")
    queue.checks[0].answers(workload, "Ready")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-226", "a rejected Workload that a user activates again",
    requirement="docs-2024#rejected-deactivates", shows="SC-231 AC-295", since="0.19", level="may", revision=2,
    clauses={"a": "v0.19.2 keeps it out; a later release tries it again", "b": "without a new answer it is not admitted"},
)  # fmt: skip
def test_reactivation_after_rejection(make_queue, clock):
    queue = make_queue(checks=1)
    workload = queue.brings_to("prechecked")
    queue.checks[0].answers(workload, "Rejected")
    within("evict", workload.is_rejected)

    workload.reactivate()
    clock.comes_to_rest()

    ways = {
        "kept out, as v0.19.2 does": lambda: (
            workload.is_active_and_suspended() and workload.was_reserved(times=1)
        ),
        "tried again, with its checks undecided": lambda: (
            workload.has_states("Pending") and workload.was_reserved(times=2)
        ),
    }
    either("settle", ways, clause="a")
    always(lambda: workload.was_ever("Admitted").denied(), clause="b")


@scenario(
    "ADM-227", "a retry is counted for a check of every flavor when its Workload waits",
    requirement="kep-993#retry-or-reject", shows="SC-227 AC-353 C-04", since="0.15", level="may",
    clauses={"a": "the check for every flavor keeps its count", "b": "the check of one flavor is no longer listed"},
)  # fmt: skip
def test_retry_count_of_per_flavor_checks(kueue_cluster, clock):
    one, other = kueue_cluster.flavor(), kueue_cluster.flavor()
    for_all, for_one = kueue_cluster.check(), kueue_cluster.check()
    queue = kueue_cluster.queue(
        [for_all, for_one], flavors=[one, other], cpu=("1", "0"), on={for_one.name: [one]}
    )
    workload = queue.brings_to("prechecked", cpu="1")
    rival = queue.submit(cpu="1")
    clock.ticks()

    workload.is_judged({for_all: "Retry", for_one: "Retry"})
    within("evict", workload.was_released)

    within("requeue", lambda: workload.is_suspended() and rival.is_prechecked())
    within("settle", lambda: workload.has_retried(for_all, 1), clause="a")
    within("settle", lambda: workload.lists_any(for_one).denied(), clause="b")


@scenario(
    "ADM-228", "what is left of an entry after a rejection is undecided again",
    requirement="kep-993#retry-or-reject", shows="SC-228 AC-345 AC-349 C-06", since="0.15", level="should",
    cases=listed("verdict", ("Retry",), ("Rejected",)), clauses={"a": "Pending, saying what it was"},
)  # fmt: skip
def test_reset_entry(make_queue, verdict):
    queue = make_queue(checks=1)
    workload = queue.brings_to("prechecked")

    queue.checks[0].answers(workload, verdict)

    told = f"Reset to Pending after eviction. Previously: {verdict}"
    within("requeue", lambda: workload.entry_said(queue.checks[0], told), clause="a")


@scenario(
    "ADM-230", "a Workload is reserved again at once when a Hold ends",
    requirement="kep-993#hold", shows="SC-229 AC-301", cases=pairwise(form=FORMS), clauses={"a": "it is Prechecked"},
)  # fmt: skip
def test_reserved_again_after_hold(make_queue, form):
    queue = make_queue(checks=1)
    workload = queue.brings_to("prechecked", form)
    queue.holds()
    within("evict", workload.is_suspended)

    queue.resumes()

    within("requeue", workload.is_prechecked, clause="a")


@scenario(
    "ADM-232", "the Workloads of two namespaces with the same name are two Workloads",
    requirement="kep-993#one-entry-per-check", shows="CC-079", clauses={"a": "only the one that passed is admitted"},
)  # fmt: skip
def test_two_namespaces(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    twin = kueue_cluster.in_other_namespace(queue)
    workload, same_name = queue.submit(name="twin"), twin.submit(name="twin")
    within("settle", lambda: workload.lists_checks(*queue.checks) and same_name.lists_checks(*queue.checks))

    queue.checks[0].answers(same_name, "Ready")

    within("admit", same_name.is_admitted)
    always(workload.is_prechecked, clause="a")


@scenario(
    "ADM-234", "a v1beta1 object with both ways to refer to checks",
    requirement=("docs-2024#either-field", "kueue-api#versions"), shows="SC-234 AC-202 AC-005 AC-042", level="may", since="0.15", revision=2,
    cases=listed("version", ("v1beta1",)), clauses={"a": "the list of names counts"},
)  # fmt: skip
def test_both_v1beta1_fields(kueue_cluster, version):
    named, in_strategy = kueue_cluster.check(), kueue_cluster.check()
    queue = kueue_cluster.queue(
        checks=[named], admissionChecksStrategy={"admissionChecks": [{"name": in_strategy.name}]}
    )

    workload = queue.submit()

    within("settle", lambda: workload.lists_checks(named) and workload.is_prechecked(), clause="a")
    always(workload.is_prechecked, clause="a")


@scenario(
    "ADM-235", "a verdict that was overwritten counts when its controller gives it again",
    requirement="kep-993#green-light", shows="SC-235 AC-372 CC-060", clauses={"a": "admitted by the second answer"},
)  # fmt: skip
def test_lost_verdict_is_given_again(make_queue):
    queue = make_queue(checks=2)
    workload = queue.brings_to("prechecked")
    queue.checks[0].answers(workload, "Ready")
    queue.checks[0].is_overwritten(workload, "Pending")

    queue.checks[1].answers(workload, "Ready")
    always(workload.is_prechecked)
    queue.checks[0].answers(workload, "Ready")

    within("admit", workload.is_admitted, clause="a")


@scenario(
    "ADM-236", "an answer that was found during an earlier reservation comes during the later one",
    requirement="kep-993#best-effort-decisions", shows="SC-236 CC-085", level="may", since="0.9", revision=4,
    clauses={
        "a": "it is taken, as v0.19.2 does, or known to be out of date", "b": "the flavor is that of the later reservation",
        "c": "admitted once the check answers for the later one",
    },
)  # fmt: skip
def test_late_answer(kueue_cluster, clock):
    first, second = kueue_cluster.flavor(), kueue_cluster.flavor()
    queue = kueue_cluster.queue(checks=1, flavors=[first])
    workload = queue.brings_to("prechecked")
    found_at = clock.now()
    queue.holds()
    within("evict", workload.is_suspended)
    queue.offers_only(second)
    queue.resumes()
    within("requeue", lambda: workload.uses_flavor(second) and workload.has_states("Pending"))

    queue.checks[0].answers(workload, "Ready", found_at=found_at)
    clock.comes_to_rest()

    either(
        "admit",
        {"taken": workload.is_admitted, "known to be out of date": workload.is_prechecked},
        clause="a",
    )
    always(lambda: workload.uses_flavor(second), clause="b")
    queue.checks[0].answers(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-237", "a deleted check that is still in use goes on gating new Workloads",
    requirement="docs-2024#list-in-sync", shows="SC-237 AC-402", level="should", clauses={"a": "listed", "b": "it holds back"},
)  # fmt: skip
def test_terminating_check_still_gates(make_queue):
    queue = make_queue(checks=1)
    within("settle", queue.checks[0].is_held)
    queue.checks[0].delete()

    workload = queue.submit()

    within("settle", lambda: workload.lists_checks(*queue.checks), clause="a")
    within("settle", workload.is_prechecked, clause="b")
    always(workload.is_prechecked, clause="b")


@scenario(
    "ADM-238", "a rule that only changes its flavors keeps holding a deleted check",
    requirement="kep-993#check-is-cluster-scoped", shows="SC-238 AC-401", since="0.7", level="should", clauses={"a": "it stays"},
)  # fmt: skip
def test_changed_flavors_do_not_free_a_check(make_queue):
    queue = make_queue(checks=1, flavors=2)
    within("settle", queue.checks[0].is_held)
    queue.checks[0].delete()

    queue.requires(*queue.checks, on={queue.checks[0].name: queue.flavors[:1]})

    always(lambda: queue.checks[0].is_gone().denied(), clause="a")


@scenario(
    "ADM-239", "a rejected Workload holds its quota until its pods are gone",
    requirement="docs-2024#rejected-releases", shows="SC-239 AC-243 AC-291 AC-293 AC-332 R-10", since="0.10", level="should", revision=2,
    needs=("nobody else at work",),
    clauses={"a": "inactive and evicted, quota still held", "b": "released afterwards"},
)  # fmt: skip
def test_rejection_waits_for_pods(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    workload = queue.brings_to("admitted", "job")
    job = kueue_cluster.job_of(workload)
    within("settle", job.is_started)
    job.has_pods(1)

    queue.checks[0].answers(workload, "Rejected")
    within(
        "evict", lambda: workload.is_inactive() and workload.is_evicted() and job.is_suspended(), clause="a"
    )
    always(workload.holds_quota, clause="a")
    job.has_pods(0)

    within("evict", workload.is_rejected, clause="b")


@scenario(
    "ADM-240", "two Workloads that both fit are both reserved",
    requirement="kep-993#stage-one", shows="AC-283 AC-441", cases=pairwise(checks=(1, 2), form=FORMS), clauses={"a": "both are Prechecked"},
)  # fmt: skip
def test_both_fit(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="2")

    one, other = queue.submit(form, cpu="1"), queue.submit(form, cpu="1")

    within("reserve", lambda: one.is_prechecked() and other.is_prechecked(), clause="a")


@scenario(
    "ADM-241", "more quota lets a waiting Workload in",
    requirement="kep-993#stage-one", shows="AC-283", cases=pairwise(checks=(0, 1), form=FORMS), revision=2,
    clauses={"a": "it is reserved", "b": "and admitted only without checks"},
)  # fmt: skip
def test_more_quota(make_queue, checks, form):
    queue = make_queue(checks=checks, cpu="1")
    workload = queue.submit(form, cpu="2")
    always(workload.is_suspended)

    queue.has_quota("2")

    within("reserve", stage_of(workload, checks), clause="a")
    always(stage_of(workload, checks), clause="b")


@scenario(
    "ADM-242", "queues of one cohort lend each other what they do not use",
    requirement="kep-993#stage-one", shows="AC-034 T-01", cases=pairwise(checks=(0, 1)), level="should", revision=2,
    clauses={"a": "it is reserved", "b": "and admitted only without checks"},
)  # fmt: skip
def test_borrowing(kueue_cluster, checks):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.flavor()
    kueue_cluster.queue(flavors=[flavor], cpu="2", cohortName=cohort)
    borrower = kueue_cluster.queue(checks, flavors=[flavor], cpu="1", cohortName=cohort)

    workload = borrower.submit(cpu="3")

    within("reserve", stage_of(workload, checks), clause="a")
    always(stage_of(workload, checks), clause="b")


@scenario(
    "ADM-243", "the second flavor is used when the first is full",
    requirement="kep-993#stage-one", shows="SC-003 AC-283", cases=pairwise(checks=(0, 1)), revision=2,
    clauses={"a": "the second flavor is assigned", "b": "and admitted only without checks"},
)  # fmt: skip
def test_second_flavor(make_queue, checks):
    queue = make_queue(checks=checks, flavors=2, cpu=("1", "2"))
    _, second = queue.flavors

    workload = queue.submit(cpu="2")

    within("reserve", lambda: workload.uses_flavor(second) and stage_of(workload, checks)(), clause="a")
    always(stage_of(workload, checks), clause="b")


@scenario(
    "ADM-244", "a Workload that is deleted while its checks run frees its quota",
    requirement="kep-993#reservation-fits-quota", shows="AC-296 CC-064", cases=pairwise(form=FORMS), clauses={"a": "the next is reserved"},
)  # fmt: skip
def test_deleted_while_prechecked(make_queue, form):
    queue = make_queue(checks=1, cpu="1")
    first = queue.brings_to("prechecked", form, cpu="1")
    second = queue.submit(form, cpu="1")
    always(second.is_suspended)

    first.delete()

    within("reserve", second.is_prechecked, clause="a")


@scenario(
    "ADM-245", "a strict queue does not let a small Workload overtake a large one",
    requirement="kep-993#reservation-fits-quota", shows="AC-441 Q-001", level="should",
    cases=listed("strategy", ("StrictFIFO",), ("BestEffortFIFO",)), clauses={"a": "the small one waits only in the strict queue"},
)  # fmt: skip
def test_queueing_strategy(make_queue, strategy):
    queue = make_queue(checks=0, cpu="2", queueingStrategy=strategy)
    running = queue.submit(cpu="1")
    within("admit", running.is_admitted)
    large = queue.submit(cpu="2", priority=10)
    always(large.is_suspended)

    small = queue.submit(cpu="1")

    expected = {"StrictFIFO": small.is_suspended, "BestEffortFIFO": small.is_admitted}[strategy]
    within("settle", expected, clause="a")
    always(expected, clause="a")
