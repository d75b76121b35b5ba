"""ADM: Active conditions and what may not be deleted (documentation, "Usage"; AC-400…408, AC-410…427)."""

from kueue_conformance import always, listed, pairwise, scenario, within


@scenario(
    "ADM-100", "a ClusterQueue with missing flavors is inactive until they exist",
    requirement="kep-993#stage-one", shows="SC-100 AC-413 AC-426", level="should", cases=listed("missing", (1,), (2,)),
    clauses={"a": "inactive for the flavors", "b": "active when they exist"},
)  # fmt: skip
def test_missing_flavors(kueue_cluster, missing):
    names = [kueue_cluster.names.name("flavor") for _ in range(2)]
    [kueue_cluster.create_flavor(name) for name in names[missing:]]
    queue = kueue_cluster.queue(flavors=names)
    within("settle", lambda: queue.is_inactive("FlavorNotFound"), clause="a")

    [kueue_cluster.create_flavor(name) for name in names[:missing]]

    within("settle", queue.is_active, clause="b")


@scenario(
    "ADM-101", "a ClusterQueue whose checks are missing or not Active is inactive until all of them are",
    requirement="docs-2024#missing-or-inactive-check", shows="SC-101 AC-414 AC-415 D-17",
    clauses={"a": "inactive while they are missing", "b": "while one is missing", "c": "while one is not Active", "d": "then active"},
)  # fmt: skip
def test_missing_and_inactive_checks(kueue_cluster):
    first, second = kueue_cluster.missing_check(), kueue_cluster.missing_check()
    queue = kueue_cluster.queue([first, second])
    within("settle", queue.is_inactive_for_missing_checks, clause="a")

    kueue_cluster.create_check(first).becomes_active()
    within("settle", queue.is_inactive_for_missing_checks, clause="b")
    kueue_cluster.create_check(second)
    within("settle", queue.is_inactive_for_inactive_checks, clause="c")
    second.becomes_active()

    within("settle", queue.is_active, clause="d")


@scenario(
    "ADM-102", "two MultiKueue checks cannot be used together",
    requirement="docs-2024#missing-or-inactive-check", shows="SC-102 AC-416 AC-417", level="should", unsupported="MultiKueue",
)  # fmt: skip
def test_multikueue_checks(make_queue):
    raise AssertionError("listed until MultiKueue exists")


@scenario(
    "ADM-103", "an AdmissionCheck in use stays until no ClusterQueue refers to it",
    requirement="kep-993#check-is-cluster-scoped", shows="SC-103 AC-400 AC-401", level="should",
    clauses={"a": "it has the finalizer", "b": "it stays while in use", "c": "it goes when the queue no longer names it"},
)  # fmt: skip
def test_used_check_is_held(kueue_cluster):
    queue, other = kueue_cluster.queue(checks=1), kueue_cluster.check()
    check = queue.checks[0]
    within("settle", check.is_held, clause="a")

    check.delete()
    always(lambda: check.is_gone().denied(), clause="b")
    queue.requires(other)

    within("settle", check.is_gone, clause="c")


