"""PRC: what v0.19 does against its documents, beside what these say: loops, leftovers, times and texts
(PA-051, PA-124, PA-133, PC-02, PC-06, PC-08, PC-13, PC-18, PC-19).
"""

from kueue_conformance import always, either, rows, scenario, within

PREFIX = "provreq.kueue.x-k8s.io/"
LONGEST_PLAIN, LONGEST_VALUE, LONGEST_MESSAGE = 247, 255, 32768
MENDED = {"it is deleted": "<0.19.5, 0.20.0"}
"""Long names are cut before their number since (KV-41)."""


def keeps_what_was_made(queue, workload, controller_faults, clock, **until):
    """Tell whether the controller tries to delete the request that it has made; deletions fail, so that it
    comes to rest.
    """
    check = queue.checks[0]
    within("react", workload.request(check).exists)
    clock.advance_budget("react")
    return either(
        "react",
        {"it is deleted": controller_faults.have_struck, "it stays": workload.request(check).is_the_only_one},
        clause="a",
        **until,
    )


@scenario(
    "PRC-210",
    "a request whose name had to be cut is deleted and created again without end, or stays",
    requirement="provisioning-check#quirks",
    shows="PA-051 PA-047 PA-053d RG-K01 PD-03 DK-50 KV-41",
    level="may",
    since="0.19",
    needs=("faults of Kueue",),
    cases=rows("length", (LONGEST_PLAIN + 1,), (LONGEST_PLAIN + 6,)),
    clauses={"a": "either of them", "b": "one that stays can be provided"},
)
def test_name_is_cut(provisioning, autoscaler, controller_faults, clock, length):
    queue = provisioning.make_queue()
    controller_faults.refuse_deletions("ProvisioningRequest", 500)

    workload = queue.submit(name="w" * (length - len(f"-{queue.checks[0].name}-1")))

    if keeps_what_was_made(queue, workload, controller_faults, clock, until=MENDED) == "it stays":
        autoscaler.provision(workload.request(queue.checks[0]))
        within("admit", workload.is_admitted, clause="b")
    workload.delete()


@scenario(
    "PRC-211",
    "a request in which an annotation overrides a parameter is deleted and created again without end, or stays",
    requirement="provisioning-check#quirks",
    shows="PA-133 RG-K04 PD-03",
    level="may",
    since="0.19",
    needs=("faults of Kueue",),
    clauses={"a": "either of them", "b": "one that stays can be provided"},
)
def test_parameter_is_overridden(provisioning, autoscaler, controller_faults, clock):
    queue = provisioning.make_queue(parameters={"zone": "a"})
    controller_faults.refuse_deletions("ProvisioningRequest", 500)

    workload = queue.submit(annotations={f"{PREFIX}zone": "b"})

    if keeps_what_was_made(queue, workload, controller_faults, clock) == "it stays":
        autoscaler.provision(workload.request(queue.checks[0]))
        within("admit", workload.is_admitted, clause="b")
    workload.delete()


@scenario(
    "PRC-212",
    "the template of a deleted request is used by the next one as it is, or recreated",
    requirement="provisioning-check#quirks",
    shows="PC-08 PA-068 RG-K36 KV-43",
    level="may",
    since="0.19",
    gates=("EnforceProvisioningPodTemplateContents",),
    clauses={
        "a": "either of them",
        "b": "it belongs to the request that there is",
        "c": "which can be provided",
    },
)
def test_template_of_a_request_that_is_gone(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    request.template().add_label()

    request.delete()

    within("react", lambda: request.has_other_uid(first))
    either(
        "react",
        {
            "as it is": lambda: request.template().has_added_label(),
            "anew": lambda: request.template().exists() and request.template().has_added_label().negate(),
        },
        until={"as it is": "<0.20.0"},
        clause="a",
    )
    within("react", lambda: request.template().is_owned_by("ProvisioningRequest", request.uid), clause="b")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-213",
    "a template of the right name that another object controls is used, or reported until it is gone",
    requirement="provisioning-check#quirks",
    shows="PC-08 PA-067 PA-122",
    level="may",
    since="0.19",
    clauses={
        "a": "either of them",
        "b": "a request exists when the template is deleted, at the latest",
        "c": "it can be provided",
    },
)
def test_template_of_something_else(provisioning, autoscaler):
    queue = provisioning.make_queue(cpu="0")
    check, workload = queue.checks[0], queue.submit(cpu="1")
    foreign = provisioning.make_controlled_template(f"ppt-{workload.name}-{check.name}-1-main", queue)

    queue.set_quota("1")

    request = workload.request(check)
    behaviour = either(
        "react",
        {
            "used": request.exists,
            "reported": lambda: workload.has_entry_message_containing(check, foreign.name),
        },
        clause="a",
    )
    if behaviour == "reported":
        foreign.delete()
    within("recover", request.exists, clause="b")
    within("recover", lambda: workload.has_entry_message(check, ""), clause="b")
    autoscaler.provision(request)
    within("recover", workload.is_admitted, clause="c")


