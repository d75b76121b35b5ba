"""ADM: the list of checks follows the ClusterQueue (documentation,
"AdmissionCheckStates"; AC-356…359, AC-376).
"""

from kueue_conformance import always, cross, pairwise, scenario, within

FORMS = ("workload", "job")


@scenario(
    "ADM-006",
    "a check added to the queue is added to its Workloads as Pending",
    requirement="docs-2024#added-is-pending",
    shows="AC-280 AC-357 AC-376",
    cases=cross(added=(1, 2), form=FORMS),
    revision=2,
    clauses={"a": "it is listed", "b": "it is Pending", "c": "it has to pass like the others"},
)
def test_added_check_is_listed(kueue_cluster, added, form):
    queue = kueue_cluster.make_queue(checks=1, cpu="0")
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    always(workload.is_suspended)
    *between, last = [kueue_cluster.make_check() for _ in range(added)]

    queue.set_checks(*queue.checks, *between, last)

    within("settle", lambda: workload.lists_checks(*queue.checks, *between, last), clause="a")
    always(lambda: workload.has_states("Pending", *between, last), clause="b")
    queue.set_quota("5")
    within("reserve", workload.is_prechecked)
    [check.answer(workload, "Ready") for check in (*queue.checks, *between)]
    always(workload.is_prechecked, clause="c")
    last.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-007",
    "removing every check from the queue empties the list of its Workloads",
    requirement="docs-2024#list-in-sync",
    shows="SC-007 AC-358",
    cases=cross(checks=(1, 3), state=("Pending", "Ready", "Retry")),
    revision=2,
    clauses={"a": "no check is listed, whatever the verdicts were", "b": "nothing holds the admission back"},
)
def test_list_can_become_empty(make_queue, checks, state):
    queue = make_queue(checks=checks)
    queue.hold()
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    [check.answer(workload, state) for check in queue.checks]

    queue.set_checks()

    within("settle", workload.lists_checks, clause="a")
    always(workload.is_suspended)
    queue.resume()
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-016",
    "a Workload moved into another queue by its user lists that queue's checks",
    requirement="docs-2024#list-in-sync",
    shows="AC-096 AC-356",
    cases=cross(state=("Pending", "Ready", "Retry"))
    .also_drawn(state="Ready")
    .also_beside_namesakes(state="Ready"),
    revision=2,
    clauses={
        "a": "the new queue's checks are listed",
        "b": "the new checks decide, whatever the states of the old ones were",
    },
)
def test_pending_workload_may_change_its_queue(kueue_cluster, state):
    old, new = kueue_cluster.make_queue(checks=1), kueue_cluster.make_queue(checks=2)
    old.hold()
    workload = old.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*old.checks))
    old.checks[0].answer(workload, state)
    new.hold()
    within("settle", lambda: new.is_inactive("Stopped"))

    workload.set_queue(new)

    within("settle", lambda: workload.lists_checks(*new.checks), clause="a")
    # Not before: a Workload that still lists a Retry is not tried, nor again when the list changes.
    new.resume()
    within("reserve", workload.is_prechecked, clause="b")
    always(workload.is_prechecked, clause="b")
    [check.answer(workload, "Ready") for check in new.checks]
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-311",
    "the check lists of all Workloads follow their ClusterQueue, in every LocalQueue",
    requirement=("docs-2024#list-in-sync", "docs-2024#added-is-pending"),
    shows="AC-328 AC-356 AC-357",
    cases=cross(change=("added", "removed")),
    clauses={"a": "in each LocalQueue, those of pending Workloads and of those that hold quota"},
)
def test_all_lists_follow(kueue_cluster, change):
    queue = kueue_cluster.make_queue(checks=2, cpu="2")
    elsewhere = kueue_cluster.make_local_queue_in_other_namespace(queue)
    in_queue, there = (
        [submitted_to.submit(cpu="1") for _ in range(3)] for submitted_to in (queue, elsewhere)
    )
    workloads = [*in_queue, *there]
    within("settle", lambda: queue.shows_counts(reserving=2, pending=4))
    within("settle", lambda: all(workload.lists_checks(*queue.checks) for workload in workloads))
    always(lambda: queue.shows_counts(reserving=2, pending=4))
    after = {"added": (*queue.checks, kueue_cluster.make_check()), "removed": queue.checks[:1]}[change]

    queue.set_checks(*after)

    for workload in workloads:
        within("settle", lambda workload=workload: workload.lists_checks(*after), clause="a")


