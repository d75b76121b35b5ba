"""PRC: what v0.6 did: a failed request is followed by the
next while the quota is kept (DK-01…DK-28, TB-200…TB-224).
"""

from kueue_conformance import always, cross, scenario, within

V06 = {"only": ("v0.6",)}
FIRST_WAIT = 60


@scenario(
    "PRC-230",
    "no request is created before quota is reserved, and the request is deleted when the quota is released",
    requirement=("provisioning-check#after-reservation", "provisioning-check#v0-6"),
    shows="TB-217 TB-218 DK-11",
    clauses={"a": "no request before", "b": "one with quota", "c": "no request without quota"},
    **V06,
)
def test_reservation_decides(provisioning):
    queue = provisioning.make_queue(cpu="0")
    workload = queue.submit(cpu="1")
    always(workload.has_no_request, clause="a")

    queue.set_quota("1")
    within("react", workload.request(queue.checks[0]).exists, clause="b")
    queue.hold_and_drain()

    within("evict", workload.has_no_request, clause="c")


@scenario(
    "PRC-231",
    "a Workload is admitted when its capacity is provided, and its pods consume the request by the old annotation",
    requirement=(
        "provisioning-check#ready-when-provided",
        "aep#pods-are-annotated",
        "provisioning-check#v0-6",
    ),
    shows="TB-211 TB-219 DK-21 DK-22",
    clauses={"a": "it is admitted", "b": "the annotation alone"},
    **V06,
)
def test_provided(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])

    autoscaler.provision(request)

    within("admit", workload.is_admitted, clause="a")
    expected = {"cluster-autoscaler.kubernetes.io/consume-provisioning-request": request.name}
    within(
        "react",
        lambda: workload.has_updates(queue.checks[0], [{"name": "main", "annotations": expected}]),
        clause="b",
    )


