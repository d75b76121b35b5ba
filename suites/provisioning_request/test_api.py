"""PRQ: requests that the API accepts and refuses (PR-001…029, CV-36), and the answer to accepted ones."""

from kueue_conformance import always, rows, scenario, within

CHECK = "check-capacity.autoscaling.x-k8s.io"
SETS = [{"podTemplateRef": {"name": "t"}, "count": 1}]


@scenario(
    "PRQ-230",
    "a request beyond the limits of the API is refused, and one at them is accepted",
    requirement=("provisioning-request#api", "provisioning-request#odd-input"),
    shows="PR-014 PR-016 PR-017 PR-018 PR-019 PR-025 PR-234e CV-36",
    clauses={"a": "accepted", "b": "refused"},
    cases=rows(
        "example amount is_taken",
        ("pod sets", 1, True),
        ("pod sets", 32, True),
        ("pod sets", 33, False),
        ("pod sets", 0, False),
        ("count", 1, True),
        ("count", 0, False),
        ("count", -1, False),
        ("count", 16385, True),
        ("count", 2**31, False),
        ("parameters", 100, True),
        ("parameters", 101, False),
        ("value", 255, True),
        ("value", 256, False),
        ("template", 253, True),
        ("template", 254, False),
        ("class", 253, True),
        ("class", 254, False),
    ),
)
def test_limits(autoscaling, example, amount, is_taken):
    spec = {"provisioningClassName": CHECK, "podSets": SETS}
    spec |= {
        "pod sets": lambda: {"podSets": SETS * amount},
        "count": lambda: {"podSets": [{**SETS[0], "count": amount}]},
        "parameters": lambda: {"parameters": {f"p{at}": "x" for at in range(amount)}},
        "value": lambda: {"parameters": {"p": "ä" * amount}},
        "template": lambda: {"podSets": [{"podTemplateRef": {"name": "t" * amount}, "count": 1}]},
        "class": lambda: {"provisioningClassName": "c" * amount},
    }[example]()

    answer = autoscaling.try_to_make_request(**spec)

    if is_taken:
        assert answer.is_accepted, f"a: {answer}"
    else:
        assert answer.code == 422, f"b: {answer}"


@scenario(
    "PRQ-231",
    "the spec of a request cannot be changed",
    requirement=("aep#immutable", "provisioning-request#api"),
    shows="PR-022 PR-023 PR-024 CV-36",
    clauses={"a": "refused, with the field", "b": "a label may change"},
    cases=rows("field", ("count",), ("order",), ("class",), ("parameter",)),
)
def test_immutable(autoscaling, field):
    sets = [(autoscaling.make_template(), 1), (autoscaling.make_template(cpu="2"), 2)]
    request = autoscaling.make_request(sets, parameters={"a": "1"})
    written = request.object["spec"]["podSets"]
    change, named = {
        "count": ({"podSets": [written[0], {**written[1], "count": 3}]}, "spec.podSets"),
        "order": ({"podSets": written[::-1]}, "spec.podSets"),
        "class": ({"provisioningClassName": "other.example.com"}, "spec.provisioningClassName"),
        "parameter": ({"parameters": {"a": "2"}}, "spec.parameters"),
    }[field]

    answer = request.try_to_change(spec=change)

    assert answer.is_invalid(named), f"a: {answer}"
    assert "Value is immutable" in answer.message, f"a: {answer}"
    assert request.try_to_change(metadata={"labels": {"a": "b"}}).is_accepted, "b: a label"


@scenario(
    "PRQ-232",
    "a request at the limits of the API is handled like all others",
    requirement="provisioning-request#odd-input",
    shows="PR-234e PR-130 PR-019",
    clauses={"a": "answered"},
    cases=rows("example", ("many pods",), ("long name",), ("many parameters",), ("no resources",)),
)
def test_large(autoscaling, example):
    autoscaling.make_node(cpu="4")
    autoscaling.start()

    if example == "many pods":
        within("answer", autoscaling.make_request(16385, cpu="1").is_out_of_capacity, clause="a")
    elif example == "long name":
        within("answer", autoscaling.make_request(1, name="n" * 253).is_provisioned, clause="a")
    elif example == "many parameters":
        parameters = {f"p{at}": "x" * 255 for at in range(100)}
        within("answer", autoscaling.make_request(1, parameters=parameters).is_provisioned, clause="a")
    else:
        within("answer", autoscaling.make_request(110, cpu="0", memory="0").is_provisioned, clause="a")


@scenario(
    "PRQ-233",
    "an unusual but valid request does not hold up others",
    requirement="provisioning-request#odd-input",
    shows="PR-026 PR-124c",
    clauses={"a": "the other is answered"},
    cases=rows(
        "odd",
        ("null parameters",),
        ("unheard condition",),
        ("node without resources",),
        ("pod of no node",),
        ("foreign finalizer",),
    ),
)
def test_odd(autoscaling, odd):
    autoscaling.make_node(cpu="4")
    if odd == "node without resources":
        autoscaling.make_node(cpu="0", memory="0", pods=0)
    if odd == "pod of no node":
        autoscaling.make_pod_on("a-node-that-is-gone")
    strange = autoscaling.make_request(1)
    if odd == "unheard condition":
        strange.set_foreign_conditions(Unheard="Unknown", Accepted=False)
    if odd == "foreign finalizer":
        strange.try_to_change(metadata={"finalizers": ["example.com/kept"]})
        strange.delete()
    autoscaling.start()
    spec = {
        "provisioningClassName": CHECK,
        "podSets": [{"podTemplateRef": {"name": autoscaling.make_template()}, "count": 1}],
    }
    if odd == "null parameters":
        assert autoscaling.try_to_make_request(**spec, parameters=None).is_accepted, "a: null is nothing"

    within("answer", autoscaling.make_request(2, cpu="1").is_provisioned, clause="a")
    if odd == "foreign finalizer":
        strange.try_to_change(metadata={"finalizers": None})


@scenario(
    "PRQ-234",
    "a status in the creation of a request is dropped",
    requirement="provisioning-request#api",
    shows="PR-008 PR-027",
    clauses={"a": "it is not there", "b": "the request is answered"},
)
def test_status_on_creation(autoscaling):
    autoscaling.make_node()
    request = autoscaling.make_request_with_status(1, Failed=True)
    assert request.has_no_condition("Failed"), "a: the status is a resource of its own"

    autoscaling.start()

    within("answer", request.is_provisioned, clause="b")
    always(lambda: request.has_no_condition("Failed"), clause="a")
