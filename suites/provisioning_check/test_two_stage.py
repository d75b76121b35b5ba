"""PRC: a provisioning check beside checks of other controllers, other Workloads and other flavors (KEP-993;
PA-105…PA-116, SC-153, PD-13…PD-15).
"""

from kueue_conformance import always, cross, either, rows, scenario, within

CLASSES = ("one.example.com", "two.example.com")
"""Of two checks: by them an autoscaler, and a scenario, tells their requests apart, whatever they are called.
"""
BOTH = ("ours first", "other first")


def in_turn(turns, order):
    """Do what ours and the other check do, in an order."""
    return turns if order == "ours first" else turns[::-1]


@scenario(
    "PRC-160",
    "a Workload is admitted when its capacity is provided and the other check has passed, whichever comes last",
    requirement=(
        "docs-2024#all-positive",
        "kep-993#order-is-irrelevant",
        "provisioning-check#ready-when-provided",
    ),
    shows="PA-106 SC-144",
    since="0.9",
    also=("kep993",),
    cases=cross(order=BOTH),
    clauses={"a": "not by one of them", "b": "by both"},
)
def test_ready_and_ready(kueue_cluster, provisioning, autoscaler, order):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    workload = provisioning.submit_until_requested(queue)
    turns = (
        lambda: autoscaler.provision(workload.request(queue.checks[0])),
        lambda: other.answer(workload, "Ready"),
    )
    first, last = in_turn(turns, order)

    first()
    always(workload.is_prechecked, clause="a")
    last()

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-161",
    "when another check evicts the Workload its request is deleted, and both checks are Pending again",
    requirement=("provisioning-check#clean-up", "docs-2024#retry-releases", "kep-993#retry-or-reject"),
    shows="PA-109 PA-112 TB-22 PD-14 SC-151",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=cross(provided=(False, True)),
    clauses={
        "a": "another request with the new quota",
        "b": "it counts as no retry of ours",
        "c": "admitted when both are Ready",
    },
)
def test_other_retry(kueue_cluster, provisioning, autoscaler, provided):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    if provided:
        autoscaler.provision(request)
        within("react", lambda: workload.has_states("Ready", check))

    other.answer(workload, "Retry")

    within("requeue", lambda: request.has_other_uid(first) and workload.has_requests(1), clause="a")
    always(lambda: workload.has_retried(check, 0) and workload.has_states("Pending"), clause="b")
    autoscaler.provision(request)
    other.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-162",
    "when another check rejects the Workload its request is deleted, in any state",
    requirement=("provisioning-check#clean-up", "docs-2024#rejected-deactivates"),
    shows="PA-110 PD-14 TB-22",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=rows("stage", ("requested",), ("accepted",), ("provided",)),
    clauses={"a": "it is rejected", "b": "no request is left or made"},
)
def test_other_rejected(kueue_cluster, provisioning, autoscaler, stage):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    {
        "requested": lambda: None,
        "accepted": lambda: autoscaler.accept(request),
        "provided": lambda: autoscaler.provision(request),
    }[stage]()

    other.answer(workload, "Rejected")

    within("evict", workload.is_rejected, clause="a")
    within("evict", workload.has_no_request, clause="b")
    always(workload.has_no_request, clause="b")


@scenario(
    "PRC-163",
    "when a request fails the other check is Pending again as well, and each check counts its own retries",
    requirement=("provisioning-check#retries", "kep-993#order-is-irrelevant"),
    shows="PA-112 PA-099",
    since="0.19",
    cases=cross(other_says=("Pending", "Ready")),
    clauses={
        "a": "undecided, both of them",
        "b": "one retry of this check, none of the other",
        "c": "then one of each",
    },
)
def test_retries_are_counted_apart(kueue_cluster, provisioning, autoscaler, other_says):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    if other_says == "Ready":
        other.answer(workload, "Ready")

    autoscaler.reject(workload.request(check))
    within(
        "requeue",
        lambda: workload.was_reserved(2) and workload.has_states("Pending", check, other),
        clause="a",
    )
    within("requeue", lambda: workload.has_retried(check, 1) and workload.has_retried(other, 0), clause="b")
    other.answer(workload, "Retry")

    within(
        "requeue",
        lambda: workload.was_reserved(3) and workload.has_states("Pending", check, other),
        clause="c",
    )
    within("requeue", lambda: workload.has_retried(check, 1) and workload.has_retried(other, 1), clause="c")


