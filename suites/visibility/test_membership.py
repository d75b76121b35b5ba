"""VSB: which Workloads are listed: those that wait for quota (KEP-168-2, goals; VIS-501…508)."""

from kueue_conformance import always, cross, rows, scenario, within

NEEDS = ("pending-workloads API",)
FORMS = ("workload", "job")
GATE = {"kueue.x-k8s.io/admission-gated-by": "example.com/gate"}


def two_that_wait(kueue_cluster, form="workload", **first):
    """Return a queue without quota and two Workloads in it, of which the first stands before the other."""
    queue = kueue_cluster.make_queue(cpu="0")
    first_workload = queue.submit(form, cpu="1", **first)
    within("settle", first_workload.exists)
    other = queue.submit(cpu="1", priority=-1)
    within("settle", lambda: queue.pending().lists(first_workload, other))
    return queue, first_workload, other


@scenario(
    "VSB-100",
    "a Workload that is admitted is not listed any more, and those behind it move up",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-506 VIS-T50 VIS-T52",
    needs=NEEDS,
    cases=cross(form=FORMS),
    clauses={
        "a": "listed before",
        "b": "not listed when it is admitted",
        "c": "the other moves up, and is the next",
    },
)
def test_admitted(kueue_cluster, form):
    queue, first, other = two_that_wait(kueue_cluster, form)
    within("settle", lambda: queue.pending_locally().lists(first, other), clause="a")

    queue.set_quota("1")

    within("admit", lambda: first.is_admitted() and queue.pending().lists(other), clause="b")
    within("settle", lambda: queue.pending_locally().has_at(other, 0, 0), clause="c")
    first.finish()
    within("admit", lambda: other.is_admitted() and queue.pending().lists_nothing(), clause="c")


@scenario(
    "VSB-101",
    "a Workload that holds quota is not listed while its checks are undecided",
    requirement="visibility-api#membership",
    shows="VIS-505 VK-06",
    needs=NEEDS,
    cases=cross(form=FORMS),
    clauses={
        "a": "not while it is Prechecked",
        "b": "not listed when it is admitted",
        "c": "a Workload without quota is listed, at 0",
    },
)
def test_checks_pending(kueue_cluster, form):
    queue = kueue_cluster.make_queue(checks=1, cpu="1")
    prechecked = queue.submit_until("prechecked", form, cpu="1")
    waits = queue.submit(form, cpu="1")

    within("settle", lambda: queue.pending().lists(waits), clause="a")
    within("settle", lambda: queue.pending_locally().has_at(waits, 0, 0), clause="c")
    always(lambda: prechecked.is_prechecked() and queue.pending().lists(waits), clause="a")
    queue.admit(prechecked)
    within("settle", lambda: queue.pending().lists(waits), clause="b")


@scenario(
    "VSB-102",
    "a Workload that a check evicts is listed again",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-507 VC-27",
    needs=NEEDS,
    cases=cross(form=FORMS),
    clauses={"a": "not listed while it holds quota", "b": "listed when it has none"},
)
def test_sent_back(kueue_cluster, form):
    queue = kueue_cluster.make_queue(checks=1, cpu="1")
    workload = queue.submit_until("admitted", form, cpu="1")
    queue.hold()
    within("settle", queue.pending().lists_nothing, clause="a")

    queue.checks[0].answer(workload, "Retry")

    within("evict", lambda: workload.is_suspended() and queue.pending().lists(workload), clause="b")
    within("settle", lambda: queue.pending_locally().lists(workload), clause="b")


@scenario(
    "VSB-103",
    "a Workload that a check has rejected is not listed",
    requirement="visibility-api#membership",
    shows="VIS-506",
    needs=NEEDS,
    clauses={"a": "not listed", "b": "the other one stays listed until it is admitted"},
)
def test_rejected(kueue_cluster):
    queue = kueue_cluster.make_queue(checks=1, cpu="1")
    workload = queue.submit_until("prechecked", cpu="1")
    waits = queue.submit(cpu="1")
    within("settle", lambda: queue.pending().lists(waits), clause="b")

    queue.checks[0].answer(workload, "Rejected")

    within("evict", lambda: workload.is_rejected() and waits.is_prechecked())
    within("settle", queue.pending().lists_nothing, clause="a")
    always(queue.pending_locally().lists_nothing, clause="a")


