"""PRC: names of requests and of their templates (PA-045…PA-053d, PD-03, PC-22)."""

from kueue_conformance import always, cross, either, rows, scenario, within

CLASSES = ("one.example.com", "two.example.com")
"""Of two checks: by them an autoscaler, and a scenario, tells their requests apart, whatever they are called.
"""
LONGEST_PLAIN = 247
"""Letters that the name of a request has at most before it is cut."""


def name_of(length, check):
    """Return a name with which that of a Workload's first request has so many letters."""
    return "w" * (length - len(f"-{check.name}-1"))


@scenario(
    "PRC-050",
    "a request is named for its Workload, its check and its attempt, its templates for it and its pod sets",
    requirement="provisioning-check#names",
    shows="PA-045 PA-046 PA-053a",
    level="may",
    since="0.19",
    clauses={"a": "the request", "b": "its templates"},
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_names(kueue_cluster, provisioning):
    queue = provisioning.make_queue()

    workload = provisioning.submit_until_requested(
        queue,
        podSets=[kueue_cluster.pod_set("driver", cpu="1"), kueue_cluster.pod_set("workers", 2, cpu="1")],
    )

    request, name = workload.request(queue.checks[0]), f"{workload.name}-{queue.checks[0].name}-1"
    within("react", lambda: request.has_name(name), clause="a")
    within("react", lambda: request.template(0).has_name(f"ppt-{name}-driver"), clause="b")
    within("react", lambda: request.template(1).has_name(f"ppt-{name}-workers"), clause="b")


@scenario(
    "PRC-051",
    "a request with a long name is made once",
    requirement=("provisioning-check#idempotent", "provisioning-check#odd-input"),
    shows="PA-047 PA-053d PD-03",
    since="0.19",
    cases=rows("length", (241,), (LONGEST_PLAIN,)),
    clauses={"a": "it is the same all the time", "b": "it can be provided"},
)
def test_long_names(provisioning, autoscaler, length):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue, name=name_of(length, queue.checks[0]))
    request = workload.request(queue.checks[0])
    always(lambda: request.is_the_only_one() and request.was_created(1), clause="a")

    autoscaler.provision(request)

    within("admit", workload.is_admitted, clause="b")


