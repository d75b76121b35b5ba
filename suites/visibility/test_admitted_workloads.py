"""VSB: the lists of Workloads that hold quota,
an extension that KEP-168-2 names and no release of Kueue has (VIS-901…912).
"""

from kueue_conformance import always, cross, rows, scenario, within

OURS = {
    "requirement": "kep-168-2#admitted-workloads",
    "needs": ("pending-workloads API", "admitted-workloads API"),
    "since": "0.19",
    "level": "may",
}
LISTS = ("cluster-queue", "local-queue")


def holders(queue, where):
    return {"cluster-queue": queue.admitted_workloads(), "local-queue": queue.admitted_workloads_locally()}[
        where
    ]


def reserve_in_turn(queue, clock, *priorities, **fields):
    """Return Workloads that reserved quota one after the other."""
    return [
        queue.submit_until("admitted", cpu="1", priority=priority, **fields)
        for priority in clock.tick_between(priorities)
    ]


def since(workload, condition):
    return next(
        entry["lastTransitionTime"]
        for entry in workload.object["status"]["conditions"]
        if entry["type"] == condition
    )


@scenario(
    "VSB-150",
    "Workloads that hold quota are listed in the order of their reservations, and pending ones in the other list",
    shows="VIS-902 VIS-904 VIS-906",
    **OURS,
    clauses={
        "a": "the oldest reservation first, whatever the priorities are",
        "b": "positions from 0, in the ClusterQueue and in each LocalQueue",
        "c": "each Workload is in one of the lists",
        "d": "a finished Workload is in no list",
        "e": "the name that the KEP uses leads to the same list",
    },
)
def test_order_of_holders(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(cpu="3")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    (first,) = reserve_in_turn(queue, clock, 1)
    (second,) = reserve_in_turn(other, clock, 9)
    clock.tick()
    third = queue.submit_until("admitted", cpu="1", priority=5)
    waits = queue.submit(cpu="1")

    within("settle", lambda: queue.admitted_workloads().lists(first, second, third), clause="a")
    within("settle", lambda: queue.admitted_workloads_locally().lists(first, third), clause="a")
    within("settle", lambda: queue.admitted_workloads().has_positions("0/0 1/0 2/1"), clause="b")
    within("settle", lambda: queue.admitted_workloads_locally().has_positions("0/0 2/1"), clause="b")
    within("settle", lambda: queue.pending().lists(waits), clause="c")
    within("settle", lambda: queue.admitted_workloads(alias=True).lists(first, second, third), clause="e")
    first.finish()
    within("admit", waits.is_admitted)
    within("settle", lambda: queue.admitted_workloads().lists(second, third, waits), clause="d")
    within("settle", queue.pending().lists_nothing, clause="c")


@scenario(
    "VSB-151",
    "a page of the Workloads that hold quota is chosen by offset, limit and phase",
    shows="VIS-907",
    cases=cross(where=LISTS),
    **OURS,
    clauses={
        "a": "by offset and limit",
        "b": "by phase, at the positions among all",
        "c": "a phase that there is not is refused",
    },
)
def test_pages_of_holders(kueue_cluster, clock, where):
    queue = kueue_cluster.make_queue(cpu="3")
    first, second, third = reserve_in_turn(queue, clock, 0, 0, 0)
    admitted_list = holders(queue, where)

    within("settle", lambda: admitted_list.lists_on_page(second, third, offset="1"), clause="a")
    within("settle", lambda: admitted_list.lists_on_page(first, second, limit="2"), clause="a")
    within("settle", lambda: admitted_list.has_positions_on_page("1/1", offset="1", limit="1"), clause="a")
    within("settle", lambda: admitted_list.lists_on_page(first, second, third, phase="Admitted"), clause="b")
    within("settle", lambda: admitted_list.lists_on_page(phase="QuotaReserved"), clause="b")
    within(
        "settle",
        lambda: admitted_list.has_positions_on_page("2/2", phase="Admitted", offset="2", limit="5"),
        clause="b",
    )
    within("settle", lambda: admitted_list.is_refused(400, phase="Gone"), clause="c")
    within(
        "settle", lambda: admitted_list.shows_message('unsupported phase "Gone"', phase="Gone"), clause="c"
    )


@scenario(
    "VSB-152",
    "the entry of an admitted Workload has its state, its checks and its times",
    shows="VIS-905 VIS-907",
    **{**OURS, "needs": (*OURS["needs"], "no built-in controllers")},
    clauses={
        "a": "QuotaReserved while a check is asked",
        "b": "Admitted, and when",
        "c": "Evicting until its quota is released",
        "d": "then it is in no list of these",
    },
)
def test_phases_of_holders(kueue_cluster, clock):
    queue = kueue_cluster.make_queue(checks=2, cpu="1")
    workload = queue.submit_until("prechecked", "job", cpu="1")
    low, high = sorted(queue.checks, key=lambda check: check.name)
    low.answer(workload, "Ready")

    states = [{"name": low.name, "state": "Ready"}, {"name": high.name, "state": "Pending"}]
    within(
        "settle",
        lambda: queue.admitted_workloads().shows_fields(
            workload,
            phase="QuotaReserved",
            quotaReservedTime=since(workload, "QuotaReserved"),
            admittedTime=None,
            admissionChecks=states,
        ),
        clause="a",
    )
    clock.tick()
    high.answer(workload, "Ready")
    within("admit", workload.is_admitted)
    within(
        "settle",
        lambda: queue.admitted_workloads_locally().shows_fields(
            workload, phase="Admitted", admittedTime=since(workload, "Admitted")
        ),
        clause="b",
    )
    job = kueue_cluster.job_of(workload)
    within("settle", job.is_started)
    job.set_pods(1)
    queue.hold_and_drain()
    within("evict", workload.is_evicted)
    within("settle", lambda: queue.admitted_workloads().shows_fields(workload, phase="Evicting"), clause="c")
    within("settle", lambda: queue.admitted_workloads().lists_on_page(workload, phase="Evicting"), clause="c")
    job.set_pods(0)
    within("evict", workload.is_suspended)
    within("settle", queue.admitted_workloads().lists_nothing, clause="d")


@scenario(
    "VSB-153",
    "the usage of a Workload is listed for the ClusterQueue alone",
    shows="VIS-905 VIS-910",
    **OURS,
    clauses={
        "a": "by flavor and resource",
        "b": "not to the users of a LocalQueue",
        "c": "no usage of others",
    },
)
def test_usage_of_holders(kueue_cluster):
    queue = kueue_cluster.make_queue(cpu="3")
    other = kueue_cluster.make_local_queue_in_other_namespace(queue)
    workload, theirs = queue.submit_until("admitted", cpu="2"), other.submit_until("admitted", cpu="1")

    used = {queue.flavors[0]: {"cpu": "2"}}
    within(
        "settle",
        lambda: queue.admitted_workloads().shows_fields(workload, usage=used, priority=0),
        clause="a",
    )
    within(
        "settle",
        lambda: queue.admitted_workloads_locally().shows_fields(
            workload, usage=None, localQueueName=queue.name
        ),
        clause="b",
    )
    within("settle", lambda: queue.admitted_workloads_locally().lists(workload), clause="c")
    within("settle", lambda: other.admitted_workloads_locally().lists(theirs), clause="c")


@scenario(
    "VSB-154",
    "a LocalQueue has a list of Workloads that hold quota while it exists or one of them does",
    shows="VIS-908",
    cases=cross(end=("stopped", "deleted")),
    **OURS,
    clauses={
        "a": "the list exists, and is empty, as long as no Workload holds quota",
        "b": "it stays when the LocalQueue is stopped, or deleted while a Workload of it runs",
        "c": "the list of a deleted one ends with its last Workload",
        "d": "one that never existed has no list, and a ClusterQueue has none either",
    },
)
def test_queues_of_holders(kueue_cluster, end):
    queue, other = kueue_cluster.make_queue(cpu="1"), kueue_cluster.make_queue()
    missing = kueue_cluster.make_queue()
    missing.delete_local()
    missing.delete()
    within("settle", queue.admitted_workloads_locally().lists_nothing, clause="a")
    workload = queue.submit_until("admitted", cpu="1")

    {"stopped": queue.hold_local, "deleted": queue.delete_local}[end]()

    always(lambda: queue.admitted_workloads_locally().lists(workload), clause="b")
    always(other.admitted_workloads_locally().lists_nothing, clause="b")
    workload.finish()
    gone = queue.admitted_workloads_locally()
    within(
        "settle",
        lambda: gone.is_refused(404, "NotFound") if end == "deleted" else gone.lists_nothing(),
        clause="c",
    )
    within("settle", lambda: missing.admitted_workloads_locally().is_refused(404, "NotFound"), clause="d")
    within("settle", lambda: missing.admitted_workloads().is_refused(404, "NotFound"), clause="d")


@scenario(
    "VSB-155",
    "a pending Workload is found by its name in the list of its LocalQueue",
    shows="VIS-912",
    cases=rows("whose", ("its own",), ("of another LocalQueue",), ("nobody's",)),
    **OURS,
    clauses={"a": "with its positions", "b": "and no other"},
)
def test_found_by_name(kueue_cluster, whose):
    queue = kueue_cluster.make_queue(cpu="0")
    beside = kueue_cluster.make_second_local_queue(queue)
    ahead, mine = beside.submit(cpu="1", priority=9), queue.submit(cpu="1", priority=5)
    behind = queue.submit(cpu="1", priority=1)
    within("settle", lambda: queue.pending().lists(ahead, mine, behind))
    pending_list = queue.pending_locally()

    if whose == "its own":
        within("settle", lambda: pending_list.has_positions_on_page("2/1", name=behind.name), clause="a")
        within("settle", lambda: pending_list.lists_on_page(behind, name=behind.name), clause="b")
    else:
        name = {"of another LocalQueue": ahead.name, "nobody's": "nobody"}[whose]
        within("settle", lambda: pending_list.lists_on_page(name=name), clause="b")
        within("settle", lambda: pending_list.has_positions_on_page("1/0 2/1"), clause="a")