@scenario(
    "PRC-214",
    "a repeated refusal gives the entry another lastTransitionTime, or leaves it",
    requirement="provisioning-check#quirks",
    shows="PA-124",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "it is reported as long as it lasts, and the check is Pending"},
)
def test_time_of_a_refusal(provisioning, clock):
    queue = provisioning.make_queue()
    check = queue.checks[0]
    workload = queue.submit(annotations={f"{PREFIX}text": "v" * (LONGEST_VALUE + 1)})
    within("react", lambda: workload.has_entry_message_containing(check, "spec.parameters"))
    entry = workload.entry_of(check)

    clock.advance(clock.hold)

    either(
        "recover",
        {
            "another time": lambda: workload.has_entry(check, entry).negate(),
            "the same": lambda: workload.has_entry(check, entry),
        },
        clause="a",
    )
    always(
        lambda: (
            workload.has_entry_message_containing(check, "spec.parameters") and workload.has_states("Pending")
        ),
        clause="b",
    )


@scenario(
    "PRC-215",
    "when a check is added again for a running Workload, capacity is requested once more, or not",
    requirement="provisioning-check#quirks",
    shows="PC-13 PA-137",
    level="may",
    since="0.19",
    cases=rows("example", ("the check",), ("the configuration",)),
    clauses={"a": "either of them", "b": "it runs on"},
)
def test_check_comes_back(provisioning, autoscaler, clock, example):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    autoscaler.provision(request)
    within("admit", workload.is_admitted)
    {"the check": queue.set_checks, "the configuration": check.delete_config}[example]()
    clock.advance_budget("react")

    {"the check": lambda: queue.set_checks(check), "the configuration": check.create_config}[example]()
    clock.advance_budget("react")

    either(
        "react",
        {"asked for": lambda: request.has_other_uid(first), "not": lambda: request.was_created(1)},
        clause="a",
    )
    always(lambda: workload.is_admitted() and workload.was_ever("Evicted").negate(), clause="b")


@scenario(
    "PRC-216",
    "a request of a later attempt that another client created replaces the Workload's own, or is left alone",
    requirement="provisioning-check#quirks",
    shows="PC-06 PA-007 PA-036",
    level="may",
    since="0.19",
    clauses={
        "a": "either of them",
        "b": "when it is deleted the Workload has one of its own, which can be provisioned",
    },
)
def test_later_attempt_of_another(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(class_name="any")
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request, name = workload.request(check), f"{workload.name}-{check.name}-7"
    uid = workload.object["metadata"]["uid"]

    foreign = provisioning.make_foreign_request(
        name, owner=workload.name, uid=uid, kind="Workload", class_name="any"
    )
    workload.touch()
    clock.advance_budget("react")

    either(
        "react",
        {
            "in its place": lambda: request.has_name(name) and workload.has_requests(1),
            "left": lambda: workload.has_requests(2),
        },
        clause="a",
    )
    foreign.delete()
    clock.tick()
    workload.touch()
    within("react", lambda: request.is_attempt(1), clause="b")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-217",
    "two requests that are created at once emit one event, or one each",
    requirement="provisioning-check#quirks",
    shows="PC-19 PA-120",
    level="may",
    since="0.19",
    clauses={"a": "at least one of them has an event", "b": "both are there"},
)
def test_events_are_folded(kueue_cluster, provisioning):
    checks = [provisioning.make_active_check(), provisioning.make_active_check()]
    workload = kueue_cluster.make_queue(checks).submit()
    within("react", lambda: workload.has_requests(2), clause="b")
    first, other = (workload.request(check).name for check in checks)

    def has_creation_event(name):
        return kueue_cluster.has_event("ProvisioningRequestCreated", workload, note=f'"{name}"')

    either(
        "react",
        {
            "both": lambda: has_creation_event(first) and has_creation_event(other),
            "the first": lambda: has_creation_event(first) and has_creation_event(other).negate(),
            "the second": lambda: has_creation_event(other) and has_creation_event(first).negate(),
        },
        clause="a",
    )


