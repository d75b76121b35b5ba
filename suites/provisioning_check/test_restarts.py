"""PRC: the controller ends and is started again:
no second request, no lost retry, no orphan (PA-170, PD-18).
"""

from kueue_conformance import always, cross, rows, scenario, within

TO_A_REQUEST, TO_A_RETRY, TO_A_VERDICT, TO_ANOTHER, TO_THE_END = (
    tuple(range(many)) for many in (5, 8, 3, 6, 3)
)
"""After how many requests of it, on its way to a request, a retry, a verdict, another request and the end of
a Workload, it is killed.
"""


@scenario(
    "PRC-180",
    "a request is found again after a restart of the controller, in any state",
    requirement="provisioning-check#restart-safe",
    shows="PA-170 PD-18",
    since="0.19",
    needs=("restart of Kueue",),
    cases=cross(stage=("requested", "accepted", "provided")),
    clauses={"a": "it is the same, and the only one", "b": "it can be provided"},
)
def test_request_is_found_again(kueue_cluster, provisioning, autoscaler, stage):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    uid = request.uid
    {
        "requested": lambda: None,
        "accepted": lambda: autoscaler.accept(request),
        "provided": lambda: autoscaler.provision(request),
    }[stage]()

    provisioning.restart()

    always(lambda: request.has_uid(uid) and request.was_created(1), clause="a")
    autoscaler.provision(request)
    other.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-181",
    "changes made while the controller was down take effect after its restart",
    requirement="provisioning-check#restart-safe",
    shows="PD-18 PA-170",
    since="0.19",
    needs=("restart of Kueue",),
    cases=rows(
        "example next_act",
        ("provided", "admitted"),
        ("refused", "another request"),
        ("revoked", "given up"),
        ("expired", "another request"),
        ("deleted", "another request"),
        ("another class", "another request"),
    ),
    clauses={"a": "the state that results"},
)
def test_what_happened_meanwhile(provisioning, autoscaler, example, next_act):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    uid = request.uid

    with provisioning.without_controller():
        {
            "provided": lambda: autoscaler.provision(request),
            "refused": lambda: autoscaler.reject(request),
            "revoked": lambda: autoscaler.revoke_capacity(request),
            "expired": lambda: autoscaler.expire_booking(request),
            "deleted": request.delete,
            "another class": lambda: queue.checks[0].change_config(provisioningClassName="another"),
        }[example]()

    expected = {
        "admitted": workload.is_admitted,
        "another request": lambda: request.has_other_uid(uid),
        "given up": workload.is_rejected,
    }
    within("recover", expected[next_act], clause="a")


@scenario(
    "PRC-182",
    "a request whose Workload ended while the controller was down is deleted",
    requirement=("provisioning-check#restart-safe", "provisioning-check#clean-up"),
    shows="PD-18 PA-032",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    needs=("restart of Kueue",),
    cases=rows("example", ("finished",), ("deactivated",)),
    clauses={"a": "no request is left"},
)
def test_ended_meanwhile(provisioning, autoscaler, example):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    autoscaler.provision(workload.request(queue.checks[0]))
    within("admit", workload.is_admitted)

    with provisioning.without_controller():
        {"finished": workload.finish, "deactivated": workload.deactivate}[example]()

    within("recover", workload.has_no_request, clause="a")