@scenario(
    "VSB-104",
    "a Workload that finishes while it waits is not listed any more",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-506",
    needs=NEEDS,
    clauses={"a": "removed from both lists", "b": "the other moves up"},
)
def test_finished(kueue_cluster):
    queue, first, other = two_that_wait(kueue_cluster)

    first.finish()

    within("prompt", lambda: first.is_finished() and queue.pending().lists(other), clause="a")
    within("settle", lambda: queue.pending_locally().lists(other), clause="a")
    within("settle", lambda: other.is_at(0, locally=0), clause="b")


@scenario(
    "VSB-105",
    "a Workload that is deleted is not listed any more",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-506 VIS-525 VIS-T70",
    needs=NEEDS,
    clauses={
        "a": "removed from both lists",
        "b": "those behind it move up",
        "c": "a new Workload of its name is listed, at its place",
    },
)
def test_deleted(kueue_cluster):
    queue, first, other = two_that_wait(kueue_cluster)
    name = first.name

    first.delete()

    within("prompt", lambda: first.is_gone() and queue.pending().lists(other), clause="a")
    within("settle", lambda: queue.pending_locally().lists(other), clause="a")
    within("settle", lambda: other.is_at(0, locally=0), clause="b")
    second = queue.submit(cpu="1", name=name, priority=-2)
    within("prompt", lambda: queue.pending().lists(other, second), clause="c")


@scenario(
    "VSB-106",
    "a Workload that is being deleted stays listed, at its place, until it is gone",
    requirement="visibility-api#membership",
    shows="VIS-506 VC-25",
    needs=NEEDS,
    since="0.19",
    level="should",
    clauses={"a": "listed while a finalizer holds it", "b": "not listed when it is removed"},
)
def test_being_deleted(kueue_cluster):
    queue, first, other = two_that_wait(kueue_cluster)
    first.add_foreign_finalizer()

    first.delete()

    always(lambda: first.exists() and queue.pending().lists(first, other), clause="a")
    within("settle", lambda: queue.pending_locally().has_at(first, 0, 0), clause="a")
    first.remove_foreign_finalizer()
    within("prompt", lambda: first.is_gone() and queue.pending().lists(other), clause="b")


@scenario(
    "VSB-107",
    "a Workload that is deactivated is not listed, and is again at its place when it is active",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-501 VIS-506",
    needs=NEEDS,
    clauses={"a": "not listed", "b": "the other moves up", "c": "listed where it was"},
)
def test_inactive(kueue_cluster):
    queue, first, other = two_that_wait(kueue_cluster)

    first.deactivate()

    within("prompt", lambda: queue.pending().lists(other), clause="a")
    within("settle", lambda: other.is_at(0, locally=0), clause="b")
    always(lambda: queue.pending().lists(other), clause="a")
    first.reactivate()
    within("prompt", lambda: queue.pending().lists(first, other) and first.is_at(0, locally=0), clause="c")


@scenario(
    "VSB-108",
    "a gated Workload is not listed before its gate is removed",
    requirement="visibility-api#membership",
    shows="VIS-501 VIS-508",
    needs=NEEDS,
    since="0.19",
    gates=("AdmissionGatedBy",),
    cases=cross(form=FORMS),
    clauses={"a": "not listed, while one without a gate is", "b": "listed at its place without it"},
)
def test_gated(kueue_cluster, form):
    queue = kueue_cluster.make_queue(cpu="0")
    gated = queue.submit(form, cpu="1", annotations=GATE)
    within("settle", lambda: gated.has_reason("QuotaReserved", "AdmissionGated"))
    other = queue.submit(cpu="1", priority=-1)
    within("settle", lambda: queue.pending().lists(other), clause="a")
    always(lambda: queue.pending_locally().lists(other), clause="a")

    gated.remove_gate()

    within("prompt", lambda: queue.pending().lists(gated, other), clause="b")
    within("settle", lambda: gated.is_at(0, locally=0), clause="b")


