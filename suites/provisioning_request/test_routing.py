"""PRQ: which requests an autoscaler serves (PR-050…057, PR-100, PR-109)."""

from kueue_conformance import always, rows, scenario, within

CHECK = "check-capacity.autoscaling.x-k8s.io"


@scenario(
    "PRQ-090",
    "requests of other classes are left alone",
    requirement="provisioning-request#routing",
    shows="PR-052 PR-109h PR-053",
    since="1.31",
    clauses={"a": "one of its own is answered", "b": "the other has no condition"},
    cases=rows(
        "kind",
        ("queued-provisioning.gke.io",),
        ("example.com",),
        ("check-capacity.kubernetes.io",),
        ("atomic-scale-up.kubernetes.io",),
        ("atomic-scale-up.autoscaling.x-k8s.io",),
        (f"x-{CHECK}",),
        ("check-capacity.autoscaling",),
    ),
)
def test_other_class(autoscaling, clock, kind):
    autoscaling.make_nodes(2)
    other = autoscaling.make_request(1, kind)
    autoscaling.start()

    within("answer", autoscaling.make_request(1).is_provisioned, clause="a")

    clock.advance(2 * autoscaling.times.first)
    always(other.is_untouched, clause="b")


@scenario(
    "PRQ-091",
    "an instance serves the requests that name it, and no others",
    requirement="provisioning-request#routing",
    shows="PR-105 PR-109 PR-109b PR-109c PR-109d PR-109e PR-109f PR-056 CV-25",
    since="1.33",
    clauses={"a": "served", "b": "left alone", "c": "one of its own is answered"},
    cases=rows(
        "instance named kind is_served",
        ("", None, "check", True),
        ("", "", "check", True),
        ("", "x-", "check", False),
        ("x-", "x-", "check", True),
        ("x-", "y-", "check", False),
        ("x-", None, "check", False),
        ("", None, "atomic", True),
        ("x-", "x-", "atomic", False),
        ("x-", None, "atomic", False),
    ),
)
def test_instances(autoscaling, instance, named, kind, is_served):
    autoscaling.make_nodes(2)
    parameters = None if named is None else {"processorInstance": named}
    request = autoscaling.make_request(1, kind, parameters=parameters)
    autoscaling.start(check_capacity_processor_instance=instance)

    if is_served:
        within("answer", request.is_provisioned, clause="a")
        return
    within(
        "answer",
        autoscaling.make_request(1, parameters={"processorInstance": instance}).is_provisioned,
        clause="c",
    )
    always(request.is_untouched, clause="b")


@scenario(
    "PRQ-092",
    "an instance also serves the class with its name in front, unless the request names an instance",
    requirement="provisioning-request#routing",
    shows="PR-109g CV-25",
    since="1.33",
    level="may",
    clauses={"a": "served", "b": "left alone", "c": "another is answered"},
    cases=rows("named is_served", (None, True), ("", True), ("x-", False), ("y-", False)),
)
def test_name_in_front(autoscaling, named, is_served):
    autoscaling.make_nodes(2)
    parameters = None if named is None else {"processorInstance": named}
    request = autoscaling.make_request(1, f"x-{CHECK}", parameters=parameters)
    autoscaling.start(check_capacity_processor_instance="x-")

    if is_served:
        within("answer", request.is_provisioned, clause="a")
        return
    within(
        "answer",
        autoscaling.make_request(1, parameters={"processorInstance": "x-"}).is_provisioned,
        clause="c",
    )
    always(request.is_untouched, clause="b")


@scenario(
    "PRQ-093",
    "without the flag requests are left alone; with it they are handled",
    requirement="provisioning-request#routing",
    shows="PR-100",
    clauses={"a": "left alone", "b": "answered"},
)
def test_switched_off(autoscaling, clock):
    autoscaling.make_node()
    autoscaling.start(enable_provisioning_requests=False)
    request = autoscaling.make_request(1)
    clock.advance(2 * autoscaling.times.first)
    always(request.is_untouched, clause="a")

    autoscaling.restart(enable_provisioning_requests=True)

    within("answer", request.is_provisioned, clause="b")


@scenario(
    "PRQ-094",
    "unknown parameters have no effect",
    requirement=("provisioning-request#routing", "provisioning-request#odd-input"),
    shows="PR-054 PR-057 PR-179",
    clauses={"a": "answered as ever"},
    cases=rows(
        "key value kind",
        ("ValidUntilSeconds", "0", "atomic"),
        ("ValidUntilSeconds", "banana", "atomic"),
        ("ValidUntilSeconds", "8", "check"),
        ("maxRunDurationSeconds", "1", "check"),
        ("noretry", "true", "check"),
    ),
    since="1.30",
)
def test_unknown_parameters(autoscaling, clock, key, value, kind):
    autoscaling.start()
    request = autoscaling.make_request(1, kind, parameters={key: value})
    within("answer", request.is_out_of_capacity)

    autoscaling.make_node()

    within("attempt", request.is_provisioned, clause="a")