@scenario(
    "PRC-164",
    "a Workload whose request fails while another check rejects it is deactivated",
    requirement=("docs-2024#rejected-deactivates", "provisioning-check#retries"),
    shows="PA-110 PD-13",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=cross(order=BOTH),
    clauses={"a": "it is rejected", "b": "no request is left"},
)
def test_retry_and_rejected(kueue_cluster, provisioning, autoscaler, clock, order):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other, wait=clock.hold)
    workload = provisioning.submit_until_requested(queue)
    turns = (
        lambda: autoscaler.reject_if_exists(workload.request(queue.checks[0])),
        lambda: other.answer_if_listed(workload, "Rejected"),
    )

    for turn in in_turn(turns, order):
        turn()
    clock.advance(clock.hold)

    within("evict", workload.is_rejected, clause="a")
    within("evict", workload.has_no_request, clause="b")


@scenario(
    "PRC-165",
    "a rejection by another check waits for the back-off of this check, or takes effect at once",
    requirement="provisioning-check#quirks",
    shows="PA-108 PD-13 RG-K29",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "it is rejected in the end, or has no quota"},
)
def test_rejected_during_the_wait(kueue_cluster, provisioning, autoscaler, clock):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other, wait=clock.hold)
    workload = provisioning.submit_until_requested(queue)
    autoscaler.reject(workload.request(queue.checks[0]))
    within("react", lambda: workload.had_verdict(queue.checks[0], "Retry"))

    other.answer(workload, "Rejected")
    clock.advance_budget("react")

    ways = {
        "at once": workload.is_rejected,
        "it waits": workload.is_prechecked,
        "it is evicted before": workload.is_suspended,
    }
    observed = either("react", ways, clause="a")
    clock.advance(clock.hold)
    is_out = workload.is_suspended if observed == "it is evicted before" else workload.is_rejected
    within("evict", is_out, clause="b")


@scenario(
    "PRC-166",
    "the entry of another controller stays as it is, whatever becomes of the request",
    requirement="provisioning-check#own-checks-only",
    shows="PA-155 PA-170 RG-K45",
    since="0.19",
    cases=rows("example", ("accepted",), ("provided",), ("refused",), ("deleted",)),
    clauses={"a": "state, text and updates of the other entry"},
)
def test_entries_of_others(kueue_cluster, provisioning, autoscaler, clock, example):
    other, waiting = kueue_cluster.make_check(), kueue_cluster.make_check()
    queue = provisioning.make_queue(other, waiting, wait=clock.hold)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    other.answer(workload, "Ready", message="all well", updates=kueue_cluster.pod_updates())
    entry = workload.entry_of(other)

    {
        "accepted": lambda: autoscaler.report_shortage(request, "soon"),
        "provided": lambda: autoscaler.provision(request, "there"),
        "refused": lambda: autoscaler.reject(request, "no room"),
        "deleted": request.delete,
    }[example]()

    # A Retry that releases quota at once resets every entry.
    always(
        lambda: (
            workload.has_entry(other, entry)
            or (workload.was_evicted_by_a_check() and workload.has_states("Pending", other))
        ),
        clause="a",
    )


