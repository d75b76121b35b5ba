"""ADM: Active conditions and what may not be deleted (documentation, "Usage"; AC-400…408, AC-410…427)."""

from kueue_conformance import always, cross, listed, pairwise, scenario, within

STOPS = ("Hold", "HoldAndDrain")
CANNOT = "Can't admit new workloads"


@scenario(
    "ADM-100", "a ClusterQueue with missing flavors is inactive until they exist",
    requirement="kep-993#stage-one", shows="SC-100 AC-413 AC-426", level="should", cases=listed("missing", ((1,),), ((2,),), ((3,),), ((1, 2, 3),)), revision=2,
    clauses={"a": "inactive as long as one is missing", "b": "active when they exist", "c": "what waited is reserved"},
)  # fmt: skip
def test_missing_flavors(kueue_cluster, missing):
    names = [kueue_cluster.names.name("flavor") for _ in range(3)]
    absent = [names[place - 1] for place in missing]
    [kueue_cluster.create_flavor(name) for name in names if name not in absent]
    queue = kueue_cluster.queue(flavors=names)
    workload = queue.submit()
    within("settle", lambda: queue.is_inactive("FlavorNotFound"), clause="a")
    *first, last = absent
    [kueue_cluster.create_flavor(name) for name in first]
    always(lambda: queue.is_inactive("FlavorNotFound") and workload.is_suspended(), clause="a")

    kueue_cluster.create_flavor(last)

    within("settle", queue.is_active, clause="b")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-101", "a ClusterQueue whose checks are missing or not Active is inactive until all of them are",
    requirement="docs-2024#missing-or-inactive-check", shows="SC-101 AC-414 AC-415 D-17", cases=cross(last=(1, 2, 3)), revision=2,
    clauses={
        "a": "inactive while they are missing", "b": "while one is missing", "c": "while one is not Active", "d": "then active",
        "e": "nothing is reserved before",
    },
)  # fmt: skip
def test_missing_and_inactive_checks(kueue_cluster, last):
    checks = [kueue_cluster.missing_check() for _ in range(3)]
    queue = kueue_cluster.queue(checks)
    workload = queue.submit()
    within("settle", queue.is_inactive_for_missing_checks, clause="a")
    missing = checks[last - 1]

    [kueue_cluster.create_check(check).becomes_active() for check in checks if check is not missing]
    always(queue.is_inactive_for_missing_checks, clause="b")
    kueue_cluster.create_check(missing)
    within("settle", queue.is_inactive_for_inactive_checks, clause="c")
    always(lambda: queue.is_inactive() and workload.is_suspended(), clause="e")
    missing.becomes_active()

    within("settle", queue.is_active, clause="d")
    within("reserve", workload.is_prechecked, clause="d")


@scenario(
    "ADM-102", "two MultiKueue checks cannot be used together",
    requirement="docs-2024#missing-or-inactive-check", shows="SC-102 AC-416 AC-417", level="should", unsupported="MultiKueue",
)  # fmt: skip
def test_multikueue_checks(make_queue):
    raise AssertionError("listed until MultiKueue exists")


