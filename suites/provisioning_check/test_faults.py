"""PRC: the API server refuses, fails or loses what the
controller writes and watches (PA-124, PA-125, PA-155, PA-170).
"""

from kueue_conformance import always, cross, rows, scenario, within

WRITES = ("PodTemplate", "ProvisioningRequest", "Workload/status")
TIMES, STORM = 3, 8


@scenario(
    "PRC-190",
    "a failed write is repeated, and takes effect once",
    requirement=("provisioning-check#fault-tolerant", "provisioning-check#idempotent"),
    shows="PA-170 PA-155 TB-39 TB-40",
    since="0.19",
    needs=("faults of Kueue",),
    cases=cross(write=WRITES, code=(409, 429, 500, 503)),
    clauses={
        "a": "the fault is met",
        "b": "one request exists",
        "c": "it is admitted when that is provided",
    },
)
def test_writes_fail(provisioning, autoscaler, controller_faults, write, code):
    queue = provisioning.make_queue()
    controller_faults.refuse_writes(write, code, times=STORM if code == 409 else TIMES)

    workload = queue.submit()

    request = workload.request(queue.checks[0])
    within("recover", lambda: request.is_the_only_one() and request.has_templates(), clause="b")
    autoscaler.provision(request)
    within("recover", workload.is_admitted, clause="c")
    within("recover", controller_faults.have_struck, clause="a")
    always(lambda: request.was_created(1), clause="b")


@scenario(
    "PRC-191",
    "a write that took effect although the response said otherwise is not repeated",
    requirement=("provisioning-check#fault-tolerant", "provisioning-check#idempotent"),
    shows="PA-125 TB-41 TB-42 RG-K12 PA-170",
    since="0.19",
    needs=("faults of Kueue",),
    cases=cross(write=WRITES, how=("error", "cut")),
    clauses={
        "a": "the fault is met",
        "b": "one request",
        "c": "no text about it is left",
        "d": "it is admitted",
    },
)
def test_writes_that_took_effect(provisioning, autoscaler, controller_faults, write, how):
    queue = provisioning.make_queue()
    controller_faults.fail_after_writes(
        write
    ) if how == "error" else controller_faults.lose_answers_to_writes(write)

    workload = queue.submit()

    request = workload.request(queue.checks[0])
    within("recover", lambda: request.is_the_only_one() and request.has_templates(), clause="b")
    within("recover", lambda: workload.has_entry_message(queue.checks[0], ""), clause="c")
    autoscaler.provision(request)
    within("recover", workload.is_admitted, clause="d")
    within("recover", controller_faults.have_struck, clause="a")
    always(lambda: request.was_created(1), clause="b")


@scenario(
    "PRC-192",
    "a verdict that cannot be written is written in the end: no retry is lost or counted twice",
    requirement=("provisioning-check#fault-tolerant", "provisioning-check#retries"),
    shows="PA-155 PA-170 PA-099",
    since="0.19",
    needs=("faults of Kueue",),
    cases=rows("how", ("refused",), ("failed after it",), ("cut after it",)),
    clauses={"a": "the fault is met", "b": "another request", "c": "one retry is counted"},
)
def test_verdict_fails(provisioning, autoscaler, controller_faults, how):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    {
        "refused": lambda: controller_faults.refuse_writes("Workload/status", 409, times=STORM),
        "failed after it": lambda: controller_faults.fail_after_writes("Workload/status"),
        "cut after it": lambda: controller_faults.lose_answers_to_writes("Workload/status"),
    }[how]()

    autoscaler.reject(request)

    within("recover", lambda: request.has_other_uid(first), clause="b")
    within("recover", controller_faults.have_struck, clause="a")
    always(lambda: workload.has_retried(queue.checks[0], 1) and request.was_created(2), clause="c")


@scenario(
    "PRC-193",
    "a request that cannot be deleted at once is deleted in the end",
    requirement=("provisioning-check#fault-tolerant", "provisioning-check#clean-up"),
    shows="PA-032 PA-130 PA-170",
    since="0.19",
    needs=("faults of Kueue",),
    cases=cross(why=("finished", "another class"), how=(429, 500, 503, "failed after it", "cut after it")),
    clauses={
        "a": "the fault is met",
        "b": "the request is deleted",
        "c": "no other is left beside the required one",
    },
)
def test_deletion_fails(provisioning, autoscaler, controller_faults, why, how):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    if why == "finished":
        autoscaler.provision(request)
        within("admit", workload.is_admitted)
    controller_faults.disturb_deletions("ProvisioningRequest", how, times=TIMES)

    {
        "finished": workload.finish,
        "another class": lambda: queue.checks[0].change_config(provisioningClassName="another.example.com"),
    }[why]()

    expected = 0 if why == "finished" else 1
    within("recover", lambda: request.has_uid(first).negate(), clause="b")
    within("recover", lambda: workload.has_requests(expected), clause="c")
    within("recover", controller_faults.have_struck, clause="a")
    always(lambda: workload.has_requests(expected) and request.was_created(1 + expected), clause="c")