@scenario(
    "VSB-109",
    "an evicted Workload is listed when it has released its quota, and not before",
    requirement=("kep-168-2#no-delay", "visibility-api#membership"),
    shows="VIS-506 VIS-507 VIS-510",
    needs=NEEDS,
    clauses={"a": "not listed while its pods are there", "b": "listed when its quota is free"},
)
def test_being_evicted(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    workload = queue.submit_until("admitted", cpu="1")
    kueue_cluster.release.pods_are_held = True
    queue.hold_and_drain()
    within("evict", lambda: workload.is_evicted() and workload.has_quota_reserved())
    always(queue.pending().lists_nothing, clause="a")

    kueue_cluster.release.pods_are_held = False

    within("evict", lambda: workload.is_suspended() and queue.pending().lists(workload), clause="b")
    always(lambda: queue.pending_locally().lists(workload), clause="b")


@scenario(
    "VSB-110",
    "the Workload of a Job is listed while the Job waits, and leaves the list with it",
    requirement=("kep-168-2#owners", "kep-168-2#no-delay"),
    shows="VIS-204 VIS-506 VIS-T53",
    gates=("FinishOrphanedWorkloads",),
    needs=NEEDS,
    clauses={
        "a": "the Job is its owner in the list",
        "b": "not listed when the Job is deleted",
        "c": "a bare one has no owner",
    },
)
def test_job_as_owner(kueue_cluster):
    queue, workload, other = two_that_wait(kueue_cluster, "job")
    job = {"apiVersion": "batch/v1", "kind": "Job", "name": workload.job}

    within("settle", lambda: queue.pending().shows_owners(workload, job), clause="a")
    within("settle", lambda: queue.pending_locally().shows_owners(workload, job), clause="a")
    within("settle", lambda: queue.pending().has(other) and queue.pending().shows_owners(other), clause="c")
    workload.delete()
    within("settle", lambda: queue.pending().lists(other), clause="b")


@scenario(
    "VSB-111",
    "all owners of a Workload are listed in their order",
    requirement=("kep-168-2#owners", "visibility-api#representation"),
    shows="VIS-204",
    needs=NEEDS,
    level="should",
    clauses={"a": "both, with nothing but version, kind, name and uid"},
)
def test_several_owners(kueue_cluster):
    queue, first, other = two_that_wait(kueue_cluster)
    owners = [
        {"apiVersion": "example.com/v1", "kind": kind, "name": kueue_cluster.names.name("owner")}
        for kind in ("Zebra", "Ant")
    ]

    first.try_to_change(
        metadata={
            "ownerReferences": [
                {**owner, "uid": f"uid-{owner['name']}", "blockOwnerDeletion": False} for owner in owners
            ]
        }
    )

    within("prompt", lambda: queue.pending().shows_owners(first, *owners), clause="a")
    within("settle", lambda: queue.pending_locally().shows_owners(first, *owners), clause="a")
    always(lambda: queue.pending().lists(first, other), clause="a")


@scenario(
    "VSB-112",
    "a Workload whose Job does not exist is finished or deleted, and not listed",
    requirement="visibility-api#membership",
    shows="VIS-506 VC-28 AC-297",
    needs=NEEDS,
    since="0.19",
    gates=("FinishOrphanedWorkloads",),
    level="may",
    cases=rows("owner_form", ("by its label",), ("by its controller",)),
    clauses={"a": "listed before", "b": "finished, or collected as garbage, and not listed"},
)
def test_owner_that_is_gone(kueue_cluster, owner_form):
    queue, first, other = two_that_wait(kueue_cluster)
    within("settle", lambda: queue.pending_locally().lists(first, other), clause="a")
    job = {"apiVersion": "batch/v1", "kind": "Job", "name": kueue_cluster.names.name("job"), "uid": "gone"}

    if owner_form == "by its label":
        first.label_as_orphan()
    else:
        first.try_to_change(metadata={"ownerReferences": [{**job, "controller": True}]})

    within(
        "settle",
        lambda: (first.is_finished() or first.is_gone()) and queue.pending().lists(other),
        clause="b",
    )
    always(lambda: queue.pending_locally().lists(other), clause="b")


@scenario(
    "VSB-113",
    "created, deleted and admitted Workloads show in the next list, for administrators and users alike",
    requirement="kep-168-2#no-delay",
    shows="VIS-533 VIS-T50 VIS-T52 VIS-T70",
    needs=NEEDS,
    clauses={
        "a": "created Workloads",
        "b": "deleted Workloads",
        "c": "admitted Workloads",
        "d": "a Workload that takes the place of a finished one",
    },
)
def test_no_delay(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    within("prompt", queue.pending().lists_nothing)
    runs = queue.submit_until("admitted", cpu="1")
    within(
        "prompt",
        lambda: queue.pending().lists_nothing() and queue.pending_locally().lists_nothing(),
        clause="c",
    )

    low = queue.submit(cpu="1", priority=1)
    within("prompt", lambda: queue.pending().lists(low) and queue.pending_locally().lists(low), clause="a")
    high, middle = queue.submit(cpu="1", priority=9), queue.submit(cpu="1", priority=5)
    within("prompt", lambda: queue.pending().lists(high, middle, low), clause="a")
    middle.delete()
    within(
        "prompt",
        lambda: queue.pending().lists(high, low) and queue.pending_locally().lists(high, low),
        clause="b",
    )
    runs.finish()
    within("prompt", lambda: high.is_admitted() and queue.pending().lists(low), clause="d")
    within("prompt", lambda: queue.pending_locally().lists(low), clause="d")


@scenario(
    "VSB-114",
    "the list has as many Workloads as the queues count as pending",
    requirement=("kep-168-2#dashboards", "visibility-api#membership"),
    shows="VC-31 VIS-105",
    needs=NEEDS,
    since="0.9",
    level="should",
    clauses={
        "a": "the ClusterQueue",
        "b": "the LocalQueue",
        "c": "without the one that is admitted",
        "d": "and without any",
    },
)
def test_counters(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="1")
    within("settle", lambda: queue.shows_counts(pending=0) and queue.pending().lists_nothing(), clause="d")
    queue.submit_until("admitted", cpu="1")
    waiting = [queue.submit(cpu="1", priority=priority) for priority in (3, 2)]

    within("settle", lambda: queue.shows_counts(pending=2) and queue.pending().lists(*waiting), clause="a")
    within(
        "settle",
        lambda: queue.shows_counts_locally(pending=2) and queue.pending_locally().has_length(2),
        clause="b",
    )
    within(
        "settle",
        lambda: queue.shows_counts(pending=2, admitted=1) and queue.pending().has_length(2),
        clause="c",
    )


@scenario(
    "VSB-115",
    "a Workload that names a missing LocalQueue is not listed anywhere",
    requirement="visibility-api#membership",
    shows="VIS-501",
    needs=NEEDS,
    cases=rows("form", *((example,) for example in FORMS)),
    clauses={
        "a": "not in the ClusterQueue's list, in which another one is",
        "b": "listed when its LocalQueue is created",
    },
)
def test_no_local_queue(kueue_cluster, form):
    queue = kueue_cluster.make_queue_without_local()
    beside = kueue_cluster.make_second_local_queue(queue)
    queue.set_quota("0")
    lost = queue.submit(form, cpu="1")
    other = beside.submit(cpu="1", priority=-1)
    within("settle", lambda: queue.pending().lists(other), clause="a")
    always(lambda: queue.pending().lists(other), clause="a")

    kueue_cluster.make_local_queue_for(queue)

    within("settle", lambda: queue.pending().lists(lost, other), clause="b")
    within("settle", lambda: queue.pending_locally().lists(lost), clause="b")