@scenario(
    "ADM-103", "an AdmissionCheck in use stays until no ClusterQueue refers to it",
    requirement="kep-993#check-is-cluster-scoped", shows="SC-103 AC-400 AC-401", level="should", cases=cross(place=(1, 2, 3)), revision=2,
    clauses={
        "a": "it has the finalizer", "b": "it stays while in use, and holds back", "c": "it goes when the last queue no longer names it",
        "d": "the others decide then",
    },
)  # fmt: skip
def test_used_check_is_held(kueue_cluster, place):
    queue = kueue_cluster.queue(checks=3)
    check = queue.checks[place - 1]
    others = [one for one in queue.checks if one is not check]
    second_queue = kueue_cluster.queue([others[0], check])
    workload = queue.brings_to("prechecked")
    [one.answers(workload, "Ready") for one in others]
    within("settle", check.is_held, clause="a")

    check.delete()
    always(lambda: check.is_held() and workload.is_prechecked(), clause="b")
    queue.requires(*others)
    within("admit", workload.is_admitted, clause="d")
    always(check.is_held, clause="b")
    second_queue.requires(others[0])

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
    requirement="docs-2024#missing-or-inactive-check", shows="AC-404 AC-405", cases=listed("status", ("False",), ("Unknown",), ("absent",)), revision=2,
    clauses={"a": "the queue is inactive, and reserves nothing", "b": "active when the controller says True"},
)  # fmt: skip
def test_check_without_active_true(kueue_cluster, status):
    check = kueue_cluster.check(active=False)
    {"absent": lambda: None}.get(status, lambda: check.says_active(status))()
    queue = kueue_cluster.queue([check])
    workload = queue.submit()
    within("settle", queue.is_inactive_for_inactive_checks, clause="a")
    always(lambda: queue.is_inactive() and workload.is_suspended(), clause="a")

    check.becomes_active()

    within("settle", queue.is_active, clause="b")
    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(check), clause="b")
    check.answers(workload, "Ready")
    within("admit", workload.is_admitted, clause="b")


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
    requirement="docs-2024#missing-or-inactive-check", shows="AC-405 AC-425", cases=cross(was=("missing", "inactive")), revision=2,
    clauses={"a": "it waits", "b": "all that waited are reserved, and admitted when the check passes"},
)  # fmt: skip
def test_queue_becomes_active_again(kueue_cluster, was):
    check = {"missing": kueue_cluster.missing_check, "inactive": lambda: kueue_cluster.check(active=False)}[
        was
    ]()
    queue = kueue_cluster.queue([check])
    workloads = [queue.submit() for _ in range(2)]
    always(lambda: all(one.is_suspended() for one in workloads), clause="a")

    {"missing": kueue_cluster.create_check, "inactive": lambda one: one}[was](check).becomes_active()

    for workload in workloads:
        within("reserve", lambda one=workload: one.is_prechecked() and one.lists_checks(check), clause="b")
        check.answers(workload, "Ready")
        within("admit", workload.is_admitted, clause="b")


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


@scenario(
    "ADM-320", "a ClusterQueue whose check lost its finalizer and is gone is inactive",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-403 AC-408 AC-414", cases=cross(place=(1, 2)),
    clauses={
        "a": "inactive for the missing check", "b": "what is reserved waits for it all the same", "c": "nothing new is reserved",
        "d": "with a new check of that name it goes on",
    },
)  # fmt: skip
def test_check_that_is_stripped_and_gone(kueue_cluster, place):
    queue = kueue_cluster.queue(checks=2)
    gone, reserved = queue.checks[place - 1], queue.brings_to("prechecked")
    within("settle", gone.is_held)

    gone.delete()
    gone.is_stripped()

    within("settle", queue.is_inactive_for_missing_checks, clause="a")
    reserved.touch()
    always(lambda: reserved.is_prechecked() and reserved.lists_checks(*queue.checks), clause="b")
    new = queue.submit()
    always(new.is_suspended, clause="c")
    kueue_cluster.create_check(gone).becomes_active()
    within("settle", queue.is_active, clause="d")
    within("reserve", lambda: new.is_prechecked() and new.lists_checks(*queue.checks), clause="d")
    [check.answers(reserved, "Ready") for check in queue.checks]
    within("admit", reserved.is_admitted, clause="d")


