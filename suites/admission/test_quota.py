"""ADM: who gets how much quota, from which flavor and in which order (KEP-993, "Reserve quota"; AC-283, AC-384, AC-441)."""

from kueue_conformance import always, listed, pairwise, scenario, within

SELECTED = {"kueue-conformance.dev/selected": "yes"}
TAINT = {"key": "example.com/dedicated", "value": "yes", "effect": "NoSchedule"}
TOLERATION = {"key": "example.com/dedicated", "operator": "Equal", "value": "yes", "effect": "NoSchedule"}


def container(name="main", more=None, **resources):
    """Return a container with requests and limits."""
    return {"name": name, "image": "registry.k8s.io/pause:3.10", "resources": resources, **(more or {})}


def pods(name="main", count=1, *, spec=None, **requests):
    """Return one pod set whose pods ask for something."""
    body = {"restartPolicy": "Never", "containers": [container(requests=requests)], **(spec or {})}
    return {"name": name, "count": count, "template": {"spec": body}}


def quota(**nominal):
    """Return the quota of one flavor: resource → amount."""
    return [{"name": resource, "nominalQuota": amount} for resource, amount in nominal.items()]


def group(resources, **flavors):
    """Return a resource group."""
    return {
        "coveredResources": resources,
        "flavors": [{"name": name, "resources": amounts} for name, amounts in flavors.items()],
    }


@scenario(
    "ADM-390", "a check of the assigned flavor that is not listed yet holds the admission back",
    requirement="docs-2024#checks-per-flavor", shows="AC-384 AC-351 AC-353", since="0.9", also=("kep993",),
    clauses={"a": "reserved, with the check listed", "b": "it is not admitted", "c": "it is when the check has passed"},
)  # fmt: skip
def test_unlisted_check_of_a_flavor(kueue_cluster):
    checks = [kueue_cluster.check(), kueue_cluster.check()]
    flavors = [kueue_cluster.flavor(), kueue_cluster.flavor()]
    queue = kueue_cluster.queue(checks, flavors=flavors, cpu="0", on={checks[1].name: [flavors[0]]})
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.lists_checks(checks[0]))
    checks[0].answers(workload, "Ready")

    queue.has_quota("1")

    within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*checks), clause="a")
    always(lambda: workload.was_ever("Admitted").denied(), clause="b")
    checks[1].answers(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-391", "the reservation says which flavor serves each resource of each pod set, and how much of it",
    requirement="kep-993#stage-one", shows="AC-110 AC-283 Q-177", cases=pairwise(checks=(0, 1)),
    clauses={"a": "ClusterQueue, pod sets, flavors, amounts and counts"},
)  # fmt: skip
def test_what_a_reservation_says(kueue_cluster, checks):
    small, large = kueue_cluster.flavor(), kueue_cluster.flavor()
    groups = [
        group(["cpu", "memory"], **{small: quota(cpu="2", memory="1Gi"), large: quota(cpu="8", memory="8Gi")})
    ]
    queue = kueue_cluster.queue(checks, flavors=[small, large], resourceGroups=groups)

    workload = queue.submit(podSets=[
        pods("driver", cpu="500m", memory="1Gi"), pods("workers", 3, cpu="1", memory="1Gi"),
    ])  # fmt: skip

    within(
        "reserve",
        lambda: workload.has_admission(
            queue,
            driver={"count": 1, "flavors": {"cpu": small, "memory": small}, "resourceUsage": {"cpu": "500m", "memory": "1Gi"}},
            workers={"count": 3, "flavors": {"cpu": large, "memory": large}, "resourceUsage": {"cpu": "3", "memory": "3Gi"}},
        ),
        clause="a",
    )  # fmt: skip


