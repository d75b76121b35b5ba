"""PRQ: PodTemplates that are missing, go, or change (PR-082, PR-083, PR-124, PR-133)."""

from kueue_conformance import always, cross, rows, scenario, within

KINDS = ("check", "atomic")


@scenario(
    "PRQ-020",
    "a request whose template is missing fails at once, and for good",
    requirement="provisioning-request#templates",
    shows="PR-230f PR-099b PR-124 CV-07",
    cases=cross(kind=KINDS),
    clauses={
        "a": "it has failed",
        "b": "it was not Accepted before",
        "c": "also when the template is created",
        "d": "a request with its template is handled",
    },
)
def test_missing(autoscaling, clock, kind):
    autoscaling.make_node()
    autoscaling.start()

    request = autoscaling.make_request([("missing", 1)], kind)

    within("answer", request.is_failed, clause="a")
    autoscaling.make_template(name="missing")
    clock.advance(2 * autoscaling.times.first)
    always(lambda: request.has_no_condition("Provisioned"), clause="c")
    always(lambda: request.has_no_condition("Accepted"), clause="b")
    within("answer", autoscaling.make_request(1, kind).is_provisioned, clause="d")


@scenario(
    "PRQ-021",
    "missing templates are named in the order of the pod sets",
    requirement="provisioning-request#messages",
    shows="PR-082",
    level="may",
    clauses={"a": "the recorded text"},
    cases=rows(
        "sets message",
        ("x-b,there,x-a", "3 pod templates were referenced, 2 templates were missing: x-b,x-a"),
        ("x-b,x-b", "2 pod templates were referenced, 2 templates were missing: x-b,x-b"),
    ),
)
def test_missing_text(autoscaling, sets, message):
    autoscaling.make_template(name="there")
    autoscaling.start()

    request = autoscaling.make_request([(name, 1) for name in sets.split(",")])

    within(
        "answer",
        lambda: request.shows_failure("FailedToCreatePods", f"missing pod templates, {message}"),
        clause="a",
    )


@scenario(
    "PRQ-022",
    "requests without templates do not hold up others",
    requirement=("provisioning-request#templates", "provisioning-request#order"),
    shows="PR-124",
    clauses={"a": "they fail", "b": "it is answered"},
)
def test_missing_beside(autoscaling):
    autoscaling.make_node()
    broken = [autoscaling.make_request([("missing", 1)]) for _ in range(5)]
    good = autoscaling.make_request(1)

    autoscaling.start()

    within("answer", good.is_provisioned, clause="b")
    within("answer", lambda: autoscaling.has_answered(broken) and broken[-1].is_failed(), clause="a")


@scenario(
    "PRQ-023",
    "a template of another namespace is not used for the request",
    requirement="provisioning-request#templates",
    shows="PR-016",
    clauses={"a": "it fails"},
)
def test_other_namespace(autoscaling, kueue_cluster):
    autoscaling.make_node()
    autoscaling.make_template(name="elsewhere", namespace=kueue_cluster.make_namespace())
    autoscaling.start()

    request = autoscaling.make_request([("elsewhere", 1)])

    within("answer", request.is_failed, clause="a")


@scenario(
    "PRQ-024",
    "a request whose template is deleted while its capacity is booked fails, and its capacity is free",
    requirement=("provisioning-request#templates", "provisioning-request#booking"),
    shows="PR-083 PR-099 PR-385 CV-08",
    cases=cross(kind=KINDS),
    clauses={"a": "it fails", "b": "its earlier condition stays", "c": "the room is free"},
)
def test_gone_while_booked(autoscaling, kind):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    template = autoscaling.make_template(cpu="1")
    request = autoscaling.make_request([(template, 4)], kind)
    within("answer", request.is_provisioned)

    autoscaling.delete_template(template)

    within("answer", request.is_failed, clause="a")
    within("answer", lambda: request.has_condition("Provisioned", "True"), clause="b")
    within("answer", autoscaling.make_request(4, cpu="1").is_provisioned, clause="c")


@scenario(
    "PRQ-025",
    "a booked request whose template is deleted has the recorded condition",
    requirement="provisioning-request#messages",
    shows="PR-083",
    level="may",
    clauses={"a": "the recorded reason and text"},
)
def test_gone_while_booked_text(autoscaling):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    request = autoscaling.make_request([(autoscaling.make_template(name="going"), 1)])
    within("answer", request.is_provisioned)

    autoscaling.delete_template("going")

    message = "Couldn't create pods, err: missing pod templates, 1 pod templates were referenced, 1 templates were missing: going"
    within("answer", lambda: request.shows_failure("FailedToBookCapacity", message), clause="a")


@scenario(
    "PRQ-026",
    "a request whose template is deleted before its next attempt fails with that attempt",
    requirement="provisioning-request#templates",
    shows="PR-082 PR-124",
    cases=cross(kind=KINDS),
    clauses={"a": "it waits", "b": "then it fails"},
)
def test_gone_while_waiting(autoscaling, kind):
    autoscaling.start()
    template = autoscaling.make_template()
    request = autoscaling.make_request([(template, 1)], kind)
    within("answer", request.is_out_of_capacity, clause="a")

    autoscaling.delete_template(template)

    within("attempt", request.is_failed, clause="b")


@scenario(
    "PRQ-027",
    "an attempt uses the template as it is at that moment",
    requirement="provisioning-request#templates",
    shows="PR-130",
    clauses={"a": "too large at first", "b": "then it fits"},
)
def test_changed_while_waiting(autoscaling):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    template = autoscaling.make_template(cpu="2")
    request = autoscaling.make_request([(template, 4)])
    within("answer", request.is_out_of_capacity, clause="a")

    autoscaling.change_template(template, cpu="1")

    within("attempt", request.is_provisioned, clause="b")


@scenario(
    "PRQ-028",
    "capacity is booked for the template as it is now",
    requirement="provisioning-request#booking",
    shows="PR-381",
    level="should",
    clauses={"a": "there is room beside it", "b": "no capacity is left"},
)
def test_changed_while_booked(autoscaling):
    autoscaling.make_node(cpu="4")
    autoscaling.start()
    template = autoscaling.make_template(cpu="1")
    within("answer", autoscaling.make_request([(template, 2)]).is_provisioned)
    beside = autoscaling.make_request(2, cpu="1")
    within("answer", beside.is_provisioned, clause="a")
    beside.delete()

    autoscaling.change_template(template, cpu="2")

    within("answer", autoscaling.make_request(1, cpu="1").is_out_of_capacity, clause="b")