@scenario(
    "ADM-321", "a check that is being deleted and still in use counts as it did",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-402", level="should",
    clauses={"a": "the queue stays active", "b": "whatever its controller says then", "c": "what is new has to pass it"},
)  # fmt: skip
def test_check_that_is_being_deleted(make_queue):
    queue = make_queue(checks=1)
    check = queue.checks[0]
    within("settle", check.is_held)

    check.delete()
    always(queue.is_active, clause="a")
    check.becomes_active(False)
    always(queue.is_active, clause="b")

    workload = queue.brings_to("prechecked")
    always(workload.is_prechecked, clause="c")
    check.answers(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-322", "one check at whatever place makes its ClusterQueue inactive, and no other one",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-405 AC-415 AC-424", cases=cross(place=(1, 2, 3)),
    clauses={"a": "each queue that names it is inactive", "b": "a queue that does not name it goes on", "c": "all of them when it can be used again"},
)  # fmt: skip
def test_inactive_check_at_each_place(kueue_cluster, place):
    queue = kueue_cluster.queue(checks=3)
    check = queue.checks[place - 1]
    besides, without = kueue_cluster.queue([check]), kueue_cluster.queue(checks=1)
    within("settle", lambda: queue.is_active() and besides.is_active() and without.is_active())

    check.becomes_active(False)

    within("settle", queue.is_inactive_for_inactive_checks, clause="a")
    within("settle", besides.is_inactive_for_inactive_checks, clause="a")
    always(without.is_active, clause="b")
    waiting, going = queue.submit(), without.submit()
    within("reserve", going.is_prechecked, clause="b")
    always(waiting.is_suspended, clause="a")
    check.becomes_active()
    within("settle", lambda: queue.is_active() and besides.is_active(), clause="c")
    within("reserve", lambda: waiting.is_prechecked() and waiting.lists_checks(*queue.checks), clause="c")
    [one.answers(waiting, "Ready") for one in queue.checks]
    within("admit", waiting.is_admitted, clause="c")


@scenario(
    "ADM-323", "a ClusterQueue that cannot admit says why, and names what is missing",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-410 AC-411 AC-412 AC-413 AC-414 AC-415", level="may", since="0.9",
    clauses={"a": "every reason in turn, the first as the reason", "b": "names in order", "c": "less as it is mended"},
)  # fmt: skip
def test_texts_of_an_inactive_cluster_queue(kueue_cluster):
    flavors = [kueue_cluster.names.name("flavor") for _ in range(2)]
    missing = [kueue_cluster.missing_check() for _ in range(2)]
    inactive = [kueue_cluster.check(active=False) for _ in range(2)]
    no_flavors = f"references missing ResourceFlavor(s): {','.join(flavors)}"
    no_checks = f"references missing AdmissionCheck(s): {','.join(check.name for check in missing)}"
    idle = f"references inactive AdmissionCheck(s): {','.join(check.name for check in inactive)}"

    queue = kueue_cluster.queue([*inactive[::-1], *missing[::-1]], flavors=flavors[::-1], stopPolicy="Hold")

    within(
        "settle",
        lambda: queue.says_exactly("Stopped", f"{CANNOT}: is stopped, {no_flavors}, {no_checks}, {idle}."),
        clause="b",
    )
    queue.resumes()
    within(
        "settle",
        lambda: queue.says_exactly("FlavorNotFound", f"{CANNOT}: {no_flavors}, {no_checks}, {idle}."),
        clause="a",
    )
    [kueue_cluster.create_flavor(name) for name in flavors]
    within(
        "settle",
        lambda: queue.says_exactly("AdmissionCheckNotFound", f"{CANNOT}: {no_checks}, {idle}."),
        clause="a",
    )
    [kueue_cluster.create_check(check).becomes_active() for check in missing]
    within("settle", lambda: queue.says_exactly("AdmissionCheckInactive", f"{CANNOT}: {idle}."), clause="a")
    inactive[0].becomes_active()
    left = f"references inactive AdmissionCheck(s): {inactive[1].name}"
    within("settle", lambda: queue.says_exactly("AdmissionCheckInactive", f"{CANNOT}: {left}."), clause="c")
    inactive[1].becomes_active()
    within("settle", lambda: queue.says_exactly("Ready", "Can admit new workloads"), clause="c")


@scenario(
    "ADM-324", "the time of an Active condition moves with its status, and it speaks of the newest spec",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-423", level="should", since="0.9",
    clauses={"a": "another reason keeps the time", "b": "another status moves it", "c": "the newest generation is told"},
)  # fmt: skip
def test_times_of_active_conditions(kueue_cluster, clock):
    queue = kueue_cluster.queue(checks=1)
    within("settle", lambda: queue.is_active() and queue.users_see_active())
    active = queue.active_since()
    clock.ticks()
    queue.holds()
    within("settle", lambda: queue.is_inactive("Stopped") and queue.users_see_inactive())
    stopped = queue.active_since()

    clock.ticks()
    queue.checks[0].becomes_active(False)
    queue.resumes()

    within("settle", queue.is_inactive_for_inactive_checks)
    always(lambda: queue.active_since() == stopped, clause="a")
    clock.ticks()
    queue.checks[0].becomes_active()
    within("settle", lambda: queue.is_active() and queue.users_see_active())
    times = [active, stopped, queue.active_since()]
    assert times == sorted({*times}), f"b: {times}"
    within("settle", queue.speaks_of_its_newest_spec, clause="c")


