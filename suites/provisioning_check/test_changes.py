"""PRC: configurations, checks and requests that other clients
change on the way (PA-130…PA-143, PC-12…PC-14, PD-16).
"""

from kueue_conformance import always, cross, either, rows, scenario, within

OTHER = "example.com/gpu"
INACTIVE = "the check is not active"


def running(provisioning, autoscaler, queue, form="workload"):
    """Return a Workload of the queue that was admitted with a request."""
    workload = provisioning.submit_until_requested(queue, form)
    autoscaler.provision(workload.request(queue.checks[0]))
    within("admit", workload.is_admitted)
    return workload


CHANGES = {
    "the class": {"provisioningClassName": "another"},
    "a value": {"parameters": {"own": "2"}},
    "one more parameter": {"parameters": {"more": "1"}},
}


@scenario(
    "PRC-130",
    "a request that no longer matches its configuration is replaced",
    requirement="provisioning-check#config-changes",
    shows="PA-037 PA-130 TB-19 TB-110 SC-149",
    since="0.19",
    cases=cross(change=tuple(CHANGES)),
    clauses={"a": "another one, and it alone", "b": "it is as configured", "c": "it counts as no retry"},
)
def test_configuration_changes(provisioning, change):
    queue = provisioning.make_queue(parameters={"own": "1"}, class_name="first")
    workload = provisioning.submit_until_requested(queue)
    request, changed = workload.request(queue.checks[0]), CHANGES[change]
    first = request.uid

    queue.checks[0].change_config(**changed)

    within("react", lambda: request.has_other_uid(first) and workload.has_requests(1), clause="a")
    within("react", lambda: request.has_class(changed.get("provisioningClassName", "first")), clause="b")
    within("react", lambda: request.has_parameters({"own": "1", **changed.get("parameters", {})}), clause="b")
    always(lambda: workload.has_retried(queue.checks[0], 0) and workload.is_prechecked(), clause="c")


@scenario(
    "PRC-131",
    "a request stays when the configuration changes in a field that is not in the request",
    requirement="provisioning-check#config-changes",
    shows="PA-135 PA-132",
    since="0.19",
    cases=rows("example", ("retries",), ("merging",), ("updates",)),
    clauses={"a": "it is the same"},
)
def test_changes_that_do_not_count(provisioning, example):
    queue = provisioning.make_queue()
    request = provisioning.submit_until_requested(queue).request(queue.checks[0])
    uid = request.uid
    changed = {
        "retries": {"retryStrategy": {"backoffLimitCount": 7}},
        "merging": {"podSetMergePolicy": "IdenticalPodTemplates"},
        "updates": {
            "podSetUpdates": {
                "nodeSelector": [{"key": "example.com/zone", "valueFromProvisioningClassDetail": "zone"}]
            }
        },
    }[example]

    queue.checks[0].change_config(**changed)

    always(lambda: request.has_uid(uid) and request.was_created(1), clause="a")


@scenario(
    "PRC-132",
    "a running Workload continues, however its configuration changes",
    requirement="provisioning-check#running",
    shows="PA-131 PA-136 RG-K31 RG-K32 PD-16",
    since="0.19",
    cases=cross(example=("another class", "no managed resource", "deleted")),
    clauses={"a": "it stays admitted"},
)
def test_running_while_the_configuration_changes(provisioning, autoscaler, example):
    queue = provisioning.make_queue()
    workload, check = running(provisioning, autoscaler, queue, "job"), queue.checks[0]

    {
        "another class": lambda: check.change_config(provisioningClassName="another"),
        "no managed resource": lambda: check.change_config(managedResources=[OTHER]),
        "deleted": check.delete_config,
    }[example]()

    always(lambda: workload.is_admitted() and workload.was_ever("Evicted").negate(), clause="a")


@scenario(
    "PRC-133",
    "the request of a running Workload is deleted when the class changes, or stays",
    requirement="provisioning-check#quirks",
    shows="PA-131 RG-K31",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "no other is created"},
)
def test_request_of_a_running_workload(provisioning, autoscaler, clock):
    queue = provisioning.make_queue()
    workload = running(provisioning, autoscaler, queue)
    request = workload.request(queue.checks[0])

    queue.checks[0].change_config(provisioningClassName="another")
    clock.advance_budget("react")

    either("react", {"it is gone": request.is_missing, "it stays": request.exists}, clause="a")
    always(lambda: request.was_created(1), clause="b")


