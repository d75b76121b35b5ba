"""PRC: configurations and details that mean harm or nothing
(issue of bad input; PC-09, PC-18, PC-23, PA-090, PA-133).
"""

from kueue_conformance import always, cross, either, scenario, within

CLASS = "check-capacity.autoscaling.x-k8s.io"


@scenario(
    "PRC-200",
    "details with hostile keys and values that the configuration does not name change nothing",
    requirement=("provisioning-check#odd-input", "provisioning-check#class-details"),
    shows="PA-087 PR-021",
    since="0.19",
    cases=cross(key=("../../zone", "")),
    clauses={"a": "it is admitted", "b": "only configured keys are used"},
)
def test_hostile_details(provisioning, autoscaler, key):
    queue = provisioning.make_queue(node_labels={"example.com/zone": "zone"})
    workload = provisioning.submit_until_requested(queue)

    autoscaler.provision(workload.request(queue.checks[0]), details={key: "$(harm)", "zone": "north"})

    within("admit", workload.is_admitted, clause="a")
    always(lambda: workload.has_node_selector(queue.checks[0], {"example.com/zone": "north"}), clause="b")


@scenario(
    "PRC-201",
    "messages of the autoscaler are reported as they are",
    requirement=("provisioning-check#odd-input", "provisioning-check#eta"),
    shows="PA-080 PA-119 PC-18",
    level="should",
    since="0.19",
    cases=cross(text=("100% of %s", "two\nlines \u4e2d\u6587")),
    clauses={"a": "the message of the check"},
)
def test_odd_texts(provisioning, autoscaler, text):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    autoscaler.report_shortage(workload.request(queue.checks[0]), text)

    within("react", lambda: provisioning.shows_message(workload, queue.checks[0], text), clause="a")


@scenario(
    "PRC-202",
    "a class or a parameter that no autoscaler knows is copied, and the Workload waits",
    requirement="provisioning-check#odd-input",
    shows="PR-052 PR-057 PA-059",
    since="0.19",
    clauses={"a": "it is requested so", "b": "it waits for as long as no autoscaler answers"},
)
def test_unknown_class(provisioning, clock):
    queue = provisioning.make_queue(
        class_name="no.such.class", parameters={"": "nothing", "ValidUntilSeconds": "banana"}
    )
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])

    clock.advance(clock.hold)

    always(
        lambda: (
            request.has_class("no.such.class")
            and request.has_parameters({"": "nothing", "ValidUntilSeconds": "banana"})
        ),
        clause="a",
    )
    always(lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="b")


@scenario(
    "PRC-203",
    "a Workload whose capacity is never provided keeps its quota until a user deactivates it",
    requirement=("provisioning-check#eta", "provisioning-check#clean-up"),
    shows="PA-084a RG-K27",
    since="0.19",
    cases=cross(how=("deactivated", "deleted")),
    clauses={"a": "it waits", "b": "the quota is free when the user stops the Workload"},
)
def test_short_for_ever(provisioning, autoscaler, clock, how):
    queue = provisioning.make_queue(cpu="1")
    workload = provisioning.submit_until_requested(queue, cpu="1")
    autoscaler.report_shortage(
        workload.request(queue.checks[0]), "Capacity is not found, CA will try to find it later."
    )
    clock.advance(clock.hold * 3)
    always(workload.is_prechecked, clause="a")

    {"deactivated": workload.deactivate, "deleted": workload.delete}[how]()

    within("requeue", queue.submit(cpu="1").is_prechecked, clause="b")


@scenario(
    "PRC-204",
    "a configuration without a spec is refused, or its check is not usable, or nothing can be requested with it",
    requirement="provisioning-check#quirks",
    shows="PA-011 PC-23 RG-K50",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "others are served"},
)
def test_configuration_without_a_spec(kueue_cluster, provisioning):
    check = provisioning.make_check_without_config()
    answer = provisioning.try_to_make_empty_config(check.config)
    good = provisioning.make_queue()

    if answer.is_accepted:
        either("react", {"usable": check.is_active, "not usable": check.shows_why_inactive}, clause="a")
        workload = kueue_cluster.make_queue([check]).submit()
        within("react", lambda: workload.has_states("Pending"), clause="a")
        always(workload.has_no_request, clause="a")
    else:
        assert answer.is_invalid("spec"), f"a: {answer}"
    within("react", good.submit().request(good.checks[0]).exists, clause="b")


@scenario(
    "PRC-205",
    "a booking, a failure and a revocation in one write lead to one verdict",
    requirement=("provisioning-check#odd-input", "provisioning-check#states"),
    shows="PA-083 PD-10",
    since="0.19",
    clauses={"a": "one retry", "b": "one other request"},
)
def test_contradictions(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid

    autoscaler.set_conditions(
        request,
        "everything",
        Accepted=True,
        Provisioned=True,
        Failed=True,
        BookingExpired=True,
        CapacityRevoked=True,
    )

    within("requeue", lambda: request.has_other_uid(first), clause="b")
    always(lambda: workload.has_retried(queue.checks[0], 1) and workload.was_evicted_times(1), clause="a")


@scenario(
    "PRC-206",
    "a failure that is withdrawn and followed by success leads to an admission, at once or when the wait is over",
    requirement="provisioning-check#quirks",
    shows="PC-04 PA-079 PA-108",
    level="may",
    since="0.19",
    clauses={
        "a": "the check is Ready, or it was evicted before",
        "b": "at once, later or again",
        "c": "it is admitted in the end",
    },
)
def test_failure_is_withdrawn(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    autoscaler.reject(request)
    within("react", lambda: workload.had_verdict(check, "Retry"))
    clock.settle()  # else Kueue, which may evict at once, deletes the request between two looks

    if request.exists():
        autoscaler.set_conditions(request, Failed=False, Accepted=True, Provisioned=True)
    within("react", lambda: workload.had_verdict(check, "Ready") or workload.was_released(), clause="a")
    clock.advance_budget("react")

    ways = {"at once": workload.is_admitted, "later": workload.is_prechecked, "anew": workload.is_suspended}
    observed = either("react", ways, clause="b")
    clock.advance(clock.hold)
    if observed == "anew":
        within("requeue", request.exists, clause="c")
        autoscaler.provision(request)
    within("requeue", workload.is_admitted, clause="c")


@scenario(
    "PRC-207",
    "a Workload whose retries were changed by hand gets one request",
    requirement="provisioning-check#quirks",
    shows="PA-074 PA-084b PD-04",
    level="may",
    since="0.19",
    clauses={"a": "a failure leads to another request", "b": "one at a time"},
)
def test_stale_retries(provisioning, autoscaler):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    workload.set_retry_count(check, 2)

    autoscaler.reject(request)

    within("requeue", lambda: request.has_other_uid(first), clause="a")
    within("requeue", lambda: workload.has_requests(1), clause="b")
