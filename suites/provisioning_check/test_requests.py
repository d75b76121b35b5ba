"""PRC: when a Workload gets a ProvisioningRequest, and that it is admitted once the capacity is there
(PA-030…PA-036, PA-055, PA-079, PA-106).
"""

from kueue_conformance import always, cross, scenario, within

FORMS = ("workload", "job")
ALWAYS = {"since": "0.9", "also": ("kep993",)}


@scenario(
    "PRC-001",
    "no request is created before quota is reserved",
    requirement=("provisioning-check#after-reservation", "docs-2024#concurrent"),
    shows="SC-140 TB-100 PA-031",
    clauses={"a": "no request while there is no quota", "b": "one when there is"},
    **ALWAYS,
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_no_request_before_the_reservation(provisioning):
    queue = provisioning.make_queue(cpu="0")
    workload = queue.submit(cpu="1")
    within("settle", lambda: workload.has_states("Pending", *queue.checks))
    always(workload.has_no_request, clause="a")

    queue.set_quota("1")

    within("react", workload.request(queue.checks[0]).exists, clause="b")


@scenario(
    "PRC-002",
    "a Workload that has quota gets one request, for its pods and of the configured class",
    requirement=("provisioning-check#after-reservation", "provisioning-check#what-is-asked-for"),
    shows="TB-14 PA-055 PA-058 PA-062 SC-142",
    clauses={"a": "it asks for the pods", "b": "of the class", "c": "there is one, and it stays"},
    **ALWAYS,
)
def test_request(provisioning):
    queue = provisioning.make_queue(class_name="queued-provisioning.example.com")

    workload = queue.submit(cpu="1", count=3)

    request = workload.request(queue.checks[0])
    within("react", lambda: request.has_pod_counts(3), clause="a")
    within("react", lambda: request.has_class("queued-provisioning.example.com"), clause="b")
    always(lambda: request.is_the_only_one() and request.was_created(1), clause="c")


@scenario(
    "PRC-003",
    "a Workload is admitted when its capacity is provided, and not before",
    requirement=("provisioning-check#ready-when-provided", "docs-2024#all-positive"),
    shows="SC-144 TB-27 PA-079 PA-106",
    cases=cross(form=FORMS).also_drawn().also_beside_namesakes(),
    clauses={
        "a": "it waits while the request is open or accepted",
        "b": "the check is Ready when it is provided",
        "c": "it is admitted",
    },
    **ALWAYS,
)
def test_provided(provisioning, autoscaler, form):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue, form)
    always(lambda: workload.has_states("Pending") and workload.is_prechecked(), clause="a")
    autoscaler.accept(workload.request(queue.checks[0]))
    always(lambda: workload.has_states("Pending") and workload.is_prechecked(), clause="a")

    autoscaler.provision(workload.request(queue.checks[0]))

    within("react", lambda: workload.has_states("Ready"), clause="b")
    within("admit", workload.is_admitted, clause="c")


@scenario(
    "PRC-004",
    "a Job starts with pods that are annotated to consume the request",
    requirement=("aep#pods-are-annotated", "provisioning-check#pod-set-updates"),
    shows="PA-086 PA-092 TB-104",
    since="0.19",
    clauses={"a": "it starts", "b": "its template names the request"},
)
def test_job_consumes_its_request(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue, "job")
    request = workload.request(queue.checks[0])

    autoscaler.provision(request)

    job = kueue_cluster.job_of(workload)
    within("settle", job.is_started, clause="a")
    within(
        "settle", lambda: job.has_in_template("annotations", workload.annotations_for(request)), clause="b"
    )


@scenario(
    "PRC-005",
    "every Workload has a request of its own, whose outcome changes nothing for another Workload",
    requirement=("provisioning-check#after-reservation", "provisioning-check#ready-when-provided"),
    shows="PA-045 PA-079 TB-14",
    clauses={"a": "each has one", "b": "the one is admitted", "c": "the other waits"},
    **ALWAYS,
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_two_workloads(provisioning, autoscaler):
    queue = provisioning.make_queue()
    first, other = provisioning.submit_until_requested(queue), provisioning.submit_until_requested(queue)
    always(lambda: first.has_requests(1) and other.has_requests(1), clause="a")

    autoscaler.provision(first.request(queue.checks[0]))

    within("admit", first.is_admitted, clause="b")
    always(other.is_prechecked, clause="c")


@scenario(
    "PRC-006",
    "watch events that change nothing lead to no second request",
    requirement="provisioning-check#idempotent",
    shows="RG-K24 PA-030 PA-170",
    cases=cross(example=("workload", "check", "request")),
    clauses={"a": "the request is the one that there was"},
    since="0.19",
)
def test_events_without_news(provisioning, example):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])

    {"workload": workload, "check": queue.checks[0], "request": request}[example].touch()

    always(lambda: request.is_the_only_one() and request.was_created(1), clause="a")


@scenario(
    "PRC-007",
    "a Workload whose checks all belong to other controllers gets no request",
    requirement="provisioning-check#own-checks-only",
    shows="TB-10 TB-11 TB-12 PA-028 PA-033",
    since="0.19",
    cases=cross(stage=("prechecked", "admitted")),
    clauses={"a": "no request"},
)
def test_checks_of_others(make_queue, stage):
    queue = make_queue(checks=1)

    workload = queue.submit_until(stage)

    always(workload.has_no_request, clause="a")


@scenario(
    "PRC-008",
    "created requests and changed states of the check emit events",
    requirement="provisioning-check#events",
    shows="PA-120 PA-121 TB-25 RG-K16",
    level="may",
    since="0.19",
    clauses={"a": "the request is named", "b": "the new state is reported with the autoscaler's message"},
)
def test_events(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    text = f'Created ProvisioningRequest: "{request.name}"'
    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text("ProvisioningRequestCreated", workload, text),
        clause="a",
    )

    autoscaler.provision(request, "there it is")

    message = f"Admission check {queue.checks[0].name} updated state from Pending to Ready with message: there it is"
    within(
        "settle",
        lambda: kueue_cluster.has_event_with_text("AdmissionCheckUpdated", workload, message),
        clause="b",
    )


@scenario(
    "PRC-009",
    "one change of the state of a check emits one event",
    requirement="provisioning-check#events",
    shows="RG-K16 RG-K44 PA-121",
    level="should",
    since="0.19",
    clauses={"a": "one event for Ready"},
)
def test_one_event_for_a_change(kueue_cluster, provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)

    autoscaler.provision(workload.request(queue.checks[0]), "there it is")
    within("admit", workload.is_admitted)
    workload.touch()

    always(lambda: kueue_cluster.has_one_event("AdmissionCheckUpdated", workload, type="Normal"), clause="a")