@scenario(
    "ADM-392", "a pod counts with what Kubernetes would give it",
    requirement="kep-993#reservation-fits-quota", shows="Q-081 Q-083 AC-441",
    cases=listed(
        "what pod_set needs",
        ("each-of-several-pods", pods(count=3, cpu="1"), 3),
        ("two-containers", pods(spec={"containers": [container("a", requests={"cpu": "1"}), container("b", requests={"cpu": "2"})]}), 3),
        ("init-container-is-larger", pods(cpu="1", spec={"initContainers": [container("i", requests={"cpu": "3"})]}), 3),
        ("init-container-is-smaller", pods(cpu="3", spec={"initContainers": [container("i", requests={"cpu": "1"})]}), 3),
        ("init-containers-one-by-one", pods(cpu="1", spec={"initContainers": [container("i", requests={"cpu": "2"}), container("j", requests={"cpu": "3"})]}), 3),
        ("sidecar", pods(cpu="1", spec={"initContainers": [container("s", {"restartPolicy": "Always"}, requests={"cpu": "2"})]}), 3),
        ("sidecar-beside-init", pods(cpu="1", spec={"initContainers": [container("s", {"restartPolicy": "Always"}, requests={"cpu": "1"}), container("i", requests={"cpu": "2"})]}), 3),
        ("limit-without-request", pods(spec={"containers": [container(limits={"cpu": "3"})]}), 3),
        ("request-below-limit", pods(spec={"containers": [container(requests={"cpu": "3"}, limits={"cpu": "9"})]}), 3),
        ("overhead", pods(cpu="1", spec={"overhead": {"cpu": "2"}}), 3),
    ),
    clauses={"a": "it waits while there is a thousandth too little", "b": "it is admitted when there is enough"},
)  # fmt: skip
def test_what_a_pod_needs(make_queue, what, pod_set, needs):
    queue = make_queue(cpu=f"{needs * 1000 - 1}m")

    workload = queue.submit(podSets=[pod_set])
    within("settle", lambda: workload.has_reason("QuotaReserved", "Pending"), clause="a")
    always(workload.is_suspended, clause="a")
    queue.has_quota(f"{needs}")

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-393", "the pod sets of a Workload fit together or not at all",
    requirement="kep-993#reservation-fits-quota", shows="Q-153 Q-155 AC-441", cases=listed("place", ("first",), ("last",)),
    clauses={"a": "it waits while they do not fit together", "b": "nothing of it is reserved", "c": "then all of it is"},
)  # fmt: skip
def test_pod_sets_fit_together(make_queue, place):
    queue = make_queue(cpu="3")
    sizes = {"first": ("2", "1", "1"), "last": ("1", "1", "2")}[place]

    workload = queue.submit(podSets=[pods(f"pods-{number}", cpu=cpu) for number, cpu in enumerate(sizes)])
    within("settle", lambda: workload.has_reason("QuotaReserved", "Pending"), clause="a")
    always(lambda: workload.is_suspended() and queue.reserves("0"), clause="b")
    queue.has_quota("4")

    within("admit", workload.is_admitted, clause="c")


@scenario(
    "ADM-394", "every resource that is asked for needs quota, and all of a group come from one flavor",
    requirement="kep-993#stage-one", shows="Q-150 Q-154 AC-283",
    cases=listed(
        "what cpu memory",
        ("first-flavor-lacks-memory", "1", "4Gi"), ("first-flavor-lacks-cpu", "4", "1Gi"), ("first-flavor-lacks-both", "4", "4Gi"),
    ),
    clauses={"a": "both come from the second flavor"},
)  # fmt: skip
def test_resources_of_a_group(kueue_cluster, what, cpu, memory):
    first, second = kueue_cluster.flavor(), kueue_cluster.flavor()
    groups = [
        group(
            ["cpu", "memory"], **{first: quota(cpu="2", memory="2Gi"), second: quota(cpu="8", memory="8Gi")}
        )
    ]
    queue = kueue_cluster.queue(flavors=[first, second], resourceGroups=groups)

    workload = queue.submit(podSets=[pods(cpu=cpu, memory=memory)])

    usage = {"flavors": {"cpu": second, "memory": second}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-395", "each resource group chooses a flavor of its own",
    requirement="kep-993#stage-one", shows="Q-150 Q-154 AC-283", clauses={"a": "a flavor of each group is assigned"},
)  # fmt: skip
def test_two_groups(kueue_cluster):
    compute, full, memory = (kueue_cluster.flavor() for _ in range(3))
    groups = [
        group(["cpu"], **{full: quota(cpu="1"), compute: quota(cpu="4")}),
        group(["memory"], **{memory: quota(memory="4Gi")}),
    ]
    queue = kueue_cluster.queue(flavors=[full, compute, memory], resourceGroups=groups)

    workload = queue.submit(podSets=[pods(cpu="2", memory="1Gi")])

    usage = {"flavors": {"cpu": compute, "memory": memory}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-396", "a resource that no group of the queue covers keeps a Workload out",
    requirement="kep-993#reservation-fits-quota", shows="Q-151 M-050", clauses={"a": "it waits", "b": "one that does not ask for it is admitted"},
)  # fmt: skip
def test_uncovered_resource(make_queue):
    queue = make_queue()

    odd = queue.submit(podSets=[pods(**{"cpu": "1", "example.com/gpu": "1"})])
    within("settle", lambda: odd.has_reason("QuotaReserved", "Pending"), clause="a")
    usual = queue.submit(cpu="1")

    within("admit", usual.is_admitted, clause="b")
    always(odd.is_suspended, clause="a")


