"""PRC: what v0.6 did: a failed request is followed by the next while the quota is kept (DK-01…DK-28, TB-200…TB-224)."""

from kueue_conformance import always, cross, scenario, within

V06 = {"only": ("v0.6",)}
FIRST_WAIT = 60


@scenario(
    "PRC-230", "nothing is requested before quota is reserved, and the request goes when the quota goes",
    requirement=("provisioning-check#after-reservation", "provisioning-check#v0-6"), shows="TB-217 TB-218 DK-11", clauses={"a": "none before", "b": "one with quota", "c": "none without"}, **V06,
)  # fmt: skip
def test_reservation_decides(provisioning):
    queue = provisioning.queue(cpu="0")
    workload = queue.submit(cpu="1")
    always(workload.has_no_request, clause="a")

    queue.has_quota("1")
    within("react", workload.request(queue.checks[0]).exists, clause="b")
    queue.drains()

    within("evict", workload.has_no_request, clause="c")


@scenario(
    "PRC-231", "a Workload is admitted when its capacity is provided, and its pods consume the request by the old annotation",
    requirement=("provisioning-check#ready-when-provided", "aep#pods-are-annotated", "provisioning-check#v0-6"), shows="TB-211 TB-219 DK-21 DK-22",
    clauses={"a": "it is admitted", "b": "the annotation alone"}, **V06,
)  # fmt: skip
def test_provided(provisioning, autoscaler):
    queue = provisioning.queue()
    workload = provisioning.requested(queue)
    request = workload.request(queue.checks[0])

    autoscaler.provides(request)

    within("admit", workload.is_admitted, clause="a")
    wanted = {"cluster-autoscaler.kubernetes.io/consume-provisioning-request": request.name}
    within(
        "react",
        lambda: workload.has_updates(queue.checks[0], [{"name": "main", "annotations": wanted}]),
        clause="b",
    )


@scenario(
    "PRC-232", "after a failure the check stays undecided with its quota, and the next request comes when the wait is over",
    requirement=("provisioning-check#retries", "provisioning-check#v0-6"), shows="DK-05 DK-06 TB-209 TB-223", needs=("virtual time",),
    clauses={"a": "undecided, with quota, during the wait", "b": "the next request then", "c": "provided, it is admitted"}, **V06,
)  # fmt: skip
def test_next_attempt(provisioning, autoscaler, clock):
    queue = provisioning.queue()
    workload = provisioning.requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid

    autoscaler.refuses(request)
    clock.passes_while(
        FIRST_WAIT,
        lambda: workload.is_prechecked() and workload.has_states("Pending") and request.is_still(first),
        clause="a",
    )

    within("react", lambda: request.is_another_than(first), clause="b")
    autoscaler.provides(request)
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-233", "after three retries the Workload is given up",
    requirement=("provisioning-check#retry-limit", "provisioning-check#v0-6"), shows="DK-05 DK-07 TB-210 TB-224", needs=("virtual time",),
    clauses={"a": "four requests", "b": "it is finished"}, **V06,
)  # fmt: skip
def test_given_up(provisioning, autoscaler, clock):
    queue = provisioning.queue()
    workload = provisioning.requested(queue)
    request = workload.request(queue.checks[0])
    for wait in (60, 120, 240):
        uid = request.uid
        autoscaler.refuses(request)
        clock.passes(wait)
        within("react", lambda old=uid: request.is_another_than(old), clause="a")

    autoscaler.refuses(request)

    within("evict", workload.is_finished, clause="b")
    always(lambda: request.was_made(4), clause="a")


@scenario(
    "PRC-234", "a booking that ends and capacity that is revoked mean nothing",
    requirement=("provisioning-check#v0-6",), shows="DK-09", cases=cross(condition=("BookingExpired", "CapacityRevoked")), clauses={"a": "the check waits"}, **V06,
)  # fmt: skip
def test_unknown_conditions(provisioning, autoscaler, condition):
    queue = provisioning.queue()
    workload = provisioning.requested(queue)

    autoscaler.says(workload.request(queue.checks[0]), **{condition: True})

    always(lambda: workload.is_prechecked() and workload.has_states("Pending"), clause="a")


@scenario(
    "PRC-235", "the request of a Workload that has finished goes, and one that runs goes on without its request",
    requirement=("provisioning-check#clean-up", "provisioning-check#running", "provisioning-check#v0-6"), shows="TB-208 TB-214 TB-222 DK-12",
    clauses={"a": "it runs on without", "b": "no request is left"}, **V06,
)  # fmt: skip
def test_end(provisioning, autoscaler):
    queue = provisioning.queue()
    one, other = provisioning.requested(queue), provisioning.requested(queue)
    for workload in (one, other):
        autoscaler.provides(workload.request(queue.checks[0]))
        within("admit", workload.is_admitted)

    one.request(queue.checks[0]).delete()
    always(lambda: one.is_admitted() and one.has_no_request(), clause="a")
    other.finish()

    within("cleanup", other.has_no_request, clause="b")


@scenario(
    "PRC-236", "a template that is deleted is made again",
    requirement=("provisioning-check#templates", "provisioning-check#v0-6"), shows="TB-206 DK-13", clauses={"a": "it is there again"}, **V06,
)  # fmt: skip
def test_template_is_made_again(provisioning):
    queue = provisioning.queue()
    workload = provisioning.requested(queue)
    request = workload.request(queue.checks[0])
    within("react", request.has_its_templates)

    request.template().delete()
    workload.touch()

    within("react", request.has_its_templates, clause="a")
