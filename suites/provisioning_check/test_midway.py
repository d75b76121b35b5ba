"""PRC: configurations, requests and conditions that change at any moment, or come from other clients: no
state is lost (PA-037, PA-130…PA-142, PD-09, PD-10).
"""

from kueue_conformance import always, cross, either, rows, scenario, within

ZONE = "example.com/zone"
LONGEST_LABEL, LONGEST_DETAIL, DETAILS = 63, 32768, 64


def brought_to(stage, queue, workload, autoscaler):
    """Bring a Workload with a request to a stage of its check."""
    request = workload.request(queue.checks[0])
    {
        "accepted": lambda: autoscaler.accept(request),
        "short": lambda: autoscaler.report_shortage(request, "soon"),
        "provided": lambda: autoscaler.provision(request),
        "waiting": lambda: autoscaler.reject(request),
        "held": queue.hold,
    }[stage]()
    reached = {"provided": "Ready", "waiting": "Retry"}.get(stage, "Pending")
    within("react", lambda: workload.had_verdict(queue.checks[0], reached))


@scenario(
    "PRC-223",
    "a configuration that changes at any moment leaves at most one request, and the Workload is admitted in the end",
    requirement=("provisioning-check#odd-input", "provisioning-check#config-changes"),
    shows="PA-130 PA-131 PA-136 PA-137 PD-16",
    since="0.19",
    cases=cross(
        stage=("accepted", "short", "provided", "waiting", "held"),
        example=("another class", "gone for a while"),
    ),
    clauses={"a": "one request or none", "b": "it is admitted when its capacity is provided"},
)
def test_configuration_changes_midway(kueue_cluster, provisioning, autoscaler, clock, stage, example):
    other = kueue_cluster.make_check()
    queue = provisioning.make_queue(other, wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    brought_to(stage, queue, workload, autoscaler)

    if example == "another class":
        check.change_config(provisioningClassName="another")
    else:
        check.delete_config()
        clock.advance_budget("react")
        check.create_config(wait=clock.hold)
    clock.advance_budget("react")
    within("react", lambda: request.is_the_only_one() or request.is_missing(), clause="a")
    queue.resume()
    clock.advance(clock.hold)

    within("requeue", lambda: request.exists() or workload.has_states("Ready", check), clause="b")
    if request.exists():
        autoscaler.provision(request)
    other.answer(workload, "Ready")
    within("requeue", workload.is_admitted, clause="b")
    always(lambda: workload.had_verdict(check, "Rejected").negate(), clause="b")


@scenario(
    "PRC-224",
    "a foreign request with the name of the Workload's own is reported and left alone until it is gone",
    requirement=("provisioning-check#create-errors", "provisioning-check#odd-input"),
    shows="PA-123 PA-125 PD-03",
    level="may",
    since="0.19",
    cases=cross(owner=("none", "another Workload")),
    clauses={
        "a": "the check reports the other request",
        "b": "it stays as it is",
        "c": "its own request is created when the other is deleted",
        "d": "it can be provided",
    },
)
def test_name_is_taken(provisioning, autoscaler, owner):
    queue = provisioning.make_queue(cpu="0")
    check, workload = queue.checks[0], queue.submit(cpu="1")
    theirs = {"owner": ""} if owner == "none" else provisioning.owner_fields_of(queue.submit(cpu="7"))
    foreign = provisioning.make_foreign_request(f"{workload.name}-{check.name}-1", **theirs)

    queue.set_quota("1")

    within("react", lambda: workload.has_entry_message_containing(check, "already exists"), clause="a")
    always(lambda: foreign.is_gone().negate(), clause="b")
    foreign.delete()
    request = workload.request(check)
    within("recover", request.exists, clause="c")
    autoscaler.provision(request)
    within("recover", workload.is_admitted, clause="d")


@scenario(
    "PRC-225",
    "conditions may be in any order, beside unknown ones: a provisioned request is Ready",
    requirement=("provisioning-check#odd-input", "provisioning-check#states"),
    shows="PA-079 PA-084 PD-10",
    since="0.19",
    cases=rows(
        "story",
        ("Provisioned Accepted",),
        ("!Failed Provisioned !BookingExpired Accepted",),
        ("?Provisioned Rejoicing Provisioned",),
        ("!Provisioned Accepted ?Failed Provisioned !CapacityRevoked",),
        ("Provisioned !Accepted Rejoicing",),
    ),
    clauses={"a": "Ready in the end", "b": "and never Retry or Rejected"},
)
def test_order_of_conditions(kueue_cluster, provisioning, autoscaler, story):
    queue = provisioning.make_queue(kueue_cluster.make_check())
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request, words = workload.request(check), {"!": False, "?": "Unknown"}

    for word in story.split():
        autoscaler.set_conditions(request, "because", **{word.lstrip("!?"): words.get(word[0], True)})
        within("react", lambda: workload.had_verdict(check, "Retry", "Rejected").negate(), clause="b")

    within("react", lambda: workload.has_states("Ready", check), clause="a")
    always(lambda: workload.had_verdict(check, "Retry", "Rejected").negate(), clause="b")


@scenario(
    "PRC-226",
    "the details that the configuration names are found among the greatest number and length of details",
    requirement=("provisioning-check#class-details", "provisioning-check#odd-input"),
    shows="PA-087 PR-021 PC-11",
    since="0.19",
    cases=rows("value", ("",), ("n" * LONGEST_LABEL,)),
    clauses={"a": "it is admitted", "b": "with the label that is named"},
)
def test_most_details(provisioning, autoscaler, value):
    queue = provisioning.make_queue(node_labels={ZONE: "zone"})
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    details = {f"d{at}": "long" for at in range(DETAILS - 2)}

    autoscaler.provision(
        workload.request(check), details={**details, "longest": "v" * LONGEST_DETAIL, "zone": value}
    )

    within("admit", workload.is_admitted, clause="a")
    within("react", lambda: workload.has_node_selector(check, {ZONE: value}), clause="b")


@scenario(
    "PRC-227",
    "a request whose parameters another client removes is recreated with the configured ones",
    requirement=("provisioning-check#outside", "provisioning-check#odd-input"),
    shows="PA-141 PA-037 PR-024",
    since="0.19",
    clauses={"a": "another request, as configured", "b": "it can be provided"},
)
def test_parameters_are_taken_away(provisioning, autoscaler):
    queue = provisioning.make_queue(parameters={"own": "1"})
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first = request.uid

    request.change(spec={"parameters": None})

    within("react", lambda: request.has_other_uid(first) and request.has_parameters({"own": "1"}), clause="a")
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-228",
    "a flavor that contradicts the pods is reported before a template is created, and requested when it fits again",
    requirement=("provisioning-check#create-errors", "provisioning-check#odd-input"),
    shows="PC-09 PA-117 PA-122",
    since="0.19",
    clauses={
        "a": "the check reports that no template was created, and why",
        "b": "no verdict",
        "c": "a request in the end",
        "d": "without the text",
    },
)
def test_flavor_contradicts(kueue_cluster, provisioning):
    flavor = kueue_cluster.make_flavor()
    labels = kueue_cluster.node_selector(flavor)
    queue = provisioning.make_queue(queue={"flavors": [flavor]})
    check, workload = (
        queue.checks[0],
        provisioning.submit_until_requested(queue, template={"nodeSelector": labels}),
    )
    request = workload.request(check)
    kueue_cluster.change_flavor(flavor, nodeLabels={**labels, **dict.fromkeys(labels, "another")})

    request.template().delete()
    request.delete()

    within(
        "react", lambda: workload.has_entry_message_containing(check, "conflict for nodeSelector"), clause="a"
    )
    always(lambda: workload.has_states("Pending") and workload.is_prechecked(), clause="b")
    kueue_cluster.change_flavor(flavor, nodeLabels=labels)
    within("recover", request.exists, clause="c")
    within("recover", lambda: workload.has_entry_message(check, ""), clause="d")