@scenario(
    "ADM-397", "the first flavor on whose nodes the pods may run is used",
    requirement="kep-993#stage-one", shows="Q-156 Q-158 Q-159 AC-283",
    cases=listed(
        "what spec flavor expected",
        ("first-of-two", {}, {}, "first"),
        ("node-selector-of-the-second", {"nodeSelector": SELECTED}, {"nodeLabels": {"kueue-conformance.dev/selected": "no"}}, "second"),
        ("taint-of-the-first", {}, {"nodeTaints": [TAINT]}, "second"),
        ("tolerated-taint", {"tolerations": [TOLERATION]}, {"nodeTaints": [TAINT]}, "first"),
        ("another-value-is-tolerated", {"tolerations": [{**TOLERATION, "value": "no"}]}, {"nodeTaints": [TAINT]}, "second"),
        ("another-key-is-tolerated", {"tolerations": [{**TOLERATION, "key": "example.com/other"}]}, {"nodeTaints": [TAINT]}, "second"),
        ("another-effect-is-tolerated", {"tolerations": [{**TOLERATION, "effect": "NoExecute"}]}, {"nodeTaints": [TAINT]}, "second"),
        ("every-value-is-tolerated", {"tolerations": [{"key": TAINT["key"], "operator": "Exists"}]}, {"nodeTaints": [TAINT]}, "first"),
        ("one-of-two-taints-is-tolerated", {"tolerations": [TOLERATION]}, {"nodeTaints": [TAINT, {**TAINT, "key": "example.com/other"}]}, "second"),
        ("node-selector-of-no-flavor", {"nodeSelector": SELECTED}, {}, "first"),
        ("tolerated-by-the-flavor", {}, {"nodeTaints": [TAINT], "tolerations": [TOLERATION]}, "first"),
        ("preferred-taint", {}, {"nodeTaints": [{**TAINT, "effect": "PreferNoSchedule"}]}, "first"),
    ),
    clauses={"a": "that flavor is assigned, and no other"},
)  # fmt: skip
def test_flavors_of_pods(kueue_cluster, what, spec, flavor, expected):
    first, second = kueue_cluster.flavor(**flavor), kueue_cluster.flavor()
    queue = kueue_cluster.queue(flavors=[first, second])

    workload = queue.submit(podSets=[pods(cpu="1", spec=spec)])

    usage = {"flavors": {"cpu": {"first": first, "second": second}[expected]}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-398", "a queue lends and borrows within its limits",
    requirement="kep-993#reservation-fits-quota", shows="Q-121 Q-124 Q-126 AC-034",
    cases=listed(
        "what lends borrows most",
        ("no-limits", None, None, 6), ("borrowing-limit", None, "1", 3), ("no-borrowing", None, "0", 2),
        ("lending-limit", "1", None, 3), ("no-lending", "0", None, 2), ("both-limits", "3", "2", 4),
    ),
    clauses={"a": "one more than it may never fits", "b": "what it may take it gets"},
)  # fmt: skip
def test_limits_of_a_cohort(kueue_cluster, what, lends, borrows, most):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.flavor()
    lender = [{**quota(cpu="4")[0], **({"lendingLimit": lends} if lends else {})}]
    borrower = [{**quota(cpu="2")[0], **({"borrowingLimit": borrows} if borrows else {})}]
    kueue_cluster.queue(
        flavors=[flavor], cohortName=cohort, resourceGroups=[group(["cpu"], **{flavor: lender})]
    )
    queue = kueue_cluster.queue(
        flavors=[flavor], cohortName=cohort, resourceGroups=[group(["cpu"], **{flavor: borrower})]
    )

    large = queue.submit(cpu=f"{most + 1}")
    within("settle", lambda: large.has_reason("QuotaReserved", "Pending"), clause="a")
    fitting = queue.submit(cpu=f"{most}")

    within("admit", fitting.is_admitted, clause="b")
    always(large.is_suspended, clause="a")