@scenario(
    "PRC-167",
    "a Workload that is preempted before its capacity is provided loses its request with its quota",
    requirement=("provisioning-check#clean-up", "kep-993#reserved-is-victim"),
    shows="PA-118 PA-032 SC-143",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=rows("stage", ("accepted",), ("provided",)),
    clauses={
        "a": "the other one gets the quota and a request",
        "b": "the preempted one has no request",
        "c": "until it gets quota again",
    },
)
def test_preempted(kueue_cluster, provisioning, autoscaler, stage):
    queue = provisioning.make_queue(
        kueue_cluster.make_check(), cpu="1", queue={"preemption": {"withinClusterQueue": "LowerPriority"}}
    )
    check, low = queue.checks[0], provisioning.submit_until_requested(queue, cpu="1", priority=1)
    autoscaler.accept(low.request(check)) if stage == "accepted" else autoscaler.provision(low.request(check))

    high = queue.submit(cpu="1", priority=9)

    within("requeue", high.request(check).exists, clause="a")
    within("evict", lambda: low.is_suspended() and low.has_no_request(), clause="b")
    high.delete()
    within("requeue", low.request(check).exists, clause="c")


@scenario(
    "PRC-168",
    "quota that is released after a failure goes to another Workload, which has a request of its own",
    requirement=("docs-2024#retry-releases", "provisioning-check#retries"),
    shows="PA-109 PA-114",
    since="0.19",
    clauses={
        "a": "the first one is sent back",
        "b": "both have had requests",
        "c": "both are admitted in the end",
    },
)
def test_quota_goes_to_others(provisioning, autoscaler):
    queue = provisioning.make_queue(cpu="1")
    check, first = queue.checks[0], provisioning.submit_until_requested(queue, cpu="1")
    second = queue.submit(cpu="1")

    autoscaler.reject(first.request(check))
    within("requeue", first.was_evicted_by_a_check, clause="a")

    provisioning.provision_in_turn(autoscaler, check, first, second)
    within("requeue", lambda: first.was_admitted_times(1) and second.was_admitted_times(1), clause="c")
    always(lambda: first.request(check).was_created(2) and second.request(check).was_created(1), clause="b")


@scenario(
    "PRC-169",
    "of two flavors only the flavor of the check needs a request",
    requirement=("docs-2024#checks-per-flavor", "provisioning-check#own-checks-only"),
    shows="PA-105 SC-153 TB-143",
    since="0.9",
    cases=rows("flavor", (0,), (1,)),
    clauses={"a": "on the one it is requested", "b": "on the other it is admitted at once"},
)
def test_check_for_one_flavor(kueue_cluster, provisioning, autoscaler, flavor):
    flavors, check = (
        [kueue_cluster.make_flavor(), kueue_cluster.make_flavor()],
        provisioning.make_active_check(),
    )
    queue = kueue_cluster.make_queue([check], flavors=flavors, cpu="1", on={check.name: [flavors[1]]})
    if flavor == 1:
        within("admit", queue.submit(cpu="1").is_admitted, clause="b")

    workload = queue.submit(cpu="1")

    if flavor == 0:
        within("admit", workload.is_admitted, clause="b")
        always(lambda: workload.request(check).was_created(0), clause="b")
    else:
        within("react", workload.request(check).exists, clause="a")
        within(
            "react",
            lambda: (
                workload.request(check).template().has_node_selector(kueue_cluster.node_selector(flavors[1]))
            ),
            clause="a",
        )


@scenario(
    "PRC-170",
    "a Workload that is admitted on another flavor has the request of that flavor, and the old one is deleted",
    requirement=("docs-2024#checks-per-flavor", "provisioning-check#clean-up"),
    shows="PA-116 PD-15 SC-153 TB-118 TB-119 TB-120",
    since="0.9",
    cases=rows("second memory", ("no check", "1Gi"), ("another check", "1Gi"), ("no check", "1.5G")),
    clauses={
        "a": "the preempted Workload is admitted on the second flavor",
        "b": "with the request that it needs there, and no other",
    },
)
def test_other_flavor(kueue_cluster, provisioning, autoscaler, second, memory):
    flavors, check, other = (
        [kueue_cluster.make_flavor(), kueue_cluster.make_flavor()],
        provisioning.make_active_check(),
        provisioning.make_active_check(),
    )
    rules = {check.name: [flavors[0]], **({other.name: [flavors[1]]} if second == "another check" else {})}
    group = {**kueue_cluster.resource_group({flavor: {"cpu": "1", "memory": "1Ti"} for flavor in flavors})}
    needed = [check, other] if second == "another check" else [check]
    queue = kueue_cluster.make_queue(
        needed,
        flavors=flavors,
        on=rules,
        resourceGroups=[group],
        preemption={"withinClusterQueue": "LowerPriority"},
        flavorFungibility={"whenCanPreempt": "MayStopSearch"},
    )
    low = provisioning.submit_until_requested(
        queue, podSets=[kueue_cluster.pod_set("main", cpu="1", memory=memory)], priority=1
    )
    autoscaler.provision(low.request(check))
    within("admit", low.is_admitted)

    queue.submit(podSets=[kueue_cluster.pod_set("main", cpu="1", memory=memory)], priority=9)

    within("requeue", lambda: low.has_flavor(flavors[1]), clause="a")
    if second == "no check":
        within("requeue", lambda: low.is_admitted() and low.has_no_request(), clause="b")
    else:
        within("requeue", lambda: low.request(other).exists() and low.has_requests(1), clause="b")