@scenario(
    "ADM-325", "a LocalQueue that is stopped says so, whatever its ClusterQueue does",
    requirement="kep-993#hold", shows="AC-435 AC-436 AC-437 AC-438", level="should", since="0.9", cases=cross(policy=STOPS),
    clauses={"a": "stopped", "b": "also without a ClusterQueue", "c": "then it speaks of that", "d": "and takes Workloads again"},
)  # fmt: skip
def test_stopped_local_queue(kueue_cluster, policy):
    queue = kueue_cluster.queue_without_cluster_queue()
    stop = {"Hold": queue.users_hold, "HoldAndDrain": queue.users_drain}[policy]
    stop()
    within("settle", lambda: queue.users_see_inactive("Stopped"), clause="b")

    queue = kueue_cluster.cluster_queue_for(queue, [kueue_cluster.check()])
    within("settle", queue.is_active)
    always(lambda: queue.users_are_told("Stopped", "LocalQueue is stopped"), clause="a")
    workload = queue.submit()
    always(workload.is_suspended, clause="a")
    queue.holds()
    within("settle", lambda: queue.is_inactive("Stopped"))
    always(lambda: queue.users_see_inactive("Stopped"), clause="a")
    queue.users_resume()
    within("settle", lambda: queue.users_see_inactive("ClusterQueueIsInactive"), clause="c")
    queue.resumes()

    within("settle", queue.users_see_active, clause="d")
    within("reserve", workload.is_prechecked, clause="d")


@scenario(
    "ADM-326", "what a LocalQueue tells its users",
    requirement="docs-2024#missing-or-inactive-check", shows="AC-435 AC-436 AC-437 AC-438", level="may", since="0.9",
    clauses={"a": "without a ClusterQueue", "b": "with an inactive one", "c": "with an active one"},
)  # fmt: skip
def test_texts_of_a_local_queue(kueue_cluster):
    cannot, check = "Can't submit new workloads to clusterQueue", kueue_cluster.check(active=False)
    queue = kueue_cluster.queue_without_cluster_queue()
    within("settle", lambda: queue.users_are_told("ClusterQueueDoesNotExist", cannot), clause="a")

    queue = kueue_cluster.cluster_queue_for(queue, [check])
    within("settle", lambda: queue.users_are_told("ClusterQueueIsInactive", cannot), clause="b")
    check.becomes_active()

    told = "Can submit new workloads to localQueue"
    within("settle", lambda: queue.users_are_told("Ready", told), clause="c")


@scenario(
    "ADM-327", "a ClusterQueue that is stopped or being deleted says so",
    requirement="kep-993#hold", shows="AC-412 AC-421 AC-428 AC-429 AC-430 AC-431", level="should", cases=cross(policy=STOPS),
    clauses={"a": "stopped", "b": "being deleted, which counts more, as long as something is admitted", "c": "what waited goes on"},
)  # fmt: skip
def test_stopped_and_terminating_cluster_queue(make_queue, policy):
    stopped, queue = make_queue(checks=0), make_queue(checks=1)
    workload = queue.brings_to("admitted")

    stopped.changes(stopPolicy=policy)
    within("settle", lambda: stopped.is_inactive("Stopped") and stopped.users_see_inactive(), clause="a")
    waiting = stopped.submit()
    always(waiting.is_suspended, clause="a")
    queue.delete()
    within("settle", lambda: queue.is_inactive("Terminating"), clause="b")
    queue.holds()
    always(lambda: queue.is_inactive("Terminating") and workload.is_admitted(), clause="b")
    stopped.resumes()

    within("admit", waiting.is_admitted, clause="c")