@scenario(
    "PRC-218",
    "a percent sign in the autoscaler's message is garbled in the event of the Job, or reported as it is",
    requirement="provisioning-check#quirks",
    shows="PC-18 PA-119 AC-383",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "the check has the message as it is"},
)
def test_percent_in_an_event(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue, "job")

    autoscaler.report_shortage(workload.request(check), "done: 100%")

    either(
        "react",
        {
            behaviour: lambda message=text: kueue_cluster.has_event_with_text(
                "UpdatedAdmissionCheck", workload, f"{check.name}: {message}"
            )
            for behaviour, text in (("garbled", "done: 100%!(NOVERB)"), ("as it is", "done: 100%"))
        },
        clause="a",
    )
    within("react", lambda: workload.has_entry_message(check, "done: 100%"), clause="b")


@scenario(
    "PRC-219",
    "HoldAndDrain releases the quota of a Workload in back-off when the back-off is over, or at once",
    requirement="provisioning-check#quirks",
    shows="PC-02 PA-118 PA-108",
    level="may",
    since="0.19",
    clauses={
        "a": "either of them",
        "b": "without quota in the end",
        "c": "requested again when the queue is resumed",
    },
)
def test_drained_during_the_wait(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    autoscaler.reject(request)
    within("react", lambda: workload.had_verdict(check, "Retry"))

    queue.hold_and_drain()
    clock.advance_budget("react")

    either("react", {"later": workload.has_quota_reserved, "at once": workload.is_suspended}, clause="a")
    clock.advance(clock.hold)
    within("evict", workload.is_suspended, clause="b")
    queue.resume()
    within("requeue", lambda: request.has_other_uid(first), clause="c")


@scenario(
    "PRC-220",
    "a Workload that its user deactivates during a back-off stops at once, and the failure counts",
    requirement=("provisioning-check#clean-up", "provisioning-check#retries"),
    shows="PC-02 PA-099",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    clauses={
        "a": "stopped during the wait",
        "b": "no request is left",
        "c": "started again it has another request, and one retry behind it",
    },
)
def test_stopped_during_the_wait(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    autoscaler.reject(request)
    within("react", lambda: workload.had_verdict(check, "Retry"))

    workload.deactivate()
    within("evict", workload.is_suspended, clause="a")
    within("evict", workload.has_no_request, clause="b")
    workload.reactivate()

    within("requeue", lambda: request.has_other_uid(first) and workload.has_retried(check, 1), clause="c")


@scenario(
    "PRC-221",
    "the longest message of a failure is too long with its prefix and holds the verdict back, or is truncated",
    requirement=("provisioning-check#quirks", "provisioning-check#odd-input"),
    shows="PA-158 PA-170",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "with a shorter message it is tried again, at the latest"},
)
def test_longest_failure(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)

    autoscaler.reject(workload.request(check), "m" * LONGEST_MESSAGE)
    clock.advance_budget("react")

    either(
        "react",
        {
            "cut": lambda: workload.had_verdict(check, "Retry"),
            "held back": lambda: workload.has_states("Pending"),
        },
        clause="a",
    )
    autoscaler.reject_if_exists(workload.request(check))
    within("recover", lambda: workload.had_verdict(check, "Retry"), clause="b")


@scenario(
    "PRC-222",
    "a state that is not written because the other check has no request yet has its event, or is written with it",
    requirement="provisioning-check#quirks",
    shows="PA-072 RG-K44 PD-08",
    level="may",
    since="0.19",
    clauses={"a": "the event", "b": "and the answer, or not"},
)
def test_event_without_an_answer(kueue_cluster, provisioning, autoscaler, clock):
    full = {f"p{at}": "" for at in range(100)}
    good, bad = provisioning.make_active_check(), provisioning.make_active_check(parameters=full)
    workload = kueue_cluster.make_queue([good, bad]).submit(annotations={f"{PREFIX}one-more": "1"})
    within("react", workload.request(good).exists)

    autoscaler.provision(workload.request(good))
    clock.advance_budget("react")

    message = f"Admission check {good.name} updated state from Pending to Ready"
    within(
        "recover",
        lambda: kueue_cluster.has_event("AdmissionCheckUpdated", workload, note=message),
        clause="a",
    )
    either(
        "react",
        {
            "only the event": lambda: workload.has_states("Pending", good, bad),
            "written": lambda: workload.has_states("Ready", good),
        },
        clause="b",
    )