@scenario(
    "PRC-229",
    "an AdmissionCheck without its finalizer takes its requests with it, and creates them again when it is recreated",
    requirement=("provisioning-check#outside", "provisioning-check#odd-input"),
    shows="PC-12 PA-138",
    since="0.19",
    clauses={
        "a": "no request is left",
        "b": "it is not admitted",
        "c": "another one is created with the check",
        "d": "it can be provided",
    },
)
def test_check_is_lost(provisioning, autoscaler):
    queue = provisioning.make_queue()
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    within("settle", check.has_finalizer)

    check.delete()
    check.remove_finalizers()
    within("react", request.is_missing, clause="a")
    always(workload.is_prechecked, clause="b")
    provisioning.make_check_with(provisioning.reference(check.config), name=check.name, config=check.config)

    within("recover", request.exists, clause="c")
    autoscaler.provision(request)
    within("recover", workload.is_admitted, clause="d")


@scenario(
    "PRC-245",
    "contradictions between flavors, checks and the pods of a Job are reported with the recorded texts",
    requirement=("provisioning-check#class-details", "provisioning-check#messages"),
    shows="PC-10 PA-092",
    level="may",
    since="0.19",
    cases=rows("against", ("the Job",), ("the flavor",), ("the other check",)),
    clauses={"a": "the text", "b": "the request is deleted"},
)
def test_words_about_contradictions(kueue_cluster, provisioning, autoscaler, against):
    flavor, other = kueue_cluster.make_flavor(), kueue_cluster.make_check()
    ((key, value),) = kueue_cluster.node_selector(flavor).items()
    label, theirs = (key, value) if against == "the flavor" else (ZONE, "south")
    queue = provisioning.make_queue(other, node_labels={label: "zone"}, queue={"flavors": [flavor]})
    check = queue.checks[0]
    template = {"nodeSelector": {ZONE: theirs}} if against == "the Job" else None
    workload = provisioning.submit_until_requested(queue, "job", template=template)
    updates = [{"name": "main", "nodeSelector": {ZONE: theirs}}] if against == "the other check" else None
    other.answer(workload, "Ready", updates=updates)

    autoscaler.provision(workload.request(check), details={"zone": "north"})

    text = f"conflict for nodeSelector: conflict for key={label}, value1={theirs}, value2=north"
    within("settle", lambda: workload.has_message_containing("Finished", text), clause="a")
    within("settle", workload.has_no_request, clause="b")


