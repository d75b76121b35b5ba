"""PRC: what the API keeps and refuses of configurations and requests (PA-010…PA-019, PR-012…PR-027)."""

from kueue_conformance import cross, scenario, within

CLASS = "check-capacity.autoscaling.x-k8s.io"
DEFAULTS = {"backoffLimitCount": 3, "backoffBaseSeconds": 60, "backoffMaxSeconds": 1800}
SAID = ({}, {}, {"backoffLimitCount": 1}, {})
"""What each of these says of a retry strategy."""
INCOMPLETE = (
    {},
    {"retryStrategy": {}},
    {"retryStrategy": SAID[2]},
    {"retryStrategy": dict.fromkeys(DEFAULTS)},
)
LABEL = {"key": "example.com/zone", "valueFromProvisioningClassDetail": "zone"}
LONGEST, VALUE, ENTRIES, LABELS = 253, 255, 100, 8


def labels(*keys):
    """Return the part of a configuration that brings labels of nodes."""
    return {"podSetUpdates": {"nodeSelector": [{**LABEL, "key": key} for key in keys]}}


def number_texts(text, number):
    """Return so many different texts."""
    return [f"{text}{at}" for at in range(number)]


REFUSED = {
    "no class": {"provisioningClassName": ""},
    "a class in capitals": {"provisioningClassName": "Check-Capacity"},
    "a class that is too long": {"provisioningClassName": "c" * (LONGEST + 1)},
    "too many parameters": {"parameters": dict.fromkeys(number_texts("p", ENTRIES + 1), "")},
    "a parameter that is too long": {"parameters": {"p": "v" * (VALUE + 1)}},
    "too many resources": {"managedResources": number_texts("example.com/r", ENTRIES + 1)},
    "one resource twice": {"managedResources": ["cpu", "cpu"]},
    "an unknown merge policy": {"podSetMergePolicy": "Always"},
    "too many labels": labels(*number_texts("example.com/l", LABELS + 1)),
    "one label twice": labels("example.com/l", "example.com/l"),
    "a label that is none": labels("not a label"),
}
TAKEN = {
    "the longest class": {"provisioningClassName": "c" * LONGEST},
    "the most and longest parameters": {"parameters": dict.fromkeys(number_texts("p", ENTRIES), "v" * VALUE)},
    "the most resources": {"managedResources": number_texts("example.com/r", ENTRIES)},
    "the most labels": labels(*number_texts("example.com/l", LABELS)),
    "negative numbers": {"retryStrategy": dict.fromkeys(DEFAULTS, -1)},
    "both merge policies": {"podSetMergePolicy": "IdenticalWorkloadSchedulingRequirements"},
}


@scenario(
    "PRC-020",
    "missing fields of a retry strategy are defaulted",
    requirement="provisioning-check#configuration",
    shows="PA-015 PA-019",
    since="0.19",
    clauses={"a": "each field has its default"},
)
def test_defaults(provisioning):
    stored = [
        provisioning.store_config(provisioningClassName=CLASS, **strategy)["retryStrategy"]
        for strategy in INCOMPLETE
    ]

    assert stored == [{**DEFAULTS, **strategy} for strategy in SAID], f"a: {stored}"


@scenario(
    "PRC-021",
    "an invalid ProvisioningRequestConfig is refused",
    requirement=("provisioning-check#configuration", "provisioning-check#odd-input"),
    shows="PA-012 PA-013 PA-014 PA-016 PA-017",
    since="0.19",
    clauses={"a": "each of them, with 422"},
)
def test_refused_configurations(provisioning):
    answers = {
        name: provisioning.try_to_make_config(**{"provisioningClassName": CLASS, **spec})
        for name, spec in REFUSED.items()
    }

    assert all(answer.is_invalid("spec") for answer in answers.values()), f"a: {answers}"


@scenario(
    "PRC-022",
    "a ProvisioningRequestConfig at its limits is accepted",
    requirement="provisioning-check#configuration",
    shows="PA-012 PA-013 PA-014 PA-015 PA-016 PA-017",
    since="0.19",
    clauses={"a": "each of them is taken"},
)
def test_configurations_at_their_limits(provisioning):
    answers = {
        name: provisioning.try_to_make_config(**{"provisioningClassName": CLASS, **spec})
        for name, spec in TAKEN.items()
    }

    assert all(answer.is_accepted for answer in answers.values()), f"a: {answers}"


CHANGED = {
    "pod sets": {"podSets": [{"podTemplateRef": {"name": "another"}, "count": 1}]},
    "class": {"provisioningClassName": "another"},
    "parameters": {"parameters": {"another": "one"}},
}


@scenario(
    "PRC-023",
    "the spec of a request cannot be changed",
    requirement="aep#immutable",
    shows="PR-014 PR-018 PR-019 PR-022 PR-024 PA-141",
    since="0.19",
    cases=cross(example=tuple(CHANGED)),
    clauses={"a": "the change is refused with 422", "b": "it stays the request"},
)
def test_requests_are_immutable(provisioning, autoscaler, example):
    queue = provisioning.make_queue(parameters={"one": "1"})
    workload = provisioning.submit_until_requested(queue)
    request = workload.request(queue.checks[0])

    answer = request.try_to_change(spec=CHANGED[example])

    assert answer.is_invalid(f"spec.{next(iter(CHANGED[example]))}"), f"a: {answer}"
    autoscaler.provision(request)
    within("admit", workload.is_admitted, clause="b")