@scenario(
    "PRC-052",
    "requests of different attempts have different names",
    requirement="provisioning-check#names",
    shows="PA-045 PA-099 TB-24",
    since="0.19",
    clauses={"a": "the second is another object", "b": "of another name"},
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_names_of_attempts(provisioning, autoscaler):
    queue = provisioning.make_queue()
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    first, name = request.uid, request.name

    autoscaler.reject(request)

    within("requeue", lambda: request.has_other_uid(first), clause="a")
    always(lambda: request.has_name(name).negate(), clause="b")


@scenario(
    "PRC-053",
    "the name of a request has the number of the attempt",
    requirement="provisioning-check#names",
    shows="PA-045 PA-115 TB-116",
    level="may",
    since="0.19",
    clauses={"a": "1, 2 and 3"},
)
def test_numbers_of_attempts(provisioning, autoscaler):
    queue = provisioning.make_queue()
    request = provisioning.submit_until_requested(queue).request(queue.checks[0])

    for number in (1, 2):
        within("requeue", lambda attempt=number: request.is_attempt(attempt), clause="a")
        autoscaler.reject(request)

    within("requeue", lambda: request.is_attempt(3), clause="a")


@scenario(
    "PRC-054",
    "Workloads whose names begin alike have requests of different names",
    requirement=("provisioning-check#names", "provisioning-check#own-requests-only"),
    shows="PA-048 PA-007 TB-50 TB-68",
    since="0.19",
    clauses={
        "a": "each has a request",
        "b": "the one that is provided is admitted",
        "c": "the other still waits",
    },
    cases=cross().also_drawn().also_beside_namesakes(),
)
def test_names_that_begin_alike(provisioning, autoscaler):
    queue = provisioning.make_queue()
    short = provisioning.submit_until_requested(queue, name="train")
    long = provisioning.submit_until_requested(queue, name="train-1")
    always(lambda: short.has_requests(1) and long.has_requests(1), clause="a")

    autoscaler.provision(long.request(queue.checks[0]))

    within("admit", long.is_admitted, clause="b")
    always(lambda: short.is_prechecked() and short.has_requests(1), clause="c")


@scenario(
    "PRC-055",
    "two Workloads and checks whose names make one both get requests, or the second reports why it does not",
    requirement="provisioning-check#quirks",
    shows="PA-052 RG-K05 PD-03",
    level="may",
    since="0.19",
    clauses={"a": "both, or one and a message", "b": "the first continues"},
)
def test_names_that_make_one(provisioning, autoscaler, kueue_cluster):
    check = provisioning.make_active_check()
    other = provisioning.make_active_check(name=f"b-{check.name}")
    one_queue, other_queue = kueue_cluster.make_queue([other]), kueue_cluster.make_queue([check])
    first = provisioning.submit_until_requested(one_queue, name="a")

    second = other_queue.submit(name="a-b")

    either(
        "react",
        {
            "both": second.request(check).exists,
            "one": lambda: second.has_entry_message_containing(check, "already exists"),
        },
        clause="a",
    )
    autoscaler.provision(first.request(other))
    within("admit", first.is_admitted, clause="b")


@scenario(
    "PRC-056",
    "a Workload with a dot where its name is cut gets a request, or reports why it does not",
    requirement="provisioning-check#quirks",
    shows="PA-047 RG-K35 PC-22",
    level="may",
    since="0.19",
    clauses={"a": "a request, or a text"},
)
def test_dot_where_a_name_is_cut(provisioning):
    queue = provisioning.make_queue()
    check = queue.checks[0]

    workload = queue.submit(name=f"{'w' * (LONGEST_PLAIN - 1)}.vvv")

    either(
        "react",
        {
            "a request": workload.request(check).exists,
            "a text": lambda: workload.has_entry_message_containing(check, "metadata.name"),
        },
        clause="a",
    )


@scenario(
    "PRC-057",
    "every check of a Workload has a request of its own name",
    requirement="provisioning-check#names",
    shows="PA-045 PA-048 PD-03",
    since="0.19",
    cases=cross(provided=(0, 1)).also_drawn(provided=1).also_beside_namesakes(provided=1),
    clauses={
        "a": "two requests",
        "b": "the check whose request is provided is Ready when both are there",
        "c": "the other waits",
    },
)
def test_names_of_checks(kueue_cluster, provisioning, autoscaler, provided):
    checks = [provisioning.make_active_check(class_name=name) for name in CLASSES]
    queue = kueue_cluster.make_queue(checks)
    workload = queue.submit()
    within("react", lambda: workload.has_requests(2), clause="a")

    autoscaler.provision(workload.request(checks[provided]))

    within("react", lambda: workload.has_states("Ready", checks[provided]), clause="b")
    always(
        lambda: workload.has_states("Pending", checks[1 - provided]) and workload.is_prechecked(), clause="c"
    )


@scenario(
    "PRC-058",
    "checks whose names begin alike have requests of their own",
    requirement=("provisioning-check#names", "provisioning-check#own-requests-only"),
    shows="PA-045 PA-048 PA-049 TB-68",
    since="0.19",
    cases=cross(suffix=("-b", "-1", "1", "-1-1"), refused=(0, 1)),
    clauses={
        "a": "each has one request",
        "b": "and one again when one of them was refused",
        "c": "one check is Ready when one request is provided, and the other waits with its request",
        "d": "it is admitted when both are provided, without another request",
    },
)
def test_checks_that_begin_alike(kueue_cluster, provisioning, autoscaler, suffix, refused):
    shorter = provisioning.make_active_check(class_name=CLASSES[0])
    # Of one class: nothing but their names tells the requests of the two checks apart.
    longer = provisioning.make_active_check(name=f"{shorter.name}{suffix}", class_name=CLASSES[0])
    checks = [shorter, longer]
    workload = kueue_cluster.make_queue(checks).submit()
    within("react", lambda: workload.has_requests(2), clause="a")

    autoscaler.reject(workload.request(checks[refused]))

    within("requeue", lambda: workload.was_reserved(2) and workload.has_requests(2), clause="b")
    workload.touch()
    always(lambda: workload.has_states("Pending", *checks) and workload.has_requests(2), clause="b")
    autoscaler.provision(workload.request(checks[0]))
    within("react", lambda: workload.has_one_ready(*checks), clause="c")
    always(lambda: workload.has_one_ready(*checks) and workload.has_requests(2), clause="c")
    autoscaler.provision(workload.request(checks[1]))
    within("admit", workload.is_admitted, clause="d")
    always(lambda: workload.has_requests(2), clause="d")


@scenario(
    "PRC-059",
    "the eleventh attempt follows the tenth: attempts are counted, not compared as texts",
    requirement=("provisioning-check#names", "provisioning-check#retries"),
    shows="PA-036 PA-045 PA-099",
    since="0.19",
    clauses={"a": "each attempt has another request", "b": "the last one can be provided"},
)
def test_eleven_attempts(provisioning, autoscaler):
    queue = provisioning.make_queue(limit=12)
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])
    for _ in range(10):
        uid = request.uid
        autoscaler.reject(request)
        within("requeue", lambda uid=uid: request.has_other_uid(uid), clause="a")
    always(lambda: request.was_created(11), clause="a")

    autoscaler.provision(request)

    within("admit", workload.is_admitted, clause="b")