@scenario(
    "ADM-399", "what one queue of a cohort holds the others cannot borrow",
    requirement="kep-993#reservation-fits-quota", shows="Q-122 Q-127 AC-441", cases=pairwise(checks=(0, 1)),
    clauses={"a": "the borrower waits", "b": "it gets what was given back", "c": "its status tells how much it has borrowed"},
)  # fmt: skip
def test_cohort_is_shared(kueue_cluster, checks):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.flavor()
    owner, borrower = (
        kueue_cluster.queue(checks, flavors=[flavor], cpu="2", cohortName=cohort) for _ in range(2)
    )
    first = owner.submit(cpu="1")
    within("reserve", lambda: first.was_ever("QuotaReserved"))

    second = borrower.submit(cpu="4")
    within("settle", lambda: second.has_reason("QuotaReserved", "Pending"), clause="a")
    always(second.is_suspended, clause="a")
    first.delete()

    within("reserve", lambda: second.was_ever("QuotaReserved"), clause="b")
    told = {flavor: [{"name": "cpu", "total": "4", "borrowed": "2"}]}
    within("settle", lambda: borrower.tells_usage("flavorsReservation", **told), clause="c")


@scenario(
    "ADM-400", "queues of a cohort that begin at once never take more than there is",
    requirement="kep-993#reservation-fits-quota", shows="Q-203 Q-220 Q-224 AC-441",
    clauses={"a": "one of them borrows", "b": "the other waits", "c": "until that is done"},
)  # fmt: skip
def test_cohort_at_once(kueue_cluster):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.flavor()
    lender = kueue_cluster.queue(flavors=[flavor], cpu="0", cohortName=cohort)
    queues = [kueue_cluster.queue(flavors=[flavor], cpu="0", cohortName=cohort) for _ in range(2)]
    more, less = queues[0].submit(cpu="2", priority=5), queues[1].submit(cpu="2", priority=1)
    always(lambda: more.is_suspended() and less.is_suspended())

    lender.has_quota("3")

    within("admit", more.is_admitted, clause="a")
    always(less.is_suspended, clause="b")
    more.finish()
    within("admit", less.is_admitted, clause="c")


@scenario(
    "ADM-401", "among equals the oldest is let in first",
    requirement="kep-993#reservation-fits-quota", shows="Q-006 Q-021", clauses={"a": "one after the other, in the order of their creation"},
)  # fmt: skip
def test_order_of_age(kueue_cluster, clock):
    queue = kueue_cluster.queue(cpu="1", stopPolicy="Hold")
    line = [
        queue.submit(cpu="1", name=name)
        for name in clock.in_turn(kueue_cluster.names.name("workload") for _ in range(6))
    ]
    always(lambda: line[0].is_suspended() and line[-1].is_suspended())

    queue.resumes()

    for next_one in line:
        within("admit", next_one.is_admitted, clause="a")
        next_one.finish()


@scenario(
    "ADM-402", "the priority of a Workload that waits can be raised",
    requirement="kep-993#reservation-fits-quota", shows="Q-005 Q-021 Q-032 AC-098", clauses={"a": "it is let in first", "b": "the other waits"},
)  # fmt: skip
def test_raised_priority(make_queue):
    queue = make_queue(cpu="1")
    running = queue.submit(cpu="1")
    within("admit", running.is_admitted)
    high, low = queue.submit(cpu="1", priority=10), queue.submit(cpu="1", priority=1)
    within(
        "settle",
        lambda: high.has_reason("QuotaReserved", "Pending") and low.has_reason("QuotaReserved", "Pending"),
    )
    low.has_priority(100)
    always(lambda: high.is_suspended() and low.is_suspended())

    running.finish()

    within("admit", low.is_admitted, clause="a")
    always(high.is_suspended, clause="b")


@scenario(
    "ADM-403", "a Workload that waits and is made smaller gets in",
    requirement="kep-993#not-reserved-at-first", shows="Q-032 AC-161", cases=listed("strategy", ("BestEffortFIFO",), ("StrictFIFO",)),
    clauses={"a": "it is admitted"},
)  # fmt: skip
def test_made_smaller(make_queue, clock, strategy):
    queue = make_queue(cpu="1", queueingStrategy=strategy)
    workload = queue.submit(podSets=[pods(cpu="2")])
    within("settle", lambda: workload.has_reason("QuotaReserved", "Pending"))
    always(workload.is_suspended)
    clock.passes_budget("react")

    workload.changes(spec={"podSets": [pods(cpu="1")]})

    within("admit", workload.is_admitted, clause="a")