@scenario(
    "ADM-328", "every AdmissionCheck gets its finalizer when it is created, and goes at once if it is not in use",
    requirement="kep-993#check-is-cluster-scoped", shows="AC-400 AC-401 AC-406", level="should", cases=cross(controller=("the-same", "another")),
    clauses={"a": "it has the finalizer", "b": "one that is not in use goes", "c": "one that was taken by hand stays away"},
)  # fmt: skip
def test_finalizer_of_an_unused_check(kueue_cluster, controller):
    more = {"the-same": {}, "another": {"controller": "example.com/another"}}[controller]
    check, stripped = kueue_cluster.check(**more), kueue_cluster.check(**more)
    within("settle", lambda: check.is_held() and stripped.is_held(), clause="a")

    stripped.is_stripped()
    stripped.touch()
    always(lambda: stripped.is_held().denied(), clause="c")
    check.delete()

    within("settle", check.is_gone, clause="b")


@scenario(
    "ADM-329", "usage of a ClusterQueue and of its LocalQueues is told for each flavor and resource",
    requirement="docs-2024#all-positive", shows="AC-049 AC-075", level="should",
    clauses={"a": "reserved and used apart", "b": "of each LocalQueue its own", "c": "nothing of a flavor that is not used"},
)  # fmt: skip
def test_usage_of_each_flavor(kueue_cluster):
    near, far, memory = (kueue_cluster.flavor() for _ in range(3))
    groups = [kueue_cluster.group("cpu", near, far), kueue_cluster.group("memory", memory)]
    queue = kueue_cluster.queue(checks=1, flavors=[near, far, memory], resourceGroups=groups)
    elsewhere = kueue_cluster.in_other_namespace(queue)
    here = queue.brings_to("prechecked", podSets=[kueue_cluster.pod_set("main", cpu="2")])
    elsewhere.brings_to("prechecked", podSets=[kueue_cluster.pod_set("main", cpu="3", memory="1")])

    queue.checks[0].answers(here, "Ready")

    within(
        "settle",
        lambda: (
            queue.usage("flavorsReservation")
            == {near: {"cpu": "5"}, far: {"cpu": "0"}, memory: {"memory": "1"}}
        ),
        clause="a",
    )
    within(
        "settle",
        lambda: (
            queue.usage("flavorsUsage") == {near: {"cpu": "2"}, far: {"cpu": "0"}, memory: {"memory": "0"}}
        ),
        clause="c",
    )
    within(
        "settle",
        lambda: (
            elsewhere.users_usage("flavorsReservation")
            == {near: {"cpu": "3"}, far: {"cpu": "0"}, memory: {"memory": "1"}}
        ),
        clause="b",
    )
    within(
        "settle",
        lambda: (
            queue.users_usage("flavorsUsage")
            == {near: {"cpu": "2"}, far: {"cpu": "0"}, memory: {"memory": "0"}}
        ),
        clause="b",
    )
    within(
        "settle",
        lambda: (
            elsewhere.users_usage("flavorsUsage")
            == {near: {"cpu": "0"}, far: {"cpu": "0"}, memory: {"memory": "0"}}
        ),
        clause="b",
    )
    within("settle", lambda: queue.counts(pending=0, reserving=2, admitted=1), clause="a")
    within("settle", lambda: elsewhere.users_count(pending=0, reserving=1, admitted=0), clause="b")


@scenario(
    "ADM-330", "what is borrowed from a cohort is told apart",
    requirement="docs-2024#all-positive", shows="AC-049", level="should",
    clauses={"a": "what is beyond the queue's own quota", "b": "nothing is borrowed within it"},
)  # fmt: skip
def test_borrowed_usage(kueue_cluster):
    flavor, cohort = kueue_cluster.flavor(), kueue_cluster.names.name("cohort")
    borrower, lender = (
        kueue_cluster.queue(checks=1, flavors=[flavor], cpu=cpu, cohortName=cohort) for cpu in ("2", "6")
    )

    borrower.brings_to("admitted", cpu="5")
    lender.brings_to("prechecked", cpu="1")

    within("settle", lambda: borrower.borrows("flavorsUsage", "3"), clause="a")
    within("settle", lambda: borrower.borrows("flavorsReservation", "3"), clause="a")
    within("settle", lambda: lender.borrows("flavorsReservation", "0"), clause="b")
