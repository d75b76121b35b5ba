"""A verb that must ask somebody else: the write waits for the answer and looks again before it stores (FK-060, FK-160)."""

from dataclasses import replace

import orjson
import pytest

from fakecluster.api.admission import AdmitAll
from fakecluster.api.outcome import Call, CallResult

URL = "/api/v1/namespaces/ns/configmaps"
MERGE = "application/merge-patch+json"


class Labels(AdmitAll):
    """Asks a webhook for a label for every config map."""

    def mutate(self, api, review, proceed):
        if review.kind.kind != "ConfigMap":
            return proceed(review.new)

        def resume(result):
            metadata = {**review.new["metadata"], "labels": {"by": result.body.decode()}}
            return proceed({**review.new, "metadata": metadata})

        return Call(method="POST", url="https://hook.example.com/", timeout=10.0, resume=resume)


@pytest.fixture
def hooked(ask):
    ask.api.admission = Labels()
    return ask


def answer(call, text="hook"):
    return call.resume(CallResult(code=200, body=text.encode()))


def stored(ask, name="a"):
    return ask("GET", f"{URL}/{name}")[1]


def test_nothing_is_stored_before_the_answer_came(hooked):
    call = hooked.send("POST", URL, {"metadata": {"name": "a"}})
    before = hooked("GET", f"{URL}/a")[0]

    response = answer(call)

    assert (before, response.code, stored(hooked)["metadata"]["labels"]) == (404, 201, {"by": "hook"})


def test_a_name_taken_meanwhile_is_a_conflict_fk_031(hooked):
    first, second = (hooked.send("POST", URL, {"metadata": {"name": "a"}}) for _ in range(2))
    answer(first)

    assert orjson.loads(answer(second).body)["reason"] == "AlreadyExists"


def test_a_patch_overtaken_meanwhile_is_made_again_fk_160(hooked):
    answer(hooked.send("POST", URL, {"metadata": {"name": "a"}}))
    slow = hooked.send("PATCH", f"{URL}/a", {"data": {"slow": "1"}}, content_type=MERGE)
    answer(hooked.send("PATCH", f"{URL}/a", {"data": {"fast": "1"}}, content_type=MERGE))

    again = answer(slow)
    assert isinstance(again, Call)
    answer(again)

    assert stored(hooked)["data"] == {"fast": "1", "slow": "1"}


def test_a_put_with_its_revision_is_refused_when_overtaken_fk_033(hooked):
    answer(hooked.send("POST", URL, {"metadata": {"name": "a"}}))
    slow = hooked.send("PUT", f"{URL}/a", stored(hooked))
    answer(hooked.send("PATCH", f"{URL}/a", {"data": {"fast": "1"}}, content_type=MERGE))

    response = answer(slow)

    assert (response.code, orjson.loads(response.body)["reason"]) == (409, "Conflict")


def test_a_refusal_while_waiting_is_answered_and_journalled(hooked):
    call = hooked.send("POST", URL, {"metadata": {"name": "a", "labels": {"x": "not valid"}}})
    seen = hooked.api.journal.last

    response = replace(call, url="").resume(CallResult(code=200, body=b"not valid"))

    assert (response.code, hooked.api.journal.since(seen)[0].reason) == (422, "Invalid")