@scenario(
    "ADM-404", "a Workload waits for the LocalQueue and the ClusterQueue that it names, and is let in when they are made",
    requirement="kep-993#not-reserved-at-first", shows="Q-062 Q-064 AC-253", cases=listed("missing", ("no-local-queue",), ("no-cluster-queue",)),
    clauses={"a": "it waits", "b": "it is admitted"},
)  # fmt: skip
def test_queue_is_made_later(kueue_cluster, missing):
    queue, complete = kueue_cluster.incomplete_queue(missing)
    workload = queue.submit()
    within("settle", lambda: workload.has_reason("QuotaReserved", "Inadmissible"), clause="a")
    always(workload.is_suspended, clause="a")

    complete()

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-405", "a ClusterQueue takes Workloads of the namespaces that it selects",
    requirement="kep-993#not-reserved-at-first", shows="Q-050 Q-214 AC-031", clauses={"a": "another namespace waits", "b": "until it is selected"},
)  # fmt: skip
def test_selected_namespaces(kueue_cluster):
    queue = kueue_cluster.queue(namespaceSelector={"matchLabels": SELECTED})
    workload = queue.submit()
    within("settle", lambda: workload.has_reason("QuotaReserved", "Pending"), clause="a")
    always(workload.is_suspended, clause="a")

    kueue_cluster.namespace_is_labelled(SELECTED)

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "ADM-406", "pods that are not needed any more leave their quota to others",
    requirement="kueue-api#reclaimable-pods", shows="Q-083 Q-085 AC-115", level="should",
    clauses={"a": "so much less is used", "b": "another Workload takes it"},
)  # fmt: skip
def test_pods_that_are_given_back(make_queue, clock):
    queue = make_queue(cpu="6")
    workload = queue.submit(cpu="2", count=3)
    within("admit", workload.is_admitted)
    waiting = queue.submit(cpu="4")
    always(waiting.is_suspended)
    clock.passes_budget("react")

    workload.gives_back(1)
    within("settle", lambda: queue.reserves("4") and queue.uses("4"), clause="a")
    always(waiting.is_suspended, clause="a")
    clock.passes_budget("react")
    workload.gives_back(2)

    within("admit", waiting.is_admitted, clause="b")
    within("settle", lambda: queue.reserves("6"), clause="a")


@scenario(
    "ADM-407", "a queue that uses its own quota goes before one that borrows",
    requirement="kep-993#reservation-fits-quota", shows="Q-220 AC-441", clauses={"a": "the owner is admitted", "b": "the borrower waits, however important"},
)  # fmt: skip
def test_owner_before_borrower(kueue_cluster):
    cohort, flavor = kueue_cluster.names.name("cohort"), kueue_cluster.flavor()
    owner, borrower = (
        kueue_cluster.queue(flavors=[flavor], cpu=cpu, cohortName=cohort) for cpu in ("4", "1")
    )
    running = owner.submit(cpu="5")
    within("admit", running.is_admitted)
    important, own = borrower.submit(cpu="2", priority=100), owner.submit(cpu="4", priority=1)
    always(lambda: important.is_suspended() and own.is_suspended())

    running.finish()

    within("admit", own.is_admitted, clause="a")
    always(important.is_suspended, clause="b")


@scenario(
    "ADM-408", "a queue borrows, or tries the next flavor first, as its policy says",
    requirement="kep-993#stage-one", shows="Q-172 AC-036", level="should",
    cases=listed("policy expected", ("MayStopSearch", "first"), ("TryNextFlavor", "second")), clauses={"a": "that flavor is assigned"},
)  # fmt: skip
def test_flavor_fungibility(kueue_cluster, policy, expected):
    cohort, first, second = kueue_cluster.names.name("cohort"), kueue_cluster.flavor(), kueue_cluster.flavor()
    kueue_cluster.queue(flavors=[first], cpu="4", cohortName=cohort)
    queue = kueue_cluster.queue(
        flavors=[first, second],
        cpu=("1", "4"),
        cohortName=cohort,
        flavorFungibility={"whenCanBorrow": policy},
    )

    workload = queue.submit(cpu="2")

    usage = {"flavors": {"cpu": {"first": first, "second": second}[expected]}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, main=usage), clause="a")