@scenario(
    "PRC-194",
    "changes made while watches are broken take effect when they are opened again",
    requirement="provisioning-check#fault-tolerant",
    shows="PA-170 PA-030",
    since="0.19",
    needs=("faults of Kueue",),
    cases=rows("ending", (410,), (500,), (0,)),
    clauses={"a": "provided, it is admitted", "b": "a later Workload gets its request"},
)
def test_watches_end(provisioning, autoscaler, controller_faults, ending):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    controller_faults.end_watches(ending)
    autoscaler.provision(workload.request(queue.checks[0]))
    later = queue.submit()

    within("recover", workload.is_admitted, clause="a")
    within("recover", later.request(queue.checks[0]).exists, clause="b")


@scenario(
    "PRC-195",
    "a condition that is lost with its watch is found by listing",
    requirement="provisioning-check#fault-tolerant",
    shows="PA-170 PA-030",
    since="0.19",
    needs=("faults of Kueue",),
    cases=rows("code", (410,), (0,)),
    clauses={"a": "it is admitted"},
)
def test_lost_answer(provisioning, autoscaler, controller_faults, code):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    controller_faults.lose_events_of("ProvisioningRequest", code)

    autoscaler.provision(workload.request(queue.checks[0]))

    within("recover", workload.is_admitted, clause="a")


@scenario(
    "PRC-196",
    "events that are delivered twice count once",
    requirement=("provisioning-check#fault-tolerant", "provisioning-check#idempotent"),
    shows="PA-170 RG-K24",
    since="0.19",
    needs=("faults of Kueue",),
    clauses={"a": "one request for each attempt", "b": "one retry"},
)
def test_repeated_events(provisioning, autoscaler, controller_faults):
    queue = provisioning.make_queue()
    controller_faults.repeat_events()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid

    autoscaler.reject(request)

    within("requeue", lambda: request.has_other_uid(first) and workload.has_requests(1), clause="a")
    always(lambda: request.was_created(2) and workload.has_requests(1), clause="a")
    always(lambda: workload.has_retried(queue.checks[0], 1), clause="b")


@scenario(
    "PRC-197",
    "a check whose condition cannot be written is Active in the end, and serves the Workloads that waited",
    requirement=("provisioning-check#fault-tolerant", "provisioning-check#active"),
    shows="PA-020 PA-170",
    since="0.19",
    needs=("faults of Kueue",),
    cases=rows("how", (409,), (429,), (500,), (503,), ("failed after it",), ("cut after it",)),
    clauses={"a": "the fault is met", "b": "the check is Active", "c": "exactly one request exists"},
)
def test_active_condition_fails(kueue_cluster, provisioning, controller_faults, how):
    check = provisioning.make_check_without_config()
    within("react", lambda: check.is_active().negate())
    queue = kueue_cluster.make_queue([check])
    workload = queue.submit()
    controller_faults.disturb_writes("AdmissionCheck/status", how, times=STORM if how == 409 else TIMES)

    check.create_config()

    request = workload.request(check)
    within("recover", check.is_active, clause="b")
    within("recover", lambda: request.is_the_only_one() and request.has_templates(), clause="c")
    within("recover", controller_faults.have_struck, clause="a")
    always(lambda: request.was_created(1), clause="c")


@scenario(
    "PRC-198",
    "objects that are lost with the watch of a kind are found by listing",
    requirement="provisioning-check#fault-tolerant",
    shows="PA-170 PA-030",
    since="0.19",
    needs=("faults of Kueue",),
    cases=cross(kind=("Workload", "AdmissionCheck", "ProvisioningRequestConfig"), code=(410, 0)),
    clauses={"a": "the state that results"},
)
def test_lost_events(provisioning, controller_faults, kind, code):
    queue, later = provisioning.make_queue(), provisioning.make_check_without_config()
    workload = provisioning.submit_until_requested(queue)
    first = workload.request(queue.checks[0]).uid
    within("react", lambda: later.is_active().negate())
    controller_faults.lose_events_of(kind, code)

    done = {
        "Workload": queue.submit,
        "AdmissionCheck": lambda: queue.checks[0].set_config(
            provisioning.make_config(class_name="another.example.com")
        ),
        "ProvisioningRequestConfig": later.create_config,
    }[kind]()

    expected = {
        "Workload": lambda: done.request(queue.checks[0]).exists(),
        "AdmissionCheck": lambda: workload.request(queue.checks[0]).has_other_uid(first),
        "ProvisioningRequestConfig": later.is_active,
    }
    within("recover", expected[kind], clause="a")