@scenario(
    "PRC-134",
    "a Workload that needs no request any more, since the managed resources changed, is admitted",
    requirement=("provisioning-check#config-changes", "provisioning-check#need"),
    shows="PA-134 PD-16 TB-110",
    since="0.19",
    clauses={"a": "it is admitted", "b": "without a request"},
)
def test_not_needed_any_more(provisioning):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    queue.checks[0].change_config(managedResources=[OTHER])

    within("admit", workload.is_admitted, clause="a")
    within("react", workload.has_no_request, clause="b")


@scenario(
    "PRC-135",
    "a check without its configuration stays Pending and creates no request",
    requirement=("provisioning-check#config-changes", "provisioning-check#active"),
    shows="PA-070 PA-136 PA-137 TB-13 SC-149",
    since="0.19",
    cases=cross(provided=(False, True)),
    clauses={
        "a": "the check is undecided",
        "b": "there is no request",
        "c": "there is one when the configuration is back",
        "d": "it can be provided",
    },
)
def test_configuration_goes_and_comes(kueue_cluster, provisioning, autoscaler, provided):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    if provided:
        autoscaler.provision(request)
        within("react", lambda: workload.has_states("Ready", check))

    check.delete_config()
    within("react", lambda: workload.has_states("Pending", check), clause="a")
    within("react", workload.has_no_request, clause="b")
    check.create_config()

    within("react", request.exists, clause="c")
    autoscaler.provision(request)
    other.answer(workload, "Ready")
    within("admit", workload.is_admitted, clause="d")


@scenario(
    "PRC-136",
    "a check without its configuration is reported with the recorded texts",
    requirement="provisioning-check#messages",
    shows="PA-070 TB-13",
    level="may",
    since="0.19",
    clauses={"a": "the message of the check"},
)
def test_words_without_a_configuration(provisioning):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    queue.checks[0].delete_config()

    within("react", lambda: workload.has_entry_message(queue.checks[0], INACTIVE), clause="a")


@scenario(
    "PRC-137",
    "a check whose reference changes creates requests as its new configuration says",
    requirement="provisioning-check#config-changes",
    shows="PA-139 PA-130",
    since="0.19",
    clauses={"a": "another request of that class", "b": "it can be provided"},
)
def test_another_configuration(provisioning, autoscaler):
    queue = provisioning.make_queue(class_name="first")
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])

    queue.checks[0].set_config(provisioning.make_config(class_name="second"))

    within("react", lambda: request.has_class("second") and workload.has_requests(1), clause="a")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-138",
    "a reference that is wrong for a while loses nothing: the request is created when it is right again",
    requirement=("provisioning-check#config-changes", "provisioning-check#odd-input"),
    shows="PA-034 PC-14 RG-K42",
    since="0.19",
    clauses={"a": "it waits meanwhile", "b": "a request exists then", "c": "provided, it is admitted"},
)
def test_wrong_reference_for_a_while(provisioning, autoscaler):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    config = check.config
    check.set_parameters(provisioning.reference(config, kind="Secret"))
    within("react", check.shows_why_inactive)
    always(workload.is_prechecked, clause="a")

    check.set_config(config)

    within("recover", lambda: check.is_active() and workload.request(check).exists(), clause="b")
    autoscaler.provision(workload.request(check))
    within("recover", workload.is_admitted, clause="c")


@scenario(
    "PRC-139",
    "a request that is deleted before it is provisioned is created again",
    requirement="provisioning-check#outside",
    shows="PA-140 RG-K22 TB-102",
    since="0.19",
    cases=cross(stage=("requested", "accepted")),
    clauses={"a": "another one is created", "b": "it counts as no retry", "c": "it can be provided"},
)
def test_request_is_deleted(provisioning, autoscaler, stage):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid
    if stage == "accepted":
        autoscaler.accept(request)

    request.delete()

    within("react", lambda: request.has_other_uid(first), clause="a")
    always(lambda: workload.has_retried(queue.checks[0], 0) and workload.was_reserved(1), clause="b")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-140",
    "a running Workload continues without its request",
    requirement=("provisioning-check#running", "provisioning-check#outside", "aep#deleted-when-done"),
    shows="PA-084c PA-140 TB-31 TB-111 SC-150 RG-K21",
    since="0.19",
    cases=cross(form=("workload", "job")),
    clauses={"a": "it stays admitted and Ready", "b": "no other is created"},
)
def test_request_of_a_running_workload_is_deleted(provisioning, autoscaler, form):
    queue = provisioning.make_queue()
    workload = running(provisioning, autoscaler, queue, form)

    workload.request(queue.checks[0]).delete()

    always(lambda: workload.is_admitted() and workload.has_states("Ready"), clause="a")
    always(lambda: workload.has_no_request() and workload.request(queue.checks[0]).was_created(1), clause="b")