@scenario(
    "ADM-104", "an AdmissionCheck goes with the ClusterQueue that used it",
    requirement="kep-993#check-is-cluster-scoped", shows="SC-104 AC-401", level="should", clauses={"a": "it is gone"},
)  # fmt: skip
def test_check_goes_with_its_queue(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    within("settle", queue.checks[0].is_held)
    queue.checks[0].delete()
    always(lambda: queue.checks[0].is_gone().denied())

    queue.delete()

    within("settle", queue.checks[0].is_gone, clause="a")


@scenario(
    "ADM-105", "a ResourceFlavor in use stays until no ClusterQueue refers to it",
    requirement="kep-993#stage-one", shows="SC-105 AC-407", level="should", cases=listed("ends", ("renamed",), ("deleted",)),
    clauses={"a": "it stays while in use", "b": "it goes afterwards"},
)  # fmt: skip
def test_used_flavor_is_held(kueue_cluster, ends):
    queue, other = kueue_cluster.queue(), kueue_cluster.flavor()
    within("settle", queue.is_active)
    end = {"renamed": lambda: queue.offers_only(other), "deleted": queue.delete}[ends]

    kueue_cluster.delete_flavor(*queue.flavors)
    always(lambda: kueue_cluster.flavor_is_gone(*queue.flavors).denied(), clause="a")
    end()

    within("settle", lambda: kueue_cluster.flavor_is_gone(*queue.flavors), clause="b")


@scenario(
    "ADM-106", "a LocalQueue tells its users whether its ClusterQueue can admit",
    requirement="docs-2024#missing-or-inactive-check", shows="SC-106 AC-433", level="should", revision=2,
    clauses={"a": "no ClusterQueue", "b": "an inactive one", "c": "an active one", "d": "none again"},
)  # fmt: skip
def test_local_queue_active(kueue_cluster):
    check = kueue_cluster.missing_check()
    queue = kueue_cluster.queue_without_cluster_queue()
    within("settle", lambda: queue.users_see_inactive("ClusterQueueDoesNotExist"), clause="a")

    queue = kueue_cluster.cluster_queue_for(queue, [check])
    within("settle", lambda: queue.users_see_inactive("ClusterQueueIsInactive"), clause="b")
    kueue_cluster.create_check(check)
    within("settle", queue.is_inactive_for_inactive_checks)
    check.becomes_active()
    within("settle", queue.users_see_active, clause="c")
    queue.delete()

    within("settle", lambda: queue.users_see_inactive("ClusterQueueDoesNotExist"), clause="d")


@scenario(
    "ADM-107", "counters of a LocalQueue: reserving at reservation, admitted when the checks have passed",
    requirement="docs-2024#all-positive", shows="SC-107 AC-074", level="should", revision=2, cases=pairwise(form=("workload", "job")),
    clauses={"b": "one waits, one reserves", "c": "admitted"},
)  # fmt: skip
def test_local_queue_counters(make_queue, form):
    queue = make_queue(checks=1, cpu="1")
    workload = queue.brings_to("prechecked", form, cpu="1")
    queue.submit(form, cpu="1")
    within("settle", lambda: queue.users_count(pending=1, reserving=1, admitted=0), clause="b")

    queue.checks[0].answers(workload, "Ready")

    within("settle", lambda: queue.users_count(pending=1, reserving=1, admitted=1), clause="c")


@scenario(
    "ADM-108", "reserved and used quota of a ClusterQueue are counted apart",
    requirement="docs-2024#all-positive", shows="SC-108 AC-049", level="should",
    clauses={"a": "reserved at reservation", "b": "used at admission", "c": "nothing after the end"},
)  # fmt: skip
def test_usage_of_a_cluster_queue(make_queue):
    queue = make_queue(checks=1)
    workload = queue.submit(cpu="3")
    within("settle", lambda: queue.reserves("3") and queue.uses("0"), clause="a")
    within("settle", lambda: workload.lists_checks(*queue.checks))

    queue.checks[0].answers(workload, "Ready")
    within("settle", lambda: queue.uses("3"), clause="b")
    workload.finish()

    within("settle", lambda: queue.reserves("0") and queue.uses("0"), clause="c")


@scenario(
    "ADM-109", "an AdmissionCheck is Active only when its controller says so",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-404 AC-405", cases=listed("status", ("False",), ("Unknown",), ("absent",)),
    clauses={"a": "the queue is inactive", "b": "active when the controller says True"},
)  # fmt: skip
def test_check_without_active_true(kueue_cluster, status):
    check = kueue_cluster.check(active=False)
    {"absent": lambda: None}.get(status, lambda: check.says_active(status))()
    queue = kueue_cluster.queue([check])
    within("settle", queue.is_inactive_for_inactive_checks, clause="a")

    check.becomes_active()

    within("settle", queue.is_active, clause="b")


@scenario(
    "ADM-110", "an inactive queue admits nothing new and lets go on what holds quota",
    requirement="docs-2024#missing-or-inactive-check", shows="SC-230 AC-312 AC-425", revision=2,
    clauses={"a": "the reserved one is admitted all the same", "b": "the new one waits", "c": "the check still has to pass"},
)  # fmt: skip
def test_inactive_queue(kueue_cluster):
    queue = kueue_cluster.queue(checks=1)
    reserved = queue.submit()
    within("reserve", lambda: reserved.is_prechecked() and reserved.lists_checks(*queue.checks))

    queue.checks[0].becomes_active(False)
    within("settle", queue.is_inactive)
    new = queue.submit()
    reserved.touch()
    always(lambda: reserved.is_prechecked() and reserved.lists_checks(*queue.checks), clause="c")
    queue.checks[0].answers(reserved, "Ready")

    within("admit", reserved.is_admitted, clause="a")
    always(new.is_suspended, clause="b")


@scenario(
    "ADM-111", "Workloads that waited for an inactive queue go on when it is active again",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-405 AC-425", clauses={"a": "it waits", "b": "it is reserved"},
)  # fmt: skip
def test_queue_becomes_active_again(kueue_cluster):
    check = kueue_cluster.check(active=False)
    queue = kueue_cluster.queue([check])
    workload = queue.submit()
    always(workload.is_suspended, clause="a")

    check.becomes_active()

    within("reserve", workload.is_prechecked, clause="b")


@scenario(
    "ADM-112", "a ClusterQueue with a missing flavor names it",
    requirement="kep-993#stage-one", shows="SC-100 AC-413 AC-426", level="may", since="0.9",
    clauses={"a": "the message names the flavor that is missing", "b": "and no flavor that exists"},
)  # fmt: skip
def test_missing_flavor_is_named(kueue_cluster):
    missing, there = kueue_cluster.names.name("flavor"), kueue_cluster.flavor()

    queue = kueue_cluster.queue(flavors=[missing, there])

    within("settle", lambda: queue.says(missing), clause="a")
    always(lambda: queue.says(there).denied(), clause="b")