@scenario(
    "PRC-232",
    "after a failure the check stays Pending with its quota, and the next request is created after the back-off",
    requirement=("provisioning-check#retries", "provisioning-check#v0-6"),
    shows="DK-05 DK-06 TB-209 TB-223",
    needs=("virtual time",),
    clauses={
        "a": "undecided, with quota, during the wait",
        "b": "the next request then",
        "c": "provided, it is admitted",
    },
    **V06,
)
def test_next_attempt(provisioning, autoscaler, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid

    autoscaler.reject(request)
    clock.advance_while(
        FIRST_WAIT,
        lambda: workload.is_prechecked() and workload.has_states("Pending") and request.has_uid(first),
        clause="a",
    )

    within("react", lambda: request.has_other_uid(first), clause="b")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-233",
    "after three retries the Workload is rejected",
    requirement=("provisioning-check#retry-limit", "provisioning-check#v0-6"),
    shows="DK-05 DK-07 TB-210 TB-224",
    needs=("virtual time",),
    clauses={"a": "four requests", "b": "it is finished"},
    **V06,
)
def test_given_up(provisioning, autoscaler, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    for wait in (60, 120, 240):
        uid = request.uid
        autoscaler.reject(request)
        clock.advance(wait)
        within("react", lambda old=uid: request.has_other_uid(old), clause="a")

    autoscaler.reject(request)

    within("evict", workload.is_finished, clause="b")
    always(lambda: request.was_created(4), clause="a")


@scenario(
    "PRC-234",
    "an expired booking and revoked capacity have no effect",
    requirement=("provisioning-check#v0-6",),
    shows="DK-09",
    cases=cross(condition=("BookingExpired", "CapacityRevoked")),
    clauses={"a": "the check waits"},
    **V06,
)
def test_unknown_conditions(provisioning, autoscaler, condition):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    autoscaler.set_conditions(workload.request(queue.checks[0]), **{condition: True})

    always(lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="a")


@scenario(
    "PRC-235",
    "the request of a finished Workload is deleted, and a running one continues without its request",
    requirement=("provisioning-check#clean-up", "provisioning-check#running", "provisioning-check#v0-6"),
    shows="TB-208 TB-214 TB-222 DK-12",
    clauses={"a": "it runs on without", "b": "no request is left"},
    **V06,
)
def test_end(provisioning, autoscaler):
    queue = provisioning.make_queue()
    first, other = provisioning.submit_until_requested(queue), provisioning.submit_until_requested(queue)
    for workload in (first, other):
        autoscaler.provision(workload.request(queue.checks[0]))
        within("admit", workload.is_admitted)

    first.request(queue.checks[0]).delete()
    always(lambda: first.is_admitted() and first.has_no_request(), clause="a")
    other.finish()

    within("cleanup", other.has_no_request, clause="b")


@scenario(
    "PRC-236",
    "a template that is deleted is created again",
    requirement=("provisioning-check#templates", "provisioning-check#v0-6"),
    shows="TB-206 DK-13",
    clauses={"a": "it is created again"},
    **V06,
)
def test_template_is_made_again(provisioning, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    within("react", request.has_templates)

    request.template().delete()
    clock.tick()
    workload.touch()

    within("react", request.has_templates, clause="a")


@scenario(
    "PRC-237",
    "a request with more parameters than are configured is replaced",
    requirement=("provisioning-check#config-changes", "provisioning-check#v0-6"),
    shows="DK-16 TB-207 TB-221",
    clauses={"a": "another one", "b": "with the parameters that are left"},
    **V06,
)
def test_parameter_is_removed(provisioning):
    queue = provisioning.make_queue(parameters={"one": "1", "two": "2"})
    request = provisioning.submit_until_requested(queue).request(queue.checks[0])
    first = request.uid

    queue.checks[0].change_config(parameters={"two": None})

    within("react", lambda: request.has_other_uid(first), clause="a")
    within("react", lambda: request.has_parameters({"one": "1"}), clause="b")


@scenario(
    "PRC-238",
    "limits alone need no request, and are not requested in a template",
    requirement=("provisioning-check#need", "provisioning-check#templates", "provisioning-check#v0-6"),
    shows="DK-18 DK-19 TB-212 TB-213",
    clauses={"a": "a resource that only has a limit is not requested", "b": "limits stay limits"},
    **V06,
)
def test_limits(kueue_cluster, provisioning):
    queue = provisioning.make_queue(manages=("cpu",))
    plain = {"name": "main", "image": "registry.k8s.io/pause:3.10"}
    limited = {**plain, "resources": {"limits": {"cpu": "1"}}}
    asking = {**plain, "resources": {"requests": {"cpu": "1"}}}

    first, other = (
        queue.submit(podSets=[kueue_cluster.pod_set("main", spec=spec)])
        for spec in (
            {"containers": [limited]},
            {"containers": [asking], "initContainers": [{**limited, "name": "first"}]},
        )
    )

    within("admit", first.is_admitted, clause="a")
    always(first.has_no_request, clause="a")
    request = other.request(queue.checks[0])
    within("react", lambda: request.template().has_requests({}, kind="initContainers"), clause="b")


@scenario(
    "PRC-239",
    "the autoscaler's message about provided capacity is not reported",
    requirement=("provisioning-check#ready-when-provided", "provisioning-check#v0-6"),
    shows="DK-10 DK-24",
    clauses={"a": "it is admitted", "b": "without its text", "c": "and no event tells of the check"},
    **V06,
)
def test_text_is_not_passed_on(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    autoscaler.provision(workload.request(queue.checks[0]), "there it is")

    within("admit", workload.is_admitted, clause="a")
    always(lambda: workload.has_entry_message_containing(queue.checks[0], "there it is").negate(), clause="b")
    always(lambda: kueue_cluster.has_event("AdmissionCheckUpdated", workload).negate(), clause="c")


@scenario(
    "PRC-240",
    "a check with a wrong reference stays Pending, and other checks continue",
    requirement=("provisioning-check#config-changes", "provisioning-check#v0-6"),
    shows="DK-25 TB-203",
    clauses={
        "a": "it reports that it is not active",
        "b": "its request is deleted",
        "c": "there is one when the reference is right again",
    },
    **V06,
)
def test_wrong_reference(provisioning):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)

    check.set_parameters(provisioning.reference(check.config, kind="Secret"))

    within("react", lambda: workload.has_entry_message(check, "the check is not active"), clause="a")
    within("react", workload.has_no_request, clause="b")
    check.set_config(check.config)
    within("recover", workload.request(check).exists, clause="c")


@scenario(
    "PRC-241",
    "a request for another number of pods does not count, although it is of a later attempt",
    requirement=("provisioning-check#own-requests-only", "provisioning-check#v0-6"),
    shows="DK-15 TB-215 TB-216",
    clauses={"a": "the first one stays alone"},
    **V06,
)
def test_other_number_of_pods(provisioning):
    queue = provisioning.make_queue(class_name="any")
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue, count=3)
    request = workload.request(check)
    first, uid = request.uid, workload.object["metadata"]["uid"]

    provisioning.make_foreign_request(
        f"{workload.name}-{check.name}-2", owner=workload.name, uid=uid, kind="Workload", class_name="any"
    )
    workload.touch()

    within("react", lambda: request.has_uid(first) and workload.has_requests(1), clause="a")
