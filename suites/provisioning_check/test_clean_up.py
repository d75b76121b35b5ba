"""PRC: requests go with the need for them, and belong to their Workload (PA-031, PA-032, PA-058, PA-067,
PA-144, PC-01, PC-07).
"""

from kueue_conformance import always, cross, either, rows, scenario, within

FORMS = ("workload", "job")


def admit(provisioning, autoscaler, queue, form="workload"):
    """Return a Workload that was admitted with a request."""
    workload = provisioning.submit_until_requested(queue, form)
    autoscaler.provision(workload.request(queue.checks[0]))
    within("admit", workload.is_admitted)
    return workload


@scenario(
    "PRC-150",
    "the request of a finished Workload is deleted",
    requirement=("provisioning-check#clean-up", "aep#deleted-when-done"),
    shows="PA-032 TB-20 TB-108 SC-147 RG-K08",
    since="0.19",
    cases=cross(form=FORMS),
    clauses={"a": "no request is left"},
)
def test_finished(provisioning, autoscaler, form):
    queue = provisioning.make_queue()
    workload = admit(provisioning, autoscaler, queue, form)

    workload.finish()

    within("cleanup", lambda: workload.is_finished() and workload.has_no_request(), clause="a")


@scenario(
    "PRC-151",
    "the request of an evicted Workload is deleted, and a new one is created with new quota",
    requirement="provisioning-check#clean-up",
    shows="PA-032 PA-114 PA-118 TB-21 TB-103 SC-143 RG-K08 RG-K09",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=rows("example", ("cluster-queue",), ("local-queue",)),
    clauses={
        "a": "it is deleted",
        "b": "the check is undecided",
        "c": "another one is created",
        "d": "it can be provided",
    },
)
def test_evicted(provisioning, autoscaler, example):
    queue = provisioning.make_queue()
    workload = admit(provisioning, autoscaler, queue)
    request = workload.request(queue.checks[0])

    queue.set_stop_policy(example, "HoldAndDrain")
    within("evict", lambda: workload.is_suspended() and workload.has_no_request(), clause="a")
    within("evict", lambda: workload.has_states("Pending"), clause="b")
    queue.resume_queue(example)

    within("requeue", request.exists, clause="c")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "PRC-152",
    "the request of a Workload that its user deactivates is deleted",
    requirement="provisioning-check#clean-up",
    shows="PA-032 PA-118",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=rows("stage form", ("requested", "workload"), ("admitted", "job")),
    clauses={"a": "no request is left or made"},
)
def test_deactivated(provisioning, autoscaler, stage, form):
    queue = provisioning.make_queue()
    workload = (
        admit(provisioning, autoscaler, queue, form)
        if stage == "admitted"
        else provisioning.submit_until_requested(queue, form)
    )

    workload.deactivate()

    within("evict", workload.has_no_request, clause="a")
    always(workload.has_no_request, clause="a")


@scenario(
    "PRC-153",
    "a request is kept while its Workload has lost its quota without an eviction",
    requirement="provisioning-check#reservation-lost",
    shows="PA-031 PC-01 TB-102 SC-142 DK-11",
    level="should",
    since="0.9",
    cases=rows(
        "example policy",
        ("cluster-queue", "Hold"),
        ("cluster-queue", "HoldAndDrain"),
        ("local-queue", "Hold"),
    ),
    clauses={
        "a": "the quota is lost",
        "b": "the request stays, and is used again",
        "c": "capacity that is provided meanwhile counts then",
    },
)
def test_reservation_is_lost(provisioning, autoscaler, example, policy):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    uid = request.uid

    queue.set_stop_policy(example, policy)
    within("evict", workload.is_suspended, clause="a")
    always(lambda: request.has_uid(uid), clause="b")
    autoscaler.provision(request)
    queue.resume_queue(example)

    within("requeue", workload.is_admitted, clause="c")
    always(lambda: request.has_uid(uid), clause="b")


