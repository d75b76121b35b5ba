"""PRC: bookings that expire and capacity that is revoked,
before and after admission (PA-076…PA-078, SC-146, SC-148).
"""

from kueue_conformance import always, cross, rows, scenario, within


@scenario(
    "PRC-120",
    "a booking that expires before admission is a failed attempt",
    requirement="provisioning-check#booking",
    shows="PA-077 TB-37 TB-115 SC-152",
    since="0.19",
    clauses={"a": "Ready as long as it lasts", "b": "another request then", "c": "it is admitted with that"},
)
def test_booking_ends(kueue_cluster, provisioning, autoscaler, clock):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    autoscaler.book_until(request, clock.current_time() + clock.hold)
    within("react", lambda: workload.has_states("Ready", check), clause="a")

    clock.advance(clock.hold + 1)

    within("requeue", lambda: request.has_other_uid(first), clause="b")
    autoscaler.provision(request)
    other.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-121",
    "a booking that expires after admission changes nothing",
    requirement=("provisioning-check#booking", "provisioning-check#running"),
    shows="PA-078 TB-36 TB-109 SC-148",
    since="0.19",
    cases=cross(form=("job",)),
    clauses={"a": "it stays admitted and Ready", "b": "and the request stays"},
)
def test_booking_ends_while_running(provisioning, autoscaler, form):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue, form)
    request = workload.request(queue.checks[0])
    autoscaler.provision(request)
    within("admit", workload.is_admitted)
    uid = request.uid

    autoscaler.expire_booking(request, "the booking is over")

    always(lambda: workload.is_admitted() and workload.has_states("Ready"), clause="a")
    always(lambda: request.has_uid(uid), clause="b")


@scenario(
    "PRC-122",
    "a booking that expires before admission when no retry remains rejects the Workload",
    requirement=("provisioning-check#booking", "provisioning-check#retry-limit"),
    shows="PA-077 TB-38",
    since="0.19",
    cases=cross(provided=(False, True)),
    clauses={"a": "it is rejected"},
)
def test_booking_ends_at_the_limit(kueue_cluster, provisioning, autoscaler, provided):
    queue = provisioning.make_queue(kueue_cluster.make_check(), limit=0)
    workload = provisioning.submit_until_requested(queue)

    autoscaler.set_conditions(workload.request(queue.checks[0]), Provisioned=provided, BookingExpired=True)

    within("evict", workload.is_rejected, clause="a")


@scenario(
    "PRC-123",
    "a Workload whose capacity is revoked is rejected, whether it runs or not",
    requirement=("provisioning-check#revoked", "docs-2024#rejected-deactivates"),
    shows="PA-076 TB-33 TB-34 TB-106 TB-107 SC-146",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    cases=rows(
        "stage form",
        ("requested", "workload"),
        ("ready", "workload"),
        ("admitted", "workload"),
        ("admitted", "job"),
    ),
    clauses={"a": "it is rejected", "b": "its request is deleted", "c": "it holds no quota"},
)
def test_revoked(kueue_cluster, provisioning, autoscaler, stage, form):
    queue = provisioning.make_queue(*[kueue_cluster.make_check()] * (stage == "ready"))
    workload = provisioning.submit_until_requested(queue, form)
    request = workload.request(queue.checks[0])
    if stage != "requested":
        autoscaler.provision(request)
        within(
            "admit",
            workload.is_admitted
            if stage == "admitted"
            else lambda: workload.has_states("Ready", queue.checks[0]),
        )

    autoscaler.revoke_capacity(request, "the nodes are gone")

    within("evict", workload.is_rejected, clause="a")
    within("evict", workload.has_no_request, clause="b")
    within("evict", workload.is_suspended, clause="c")


@scenario(
    "PRC-124",
    "revoked capacity is reported by an event and by the autoscaler's message",
    requirement=("provisioning-check#revoked", "docs-2024#rejected-event"),
    shows="PA-110 TB-106 SC-146",
    since="0.9",
    clauses={"a": "a Warning about the Workload", "b": "with the autoscaler's words"},
)
def test_event_of_a_revocation(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    autoscaler.provision(request)
    within("admit", workload.is_admitted)

    autoscaler.revoke_capacity(request, "the nodes are gone")

    within(
        "evict",
        lambda: kueue_cluster.has_event("AdmissionCheckRejected", workload, type="Warning"),
        clause="a",
    )
    within(
        "evict",
        lambda: kueue_cluster.has_event("AdmissionCheckRejected", workload, note="the nodes are gone"),
        clause="b",
    )


@scenario(
    "PRC-125",
    "capacity that is revoked after its Workload has finished changes nothing",
    requirement=("provisioning-check#revoked", "provisioning-check#clean-up"),
    shows="PA-076 TB-35",
    since="0.19",
    clauses={"a": "its check stays as it was", "b": "it stays active"},
)
def test_revoked_after_the_end(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    autoscaler.provision(request)
    within("admit", workload.is_admitted)
    request.add_foreign_finalizer()
    workload.finish()
    within("settle", workload.is_finished)

    autoscaler.revoke_capacity(request, "too late")

    always(lambda: workload.has_states("Ready"), clause="a")
    always(lambda: workload.is_inactive().negate(), clause="b")
