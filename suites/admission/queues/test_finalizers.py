"""ADM: AdmissionChecks and ResourceFlavors that are in use stay (KEP-993; AC-400…402, AC-406…407)."""

from kueue_conformance import always, cross, scenario, within

RESOURCES = ("cpu", "memory", "ephemeral-storage")


@scenario(
    "ADM-103",
    "an AdmissionCheck in use stays until no ClusterQueue refers to it",
    requirement="kep-993#check-is-cluster-scoped",
    shows="SC-103 AC-400 AC-401",
    level="should",
    cases=cross(place=(1, 2, 3)),
    revision=2,
    clauses={
        "a": "it has the finalizer",
        "b": "it stays while in use, and holds back",
        "c": "it is deleted when the last queue no longer names it",
        "d": "the others decide then",
    },
)
def test_used_check_is_held(kueue_cluster, place):
    queue = kueue_cluster.make_queue(checks=3)
    check = queue.checks[place - 1]
    other_checks = [other for other in queue.checks if other is not check]
    second_queue = kueue_cluster.make_queue([other_checks[0], check])
    workload = queue.submit_until("prechecked")
    [check.answer(workload, "Ready") for check in other_checks]
    within("settle", check.has_finalizer, clause="a")

    check.delete()
    always(lambda: check.has_finalizer() and workload.is_prechecked(), clause="b")
    queue.set_checks(*other_checks)
    within("admit", workload.is_admitted, clause="d")
    always(check.has_finalizer, clause="b")
    second_queue.set_checks(other_checks[0])

    within("settle", check.is_gone, clause="c")


@scenario(
    "ADM-104",
    "an AdmissionCheck is deleted once the ClusterQueue that used it is deleted",
    requirement="kep-993#check-is-cluster-scoped",
    shows="SC-104 AC-401",
    level="should",
    clauses={"a": "it is gone"},
)
def test_check_goes_with_its_queue(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1)
    within("settle", queue.checks[0].has_finalizer)
    queue.checks[0].delete()
    always(lambda: queue.checks[0].is_gone().negate())

    queue.delete()

    within("settle", queue.checks[0].is_gone, clause="a")


@scenario(
    "ADM-105",
    "a ResourceFlavor in use stays until no ClusterQueue refers to it",
    requirement="kep-993#stage-one",
    shows="SC-105 AC-407",
    revision=2,
    cases=cross(ends=("renamed", "deleted"), group=(1, 2, 3)),
    clauses={"a": "it stays while in use, in whichever resource group", "b": "it is deleted afterwards"},
)
def test_used_flavor_is_held(kueue_cluster, ends, group):
    *flavors, other = (kueue_cluster.make_flavor() for _ in range(4))
    groups = [kueue_cluster.resource_group_of(*covered) for covered in zip(RESOURCES, flavors, strict=True)]
    queue, flavor = kueue_cluster.make_queue(flavors=flavors, resourceGroups=groups), flavors[group - 1]
    within("settle", queue.is_active)
    end = {"renamed": lambda: queue.set_flavors(other), "deleted": queue.delete}[ends]

    kueue_cluster.delete_flavor(flavor)
    always(lambda: kueue_cluster.has_no_flavor(flavor).negate(), clause="a")
    end()

    within("settle", lambda: kueue_cluster.has_no_flavor(flavor), clause="b")


@scenario(
    "ADM-237",
    "a deleted check that is still in use still gates new Workloads",
    requirement="docs-2024#list-in-sync",
    shows="SC-237 AC-402",
    level="should",
    clauses={"a": "listed", "b": "it holds back"},
)
def test_terminating_check_still_gates(make_queue):
    queue = make_queue(checks=1)
    within("settle", queue.checks[0].has_finalizer)
    queue.checks[0].delete()

    workload = queue.submit()

    within("settle", lambda: workload.lists_checks(*queue.checks), clause="a")
    within("settle", workload.is_prechecked, clause="b")
    always(workload.is_prechecked, clause="b")


@scenario(
    "ADM-238",
    "a strategy rule whose flavors change still holds a deleted check",
    requirement="kep-993#check-is-cluster-scoped",
    shows="SC-238 AC-401",
    since="0.7",
    level="should",
    clauses={"a": "it stays"},
)
def test_changed_flavors_do_not_free_a_check(make_queue):
    queue = make_queue(checks=1, flavors=2)
    within("settle", queue.checks[0].has_finalizer)
    queue.checks[0].delete()

    queue.set_checks(*queue.checks, on={queue.checks[0].name: queue.flavors[:1]})

    always(lambda: queue.checks[0].is_gone().negate(), clause="a")


@scenario(
    "ADM-321",
    "a check that is being deleted and still in use is still required",
    requirement="docs-2024#missing-or-inactive-check",
    shows="AC-402",
    level="should",
    clauses={
        "a": "the queue stays active",
        "b": "whatever its controller writes then",
        "c": "a new Workload has to pass it",
    },
)
def test_check_that_is_being_deleted(make_queue):
    queue = make_queue(checks=1)
    check = queue.checks[0]
    within("settle", check.has_finalizer)

    check.delete()
    always(queue.is_active, clause="a")
    check.set_active(False)
    always(queue.is_active, clause="b")

    workload = queue.submit_until("prechecked")
    always(workload.is_prechecked, clause="c")
    check.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-328",
    "every AdmissionCheck gets its finalizer at its creation, and is deleted at once when it is not in use",
    requirement="kep-993#check-is-cluster-scoped",
    shows="AC-400 AC-401 AC-406",
    level="should",
    cases=cross(controller=("the-same", "another")),
    clauses={
        "a": "it has the finalizer",
        "b": "a check that is not in use is deleted",
        "c": "one that was taken by hand stays away",
    },
)
def test_finalizer_of_an_unused_check(kueue_cluster, controller):
    fields = {"the-same": {}, "another": {"controller": "example.com/another"}}[controller]
    check, stripped = kueue_cluster.make_check(**fields), kueue_cluster.make_check(**fields)
    within("settle", lambda: check.has_finalizer() and stripped.has_finalizer(), clause="a")

    stripped.remove_finalizers()
    stripped.touch()
    always(lambda: stripped.has_finalizer().negate(), clause="c")
    check.delete()

    within("settle", check.is_gone, clause="b")
