"""What requests, claims, slices and statuses of devices may say (FK-504)."""

from __future__ import annotations

import pytest

from .judging import make, refusal, refusal_of_change, refusal_of_status

CLAIMS, TEMPLATES, SLICES = (
    f"{plural}.resource.k8s.io" for plural in ("resourceclaims", "resourceclaimtemplates", "resourceslices")
)
EXACT = {"deviceClassName": "c"}
POOL = {"name": "p", "generation": 1, "resourceSliceCount": 1}
DEVICE = {"driver": "d.io", "pool": "p", "device": "d"}
ALLOCATION = {"devices": {"results": [{"request": "r", **DEVICE}]}}
CONSUMER = {"resource": "pods", "name": "p", "uid": "u"}


def claim_of(exactly=EXACT, **devices):
    return {"devices": {"requests": [{"name": "r", "exactly": exactly}], **devices}}


def slice_of(device=None, **spec):
    return {
        "driver": "d.io",
        "pool": POOL,
        "allNodes": True,
        "devices": [{"name": "d", **(device or {})}],
        **spec,
    }


CLAIM_RULES = [
    pytest.param(claim_of(constraints=[{"requests": ["r", "r"], "matchAttribute": "d.io/a"}]),
                 ['spec.devices.constraints[0].requests[1]: Duplicate value: "r"'], id="a-request-twice"),
    pytest.param(claim_of(constraints=[{"matchAttribute": "d.io/a", "distinctAttribute": "x"}]), [],
                 id="the-second-attribute-is-not-judged"),
    pytest.param(claim_of({**EXACT, "tolerations": [{"operator": "Exists", "value": "v"}]}),
                 ['spec.devices.requests[0].exactly.tolerations[0].value: Invalid value: "v": must be empty for operator `Exists`'],
                 id="a-toleration-of-existence-has-no-value"),
    pytest.param(claim_of(config=[{"opaque": {"driver": "d.io", "parameters": "x"}}]),
                 ['spec.devices.config[0].opaque.parameters: Invalid value: "<value omitted>": must be a valid JSON object'],
                 id="parameters-are-an-object"),
]  # fmt: skip
SLICE_RULES = [
    pytest.param(slice_of(pool={**POOL, "name": "p/q"}), [], id="a-pool-has-segments"),
    pytest.param(slice_of({"attributes": {"a": {"int": 1, "ints": [2]}}}), [], id="gated-values-are-dropped"),
    pytest.param(slice_of({"capacity": {"c": {"value": "1", "requestPolicy": {}}}}),
                 ["spec.devices[0].capacity[c].requestPolicy: Forbidden: allowMultipleAllocations must be true"],
                 id="only-shared-devices-have-request-policies"),
    pytest.param(slice_of({"bindingConditions": ["a"], "bindingFailureConditions": ["a"]}),
                 ['spec.devices[0].bindingFailureConditions[0]: Invalid value: "a": bindingFailureConditions must not overlap with bindingConditions'],
                 id="no-condition-of-success-and-failure"),
]  # fmt: skip
STATUS_RULES = [
    pytest.param(
        {"reservedFor": [CONSUMER]},
        ["status.reservedFor: Forbidden: may not be specified when `allocated` is not set"],
        id="reservation-needs-devices",
    ),
    pytest.param(
        {"allocation": ALLOCATION, "devices": [{**DEVICE, "device": "e"}]},
        [
            'status.devices[0]: Invalid value: {"Driver":"d.io","Pool":"p","Device":"e","ShareID":""}: must be an allocated device in the claim'
        ],
        id="a-device-of-another-claim",
    ),
    pytest.param(
        {"allocation": ALLOCATION, "devices": [{**DEVICE, "networkData": {"ips": ["01.2.3.4/8"]}}]},
        [
            'status.devices[0].networkData.ips[0]: Invalid value: "01.2.3.4/8": must be in canonical form ("1.2.3.4/8")'
        ],
        id="addresses-are-canonical",
    ),
]


@pytest.mark.parametrize(("spec", "errors"), CLAIM_RULES)
def test_a_claim_is_judged_when_it_is_new(spec, errors):
    assert refusal(CLAIMS, spec=spec) == errors


@pytest.mark.parametrize(("spec", "errors"), SLICE_RULES)
def test_a_slice_is_judged(spec, errors):
    assert refusal(SLICES, spec=spec) == errors


@pytest.mark.parametrize(("status", "errors"), STATUS_RULES)
def test_the_status_of_a_claim_is_judged(status, errors):
    assert refusal_of_status(CLAIMS, make(CLAIMS, spec=claim_of()), status) == errors


def test_a_changed_claim_is_only_told_that_its_spec_stays():
    old, new = (make(CLAIMS, spec=claim_of({"deviceClassName": name})) for name in ("c", "Not a name"))

    errors = refusal_of_change(CLAIMS, old, new)

    assert [error.endswith("field is immutable") for error in errors] == [True]


def test_taints_that_stay_are_not_judged_again():
    old = make(SLICES, spec=slice_of({"taints": [{"key": "k", "effect": "Else"}]}))

    assert refusal_of_change(SLICES, old, old) == []


def test_the_metadata_of_a_template_are_labels_and_annotations():
    spec = {"metadata": {"uid": "u", "name": "n", "labels": {"a": "b"}}, "spec": claim_of()}

    assert refusal(TEMPLATES, spec=spec) == [
        "spec.metadata.name: Forbidden: cannot be set",
        "spec.metadata.uID: Forbidden: cannot be set",
    ]