@scenario(
    "PRC-246",
    "an annotation that names no parameter is refused by the server",
    requirement="provisioning-check#odd-input",
    shows="PC-21 PA-061",
    since="0.19",
    clauses={"a": "with 422, for the annotations", "b": "the request is unchanged"},
)
def test_annotation_without_a_name(provisioning):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    uid = workload.request(queue.checks[0]).uid

    answer = workload.try_to_change(metadata={"annotations": {"provreq.kueue.x-k8s.io/": "v"}})

    assert answer.is_invalid("metadata.annotations"), f"a: {answer}"
    always(lambda: workload.request(queue.checks[0]).has_uid(uid), clause="b")


@scenario(
    "PRC-247",
    "a failure whose message changes is one failure, and its last message is shown",
    requirement=("provisioning-check#retries", "provisioning-check#odd-input"),
    shows="PA-073 PD-10",
    since="0.19",
    gates=("CleanupProvisioningRequestsOnEviction",),
    clauses={"a": "the last words", "b": "one retry"},
)
def test_failure_in_other_words(provisioning, autoscaler, clock):
    queue = provisioning.make_queue(wait=clock.hold)
    check, workload = queue.checks[0], provisioning.submit_until_requested(queue)
    request = workload.request(check)
    first = request.uid
    for text in ("no room", "no room at all"):
        autoscaler.reject_if_exists(request, text)
        either(
            "react",
            {
                "it waits": lambda message=text: workload.has_entry_message_containing(check, message),
                "it waits without quota": lambda: workload.was_released() and request.is_missing(),
                "it is tried again": lambda: request.has_other_uid(first),
            },
            clause="a",
        )

    clock.advance(clock.hold)

    within("requeue", lambda: request.has_other_uid(first) and workload.has_retried(check, 1), clause="b")