@scenario(
    "PRC-171",
    "of two checks each has its own request and its own verdict",
    requirement=("provisioning-check#own-requests-only", "kep-993#order-is-irrelevant"),
    shows="PA-038 PA-036 PD-03",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=cross(failing=(0, 1)),
    clauses={
        "a": "the one that fails sends the Workload back",
        "b": "both requests are created again",
        "c": "one retry of that check alone",
    },
)
def test_two_provisioning_checks(kueue_cluster, provisioning, autoscaler, failing):
    checks = [provisioning.make_active_check(class_name=name) for name in CLASSES]
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit()
    within("react", lambda: workload.has_requests(2))
    uids = [workload.request(check).uid for check in checks]
    autoscaler.provision(workload.request(checks[1 - failing]))

    autoscaler.reject(workload.request(checks[failing]))

    within("requeue", workload.was_evicted_by_a_check, clause="a")
    within(
        "requeue",
        lambda: all(
            workload.request(check).has_other_uid(old) for check, old in zip(checks, uids, strict=True)
        ),
        clause="b",
    )
    always(
        lambda: workload.has_retried(checks[failing], 1) and workload.has_retried(checks[1 - failing], 0),
        clause="c",
    )


@scenario(
    "PRC-172",
    "while a request of one check cannot be created the other check waits, or continues",
    requirement="provisioning-check#quirks",
    shows="PA-072 RG-K03 PD-08",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "no admission"},
)
def test_one_check_has_no_request(kueue_cluster, provisioning, autoscaler, clock):
    good, bad = (
        provisioning.make_active_check(),
        provisioning.make_active_check(parameters={f"p{at}": "" for at in range(100)}),
    )
    queue = kueue_cluster.make_queue([good, bad])
    workload = queue.submit(annotations={"provreq.kueue.x-k8s.io/one-more": "1"})
    within("react", workload.request(good).exists)

    autoscaler.provision(workload.request(good))
    clock.advance_budget("react")

    either(
        "react",
        {
            "it goes on": lambda: workload.has_states("Ready", good),
            "it waits": lambda: workload.has_states("Pending", good, bad),
        },
        clause="a",
    )
    always(workload.is_prechecked, clause="b")


@scenario(
    "PRC-173",
    "a check that is added to a ClusterQueue creates requests for the Workloads that hold its quota",
    requirement=("provisioning-check#outside", "docs-2024#list-in-sync"),
    shows="PC-13 PA-105",
    since="0.9",
    clauses={"a": "a request is made", "b": "admitted when it is provided and the other check has passed"},
)
def test_check_is_added(kueue_cluster, provisioning, autoscaler):
    other, check = kueue_cluster.make_check(), provisioning.make_active_check()
    queue = kueue_cluster.make_queue([other])
    workload = queue.submit_until("prechecked")

    queue.set_checks(other, check)

    within("react", workload.request(check).exists, clause="a")
    other.answer(workload, "Ready")
    autoscaler.provision(workload.request(check))
    within("admit", workload.is_admitted, clause="b")