@scenario(
    "ADM-409", "a pod set that does not fit beside the others of its Workload gets the next flavor",
    requirement="kep-993#stage-one", shows="Q-153 Q-155 AC-283", clauses={"a": "two flavors serve the two pod sets"},
)  # fmt: skip
def test_flavors_of_pod_sets(make_queue):
    queue = make_queue(flavors=2, cpu="2")
    first, second = queue.flavors

    workload = queue.submit(podSets=[pods("one", cpu="2"), pods("other", cpu="1")])

    served = {"one": {"flavors": {"cpu": first}}, "other": {"flavors": {"cpu": second}}}
    within("admit", lambda: workload.is_admitted() and workload.has_admission(queue, **served), clause="a")


@scenario(
    "ADM-410", "what a check sent back stands behind its equals, and what a stop sent back does not",
    requirement="docs-2024#four-states", shows="Q-007 AC-319", since="0.9", level="should",
    cases=listed("what first", ("retry", "younger"), ("cluster-queue-stopped", "older"), ("local-queue-stopped", "older")),
    clauses={"a": "that one is reserved", "b": "the other waits"},
)  # fmt: skip
def test_place_after_an_eviction(make_queue, clock, what, first):
    queue = make_queue(checks=1, cpu="1")
    older = queue.brings_to("admitted", cpu="1")
    clock.ticks()
    younger = queue.submit(cpu="1")
    within("settle", lambda: younger.has_reason("QuotaReserved", "Pending"))
    clock.passes_budget("react")

    queue.sends_back(older, what)

    order = {"older": (older, younger), "younger": (younger, older)}[first]
    within("requeue", order[0].is_prechecked, clause="a")
    always(order[1].is_suspended, clause="b")


@scenario(
    "ADM-411", "everything that fits is let in when quota is given back",
    requirement="kep-993#reservation-fits-quota", shows="Q-050 Q-051 AC-296", cases=listed("end", ("finished",), ("deleted",), ("deactivated",)),
    clauses={"a": "all of them are admitted"},
)  # fmt: skip
def test_all_that_fits_is_let_in(make_queue, clock, end):
    queue = make_queue(cpu="3")
    first = queue.submit(cpu="3")
    within("admit", first.is_admitted)
    waiting = [queue.submit(cpu="1", priority=priority) for priority in (1, 2, 3)]
    within("settle", lambda: queue.counts(pending=3, admitted=1))
    clock.passes_budget("react")

    {"finished": first.finish, "deleted": first.delete, "deactivated": first.deactivate}[end]()

    within(
        "requeue",
        lambda: waiting[0].is_admitted() and waiting[1].is_admitted() and waiting[2].is_admitted(),
        clause="a",
    )


@scenario(
    "ADM-412", "a Workload that may run with fewer pods is admitted with as many as fit",
    requirement="kep-993#stage-one", shows="Q-185 Q-186 AC-336", since="0.9", level="should",
    cases=listed("what cpu expected", ("all", "4", 4), ("some", "3", 3), ("the-fewest", "2", 2)),
    clauses={"a": "so many are counted", "b": "the Job starts with so many", "c": "stopped, it asks for all again"},
)  # fmt: skip
def test_fewer_pods(kueue_cluster, what, cpu, expected):
    queue = kueue_cluster.queue(cpu=cpu)
    workload = queue.submit("job", cpu="1", count=4, annotations={"kueue.x-k8s.io/job-min-parallelism": "2"})
    job = kueue_cluster.job_of(workload)

    within("admit", lambda: workload.has_admission(queue, main={"count": expected}), clause="a")
    within("admit", lambda: job.is_started() and job.runs_at_once(expected), clause="b")
    queue.drains()

    within("evict", lambda: job.is_suspended() and job.runs_at_once(4), clause="c")


@scenario(
    "ADM-413", "a Workload that would do with fewer pods waits while not even those fit",
    requirement="kep-993#reservation-fits-quota", shows="Q-185 Q-187", since="0.9", clauses={"a": "it waits", "b": "it is admitted with the fewest"},
)  # fmt: skip
def test_too_few_pods(kueue_cluster):
    queue = kueue_cluster.queue(cpu="1")
    workload = queue.submit("job", cpu="1", count=4, annotations={"kueue.x-k8s.io/job-min-parallelism": "2"})
    within("settle", lambda: workload.has_reason("QuotaReserved", "Pending"), clause="a")
    always(workload.is_suspended, clause="a")

    queue.has_quota("2")

    within("admit", lambda: workload.has_admission(queue, main={"count": 2}), clause="b")
