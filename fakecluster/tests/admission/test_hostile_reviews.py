"""Answers of webhooks whose members are of other types: what Go's decoder says of the first, as recorded from
a real server.
"""

from __future__ import annotations

import orjson
import pytest

from fakecluster import FakeCluster
from fakecluster.admission.webhooks import failures, responses
from fakecluster.admission.webhooks.failures import CallFailed
from fakecluster.api.converter import ConversionFailed, ConversionInput, Converter, NeedsConversion
from fakecluster.api.outcome import CallResult
from fakecluster.api.status import StatusError
from fakecluster.codec import call_results
from fakecluster.conversion import review
from fakecluster.tests.hooks import allow, configuration, deny

URL = "https://hooks.example.com/"
CONFIGMAPS = "/api/v1/namespaces/default/configmaps"
UNFIT = "json: cannot unmarshal {} into Go struct field {} of type {}"


class Hook:
    review = "v1"


@pytest.mark.parametrize(
    ("response", "message"),
    [
        ([1], UNFIT.format("array", "AdmissionReview.response", "v1.AdmissionResponse")),
        ({"uid": 1}, UNFIT.format("number", "AdmissionResponse.response.uid", "types.UID")),
        ({"allowed": "x"}, UNFIT.format("string", "AdmissionResponse.response.allowed", "bool")),
        ({"warnings": ["a", 1]}, UNFIT.format("number", "AdmissionResponse.response.warnings", "string")),
        (
            {"auditAnnotations": {"k": []}},
            UNFIT.format("array", "AdmissionResponse.response.auditAnnotations", "string"),
        ),
        ({"status": {"code": "x"}}, UNFIT.format("string", "Status.response.status.code", "int32")),
        (
            {"status": {"code": 2**31}},
            UNFIT.format("number 2147483648", "Status.response.status.code", "int32"),
        ),
        (
            {"status": {"details": []}},
            UNFIT.format("array", "Status.response.status.details", "v1.StatusDetails"),
        ),
        (
            {"status": {"details": {"causes": [{"field": 1}]}}},
            UNFIT.format("number", "StatusCause.response.status.details.causes.field", "string"),
        ),
        ({"patch": "é"}, "illegal base64 data at input byte 0"),
    ],
    ids=lambda value: "" if isinstance(value, str) else orjson.dumps(value).decode(),
)
def test_a_member_of_an_admission_review_of_another_type(response, message):
    body = orjson.dumps(
        {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}
    )
    with pytest.raises(CallFailed) as failure:
        responses.of(Hook, "u", CallResult(code=200, body=body), mutating=True)

    assert str(failure.value) == f"failed to call webhook: {message}"


class Stored:
    def __init__(self):
        self.uid, self.revision, self.cache = "i", 1, {}


def budget_spent():
    document = {"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "a", "uid": "i"}}
    return NeedsConversion(
        Converter(url="https://x/", reviews="v1"), "g/v2", [ConversionInput(Stored(), document)]
    )


ABOUT = "conversion webhook for g/v1, Kind=K"


@pytest.mark.parametrize(
    ("response", "message"),
    [
        ("x", UNFIT.format("string", "ConversionReview.response", "v1.ConversionResponse")),
        ({"uid": 1}, UNFIT.format("number", "ConversionResponse.response.uid", "types.UID")),
        ({"result": []}, UNFIT.format("array", "ConversionResponse.response.result", "v1.Status")),
        ({"result": {"status": 1}}, UNFIT.format("number", "Status.response.result.status", "string")),
        (
            {"convertedObjects": {}},
            UNFIT.format("object", "ConversionResponse.response.convertedObjects", "[]runtime.RawExtension"),
        ),
    ],
    ids=["response", "uid", "result", "status", "objects"],
)
def test_a_member_of_a_conversion_review_of_another_type(response, message):
    with pytest.raises(ConversionFailed) as failure:
        review.learn(budget_spent(), converted(response))

    assert str(failure.value) == f"{ABOUT} failed: {message}"


def converted(response):
    body = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "response": response}
    return CallResult(code=200, body=orjson.dumps(body))


GOOD = {"apiVersion": "g/v2", "kind": "K", "metadata": {"name": "a", "uid": "i"}}


@pytest.mark.parametrize(
    ("converted_object", "message"),
    [
        ("x", "json: cannot unmarshal string into Go value of type map[string]interface {}"),
        ([1], "json: cannot unmarshal array into Go value of type map[string]interface {}"),
        (None, "unexpected end of JSON input"),
        (
            {**GOOD, "apiVersion": 1},
            f"{ABOUT} returned invalid object at index 0: invalid groupVersion (expected g/v2, received )",
        ),
        (
            {**GOOD, "metadata": {"name": 1}},
            f"{ABOUT} returned invalid object: must have the same name: a != ",
        ),
        ({**GOOD, "metadata": "x"}, f"{ABOUT} returned invalid object: must have the same name: a != "),
    ],
    ids=["text", "list", "nothing", "version", "name", "metadata"],
)
def test_a_converted_object_of_another_type(converted_object, message):
    need = budget_spent()
    response = {
        "uid": review._uid(need),
        "result": {"status": "Success"},
        "convertedObjects": [converted_object],
    }
    with pytest.raises(ConversionFailed) as failure:
        review.learn(need, converted(response))

    assert str(failure.value) == message


def test_what_a_function_returns_may_be_no_json():
    with FakeCluster(
        webhooks={URL: lambda review: allow(review, more=10**30)}, controllers="none"
    ) as cluster:
        cluster.apply([configuration({"url": URL})])
        with pytest.raises(
            StatusError, match=r'an error on the server \("TypeError: Integer exceeds 64-bit range"\)'
        ):
            cluster.request("POST", CONFIGMAPS, {"metadata": {"name": "a"}})


@pytest.mark.parametrize(
    ("status", "code", "headers"),
    [
        ({"code": 99999}, 500, ()),
        ({"code": 999}, 999, ()),
        ({"code": -5}, 400, ()),
        ({"code": 429, "details": {"retryAfterSeconds": -5}}, 429, ()),
        ({"code": 429, "details": {"retryAfterSeconds": 5}}, 429, (("Retry-After", "5"),)),
    ],
    ids=["beyond-http", "last", "negative", "no-retry", "retry"],
)
def test_the_code_of_a_refusal_is_one_of_http(status, code, headers):
    converted_object = failures.denial("h", status)

    assert (converted_object.code, converted_object.status["code"], converted_object.headers) == (
        code,
        code,
        headers,
    )


def test_a_long_answer_in_yaml_is_not_read():
    with pytest.raises(call_results.UnusableResponse, match="an answer in YAML is longer than 65536 bytes"):
        call_results.decode_response(CallResult(code=200, body=b"- a\n" * 20_000))


def test_a_refusal_with_odd_words_is_told():
    def odd(review):
        return {**deny(review, 1), "response": {"uid": review["request"]["uid"], "status": {"details": 1}}}

    with FakeCluster(webhooks={URL: odd}, controllers="none") as cluster:
        cluster.apply([configuration({"url": URL})])
        with pytest.raises(StatusError, match=r"Status\.response\.status\.details of type v1\.StatusDetails"):
            cluster.request("POST", CONFIGMAPS, {"metadata": {"name": "a"}})