@scenario(
    "PRC-141",
    "a request that is deleted during its back-off is created again and the retry is lost, or the retry stands",
    requirement="provisioning-check#quirks",
    shows="PA-056 PC-03",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "it can be admitted in the end"},
)
def test_request_is_deleted_during_the_wait(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    autoscaler.reject(request)
    within("react", lambda: workload.had_verdict(check, "Retry"))

    if request.exists():
        request.delete()
    clock.advance_budget("react")

    either(
        "react",
        {
            "the retry is lost": lambda: request.has_other_uid(first) and workload.has_states("Pending"),
            "it stands": lambda: workload.has_states("Retry") or workload.was_evicted_by_a_check(),
        },
        clause="a",
    )
    clock.advance(clock.hold)
    within("requeue", lambda: request.has_other_uid(first), clause="b")
    autoscaler.provision(request)
    within("requeue", workload.is_admitted, clause="b")


@scenario(
    "PRC-142",
    "fields that other clients add to a request stay",
    requirement="provisioning-check#outside",
    shows="PA-037 PD-09",
    since="0.19",
    clauses={"a": "the request and the note stay", "b": "it can be provided"},
)
def test_notes_of_others(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    uid = request.uid

    request.add_foreign_fields()
    workload.touch()

    always(lambda: request.has_uid(uid) and request.has_foreign_fields(), clause="a")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-143",
    "a check that is removed from the ClusterQueue holds no Workload back, and its request is deleted",
    requirement=("provisioning-check#outside", "provisioning-check#clean-up"),
    shows="PC-13 PA-138 TB-17",
    since="0.19",
    clauses={"a": "it is admitted", "b": "the request is deleted"},
)
def test_check_is_taken_out(provisioning):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    queue.set_checks()

    within("admit", workload.is_admitted, clause="a")
    within("react", workload.has_no_request, clause="b")


@scenario(
    "PRC-144",
    "a deleted check stays as long as a ClusterQueue needs it, and works on or leaves everything as it is",
    requirement="provisioning-check#outside",
    shows="PC-12 PA-138",
    level="should",
    since="0.19",
    clauses={
        "a": "its finalizer holds it",
        "b": "its request can be provisioned, or is ignored",
        "c": "its request stays",
    },
)
def test_check_is_deleted(provisioning, autoscaler, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    within("settle", queue.checks[0].has_finalizer, clause="a")

    queue.checks[0].delete()

    always(queue.checks[0].has_finalizer, clause="a")
    request = workload.request(queue.checks[0])
    uid = request.uid
    autoscaler.provision(request)
    clock.advance_budget("react")

    either(
        "admit",
        {
            "works on": workload.is_admitted,
            "leaves it": lambda: workload.is_prechecked() and workload.has_states("Pending"),
        },
        clause="b",
    )
    always(lambda: request.has_uid(uid), clause="c")


@scenario(
    "PRC-145",
    "a request that an object of another kind and the same name owns is deleted, or left alone",
    requirement="provisioning-check#quirks",
    shows="PA-142 PC-07 RG-K06",
    level="may",
    since="0.19",
    clauses={"a": "either of them", "b": "the Workload's own request exists"},
)
def test_request_of_another_kind(provisioning, clock):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    foreign = provisioning.make_foreign_request("somebodys-request", owner=workload.name)

    workload.touch()
    clock.advance_budget("react")

    either("react", {"deleted": foreign.is_gone, "left": lambda: foreign.is_gone().negate()}, clause="a")
    always(
        lambda: (
            workload.request(queue.checks[0]).was_created(1) and workload.request(queue.checks[0]).exists()
        ),
        clause="b",
    )