@scenario(
    "ADM-314",
    "the check list of a Workload stays when its ClusterQueue is deleted, and follows the next one of that name",
    requirement="docs-2024#list-in-sync",
    shows="AC-325 AC-356 AC-376",
    level="should",
    cases=pairwise(form=FORMS),
    clauses={"a": "the states of the checks stay", "b": "the new ClusterQueue's checks are listed"},
)
def test_list_without_a_cluster_queue(kueue_cluster, form):
    queue, next_check = kueue_cluster.make_queue(checks=2, cpu="0"), kueue_cluster.make_check()
    workload = queue.submit(form, cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    always(workload.is_suspended)  # else Kueue's first attempt may put the answer back (AC-372)
    queue.checks[0].answer(workload, "Ready")
    entries_before = [workload.entry_of(check) for check in queue.checks]

    queue.delete()

    within("settle", queue.is_gone)
    always(lambda: [workload.entry_of(check) for check in queue.checks] == entries_before, clause="a")
    workload.touch()
    always(lambda: [workload.entry_of(check) for check in queue.checks] == entries_before, clause="a")
    kueue_cluster.make_cluster_queue_for(queue, [queue.checks[0], next_check])
    within("settle", lambda: workload.lists_checks(queue.checks[0], next_check), clause="b")


@scenario(
    "ADM-315",
    "the check list of a deactivated Workload follows the checks of its ClusterQueue",
    requirement="docs-2024#list-in-sync",
    shows="AC-376",
    level="should",
    since="0.8",
    also=("kep993",),
    clauses={"a": "it follows"},
)
def test_list_of_a_deactivated_workload(kueue_cluster):
    queue, added = kueue_cluster.make_queue(checks=1), kueue_cluster.make_check()
    workload = queue.submit_until("prechecked")
    workload.deactivate()
    within("evict", workload.is_suspended)

    queue.set_checks(*queue.checks, added)

    within("settle", lambda: workload.lists_checks(*queue.checks, added), clause="a")


@scenario(
    "ADM-316",
    "the check lists of the Workloads of a stopped LocalQueue follow when it is resumed",
    requirement="docs-2024#list-in-sync",
    shows="AC-376 AC-432",
    since="0.8",
    also=("kep993",),
    level="may",
    clauses={"a": "they stay meanwhile", "b": "they follow then"},
)
def test_list_of_a_stopped_local_queue(kueue_cluster):
    queue, added = kueue_cluster.make_queue(checks=1, cpu="0"), kueue_cluster.make_check()
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(*queue.checks))
    queue.hold_local()
    within("settle", lambda: queue.is_inactive_locally("Stopped"))

    queue.set_checks(*queue.checks, added)
    workload.touch()

    always(lambda: workload.lists_checks(*queue.checks), clause="a")
    queue.resume_local()
    within("settle", lambda: workload.lists_checks(*queue.checks, added), clause="b")


@scenario(
    "ADM-449",
    "a change of the check list is a write of its own, which changes nothing else and emits no event",
    requirement="docs-2024#list-in-sync",
    shows="AC-357 AC-359",
    since="0.9",
    also=("kep993",),
    level="should",
    cases=pairwise(stage=("prechecked", "admitted"), form=FORMS),
    clauses={
        "a": "the list changes",
        "b": "spec and status are otherwise as they were",
        "c": "no event tells of it",
    },
)
def test_list_is_written_alone(kueue_cluster, stage, form):
    queue = kueue_cluster.make_queue(checks=2)
    workload, added = queue.submit_until(stage, form), kueue_cluster.make_check()
    events = kueue_cluster.events_of(workload)
    within("settle", lambda: events.has_events("QuotaReserved"))
    before, event_count = workload.state_without_entries(), events.count_of("")

    queue.set_checks(queue.checks[0], added)

    within("settle", lambda: workload.lists_checks(queue.checks[0], added), clause="a")
    always(lambda: workload.state_without_entries() == before, clause="b")
    always(lambda: events.count_of("") == event_count, clause="c")