@scenario(
    "PRC-183",
    "a back-off survives a restart of the controller, and the retry is made once",
    requirement=("provisioning-check#restart-safe", "provisioning-check#wait"),
    shows="PD-18 PA-107 PA-112",
    since="0.19",
    needs=("restart of Kueue",),
    clauses={"a": "not tried again during the wait", "b": "tried again once it is over", "c": "as one retry"},
)
def test_wait_over_a_restart(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    autoscaler.reject(request)
    within("react", lambda: workload.had_verdict(queue.checks[0], "Retry"))

    provisioning.restart()
    clock.advance_while(clock.hold // 2, lambda: workload.was_reserved(1), clause="a")
    clock.advance(clock.hold)

    within("requeue", lambda: request.has_other_uid(first), clause="b")
    always(lambda: request.was_created(2) and workload.has_retried(queue.checks[0], 1), clause="c")


@scenario(
    "PRC-184",
    "wherever the controller is killed on the way to a request, one request exists after its restart",
    requirement=("provisioning-check#restart-safe", "provisioning-check#idempotent"),
    shows="PA-170 PD-18 RG-K24",
    since="0.19",
    needs=("restart of Kueue", "faults of Kueue"),
    cases=cross(requests=TO_A_REQUEST),
    clauses={
        "a": "one request for each Workload",
        "b": "with its templates",
        "c": "provided, it is admitted",
    },
)
def test_killed_before_the_request(provisioning, autoscaler, controller_faults, requests):
    queue = provisioning.make_queue()
    controller_faults.cut_connections_after(requests)
    workload = queue.submit()

    provisioning.restart(after=controller_faults)

    request = workload.request(queue.checks[0])
    within("recover", lambda: request.is_the_only_one() and request.was_created(1), clause="a")
    within("recover", request.has_templates, clause="b")
    autoscaler.provision(request)
    within("recover", workload.is_admitted, clause="c")


@scenario(
    "PRC-185",
    "wherever the controller is killed after a failure, the retry is made once after its restart",
    requirement=("provisioning-check#restart-safe", "provisioning-check#retries"),
    shows="PA-170 PA-112 PD-18",
    since="0.19",
    needs=("restart of Kueue", "faults of Kueue"),
    cases=cross(requests=TO_A_RETRY),
    clauses={"a": "a second request", "b": "one retry is counted", "c": "no request is left beside it"},
)
def test_killed_after_a_failure(provisioning, autoscaler, controller_faults, requests):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    controller_faults.cut_connections_after(requests)
    autoscaler.reject(request)

    provisioning.restart(after=controller_faults)

    within("recover", lambda: request.has_other_uid(first), clause="a")
    always(lambda: workload.has_retried(queue.checks[0], 1) and request.was_created(2), clause="b")
    within("recover", lambda: workload.has_requests(1), clause="c")


@scenario(
    "PRC-186",
    "a controller that was killed before it noticed the end of a Workload leaves no request after its restart",
    requirement=("provisioning-check#restart-safe", "provisioning-check#clean-up"),
    shows="PA-170 PA-032 PD-18",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    needs=("restart of Kueue", "faults of Kueue"),
    cases=cross(example=("finished", "deactivated", "evicted"), requests=TO_THE_END),
    clauses={"a": "no request is left"},
)
def test_killed_at_the_end(provisioning, autoscaler, controller_faults, example, requests):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    autoscaler.provision(workload.request(queue.checks[0]))
    within("admit", workload.is_admitted)
    controller_faults.cut_connections_after(requests)
    {
        "finished": workload.finish,
        "deactivated": workload.deactivate,
        "evicted": lambda: queue.set_stop_policy("cluster-queue", "HoldAndDrain"),
    }[example]()

    provisioning.restart(after=controller_faults)

    within("recover", workload.has_no_request, clause="a")


@scenario(
    "PRC-187",
    "wherever the controller is killed after the capacity was provided, the verdict is written after its restart",
    requirement=("provisioning-check#restart-safe", "provisioning-check#ready-when-provided"),
    shows="PA-170 PA-079 PD-18",
    since="0.19",
    needs=("restart of Kueue", "faults of Kueue"),
    cases=cross(requests=TO_A_VERDICT),
    clauses={
        "a": "it is admitted",
        "b": "its pods consume the request that there was",
        "c": "no other was created",
    },
)
def test_killed_before_the_verdict(provisioning, autoscaler, controller_faults, requests):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    uid = request.uid
    controller_faults.cut_connections_after(requests)
    autoscaler.provision(request)

    provisioning.restart(after=controller_faults)

    within("recover", workload.is_admitted, clause="a")
    within("recover", lambda: workload.has_any_pods_consuming(request), clause="b")
    always(lambda: request.has_uid(uid) and request.was_created(1), clause="c")


@scenario(
    "PRC-188",
    "wherever the controller is killed on the way to a request of another class, that one alone exists after its restart",
    requirement=("provisioning-check#restart-safe", "provisioning-check#idempotent"),
    shows="PA-170 PA-130 PD-18",
    since="0.19",
    needs=("restart of Kueue", "faults of Kueue"),
    cases=cross(requests=TO_ANOTHER),
    clauses={
        "a": "a request of the new class",
        "b": "with its templates",
        "c": "and no other",
        "d": "provided, it is admitted",
    },
)
def test_killed_before_another_request(provisioning, autoscaler, controller_faults, requests):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    controller_faults.cut_connections_after(requests)
    queue.checks[0].change_config(provisioningClassName="another.example.com")

    provisioning.restart(after=controller_faults)

    within("recover", lambda: request.has_class("another.example.com"), clause="a")
    within("recover", request.has_templates, clause="b")
    always(lambda: workload.has_requests(1) and request.was_created(2), clause="c")
    autoscaler.provision(request)
    within("recover", workload.is_admitted, clause="d")