@scenario(
    "PRC-154",
    "capacity that is provided while a Workload has no quota does not make its check Ready",
    requirement=("provisioning-check#reservation-lost", "provisioning-check#after-reservation"),
    shows="PA-031 PC-01 PA-170",
    since="0.19",
    clauses={"a": "it is not Ready or admitted without quota"},
)
def test_provided_without_quota(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    queue.hold()
    within("evict", workload.is_suspended)

    autoscaler.provision(workload.request(queue.checks[0]))

    always(lambda: workload.is_suspended() and workload.has_states("Pending"), clause="a")


@scenario(
    "PRC-155",
    "a request is owned by its Workload, and is deleted with it",
    requirement="provisioning-check#ownership",
    shows="PA-058 PA-144 PA-171",
    since="0.19",
    cases=cross(form=FORMS),
    clauses={"a": "its controller is the Workload that there is"},
)
def test_owner(provisioning, form):
    queue = provisioning.make_queue()

    workload = provisioning.submit_until_requested(queue, form)

    within("react", workload.request(queue.checks[0]).is_owned_by_its_workload, clause="a")


@scenario(
    "PRC-156",
    "a request that another client created for the Workload is deleted, or left beside the one that counts",
    requirement="provisioning-check#quirks",
    shows="PC-06 PA-036 TB-17 TB-51 TB-52",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "the Workload's own request stays"},
)
def test_superfluous_requests(provisioning, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    uid = workload.request(queue.checks[0]).uid

    provisioning.make_foreign_request(
        "superfluous", owner=workload.name, uid=workload.object["metadata"]["uid"], kind="Workload"
    )
    workload.touch()

    clock.advance_budget("react")
    either(
        "react",
        {"deleted": lambda: workload.has_requests(1), "left": lambda: workload.has_requests(2)},
        clause="a",
    )
    always(lambda: workload.request(queue.checks[0]).has_uid(uid), clause="b")


@scenario(
    "PRC-157",
    "a Workload that is recreated has a request of its own, adopts the old one, or waits until that is collected",
    requirement="provisioning-check#quirks",
    shows="PC-07 PA-142",
    level="may",
    since="0.19",
    needs=("virtual time",),
    clauses={"a": "either of them", "b": "it is admitted in the end"},
)
def test_made_again(provisioning, autoscaler):
    queue = provisioning.make_queue()
    old = provisioning.submit_until_requested(queue, name="again")
    old_request = old.request(queue.checks[0]).uid
    autoscaler.provision(old.request(queue.checks[0]))
    within("admit", old.is_admitted)
    old.delete()
    within("cleanup", old.is_gone)

    new = queue.submit(name="again")

    check, request = queue.checks[0], new.request(queue.checks[0])
    behaviour = either(
        "react",
        {
            "one of its own": lambda: request.has_other_uid(old_request),
            "the old one": lambda: request.has_uid(old_request) and new.is_admitted(),
            "it waits": lambda: new.has_entry_message_containing(check, "already exists"),
        },
        clause="a",
    )
    if behaviour == "it waits":
        request.delete()
        within("recover", lambda: request.has_other_uid(old_request), clause="a")
    if behaviour != "the old one":
        autoscaler.provision(request)
    within("recover", new.is_admitted, clause="b")


@scenario(
    "PRC-158",
    "no other request is created beside one whose deletion a finalizer holds up",
    requirement=("provisioning-check#clean-up", "provisioning-check#odd-input"),
    shows="PA-036 PD-09",
    since="0.19",
    clauses={
        "a": "one request as long as the finalizer holds it",
        "b": "another one when it is removed",
        "c": "it can be provisioned",
    },
)
def test_request_is_held(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    request.add_foreign_finalizer()

    request.delete()
    workload.touch()
    always(lambda: request.is_the_only_one() and request.was_created(1), clause="a")
    request.remove_foreign_finalizer()

    within("react", lambda: request.has_other_uid(first), clause="b")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="c")
