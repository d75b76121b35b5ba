"""The claim service: claim, release and list over HTTP, beside the verdicts."""

import json

import pytest
import urllib3

from kueue_conformance.subject.outside_work import WorkloadIdentity, WorkSources
from kueue_conformance.subject.outside_work.claims import Claims, ClaimWork
from kueue_conformance.subject.verdict_server import VerdictServer
from kueue_conformance.subject.verdicts import Verdicts

CLAIM = {"id": "team-a.train", "namespace": "team-a", "workload": "train"}


@pytest.fixture
def claims():
    return Claims()


@pytest.fixture
def url(claims, cluster):
    server = VerdictServer(Verdicts(), claims)
    server.start(cluster)
    yield server.claims_url
    server.stop()


def call(method, url, body=None):
    answer = urllib3.request(method, url, body=None if body is None else json.dumps(body), retries=False)
    return answer.status, answer.json()


def test_a_claim_is_held_until_it_is_released(url):
    assert call("POST", url, CLAIM) == (201, CLAIM)
    assert call("GET", f"{url}?namespace=team-a&workload=train") == (200, {"items": [CLAIM]})
    assert call("GET", f"{url}?namespace=team-b") == (200, {"items": []})

    assert call("DELETE", f"{url}/team-a.train") == (200, {"released": "team-a.train"})

    assert call("GET", url) == (200, {"items": []})


def test_the_same_claim_again_is_one_claim(url):
    call("POST", url, CLAIM)

    assert call("POST", url, CLAIM) == (200, CLAIM)
    assert len(call("GET", url)[1]["items"]) == 1


def test_claims_without_an_id_are_one_more_each_time(url):
    anonymous = {"namespace": "team-a", "workload": "train"}

    ids = [call("POST", url, anonymous)[1]["id"] for _ in range(2)]

    assert len(set(ids)) == 2


@pytest.mark.parametrize(
    ("method", "path", "body", "code", "text"),
    [
        pytest.param("POST", "", {"namespace": "team-a"}, 400, "workload is no text", id="no Workload"),
        pytest.param("POST", "", [CLAIM], 400, "no JSON object", id="a list"),
        pytest.param("POST", "", {**CLAIM, "id": 3}, 400, "id is no text", id="a number as id"),
        pytest.param("POST", "", {**CLAIM, "workload": "other"}, 409, "held for team-a/train", id="taken"),
        pytest.param("DELETE", "/unknown", None, 404, "no claim 'unknown' is held", id="unknown"),
        pytest.param("DELETE", "", None, 405, "DELETE is no verb of claims", id="all at once"),
    ],
)
def test_wrong_requests_are_refused_in_words(url, method, path, body, code, text):
    call("POST", url, CLAIM)

    status, document = call(method, url + path, body)

    assert status == code
    assert text in document["error"]


def test_a_body_that_is_no_json_is_refused(url):
    answer = urllib3.request("POST", url, body="license, please", retries=False)

    assert answer.status == 400
    assert "no JSON" in answer.json()["error"]


def test_work_by_claims_lists_those_of_a_workload(claims):
    claims.claim("team-a", "train", "one")
    claims.claim("team-b", "train", "other")

    items = ClaimWork().items(
        WorkloadIdentity(namespace="team-a", name="train"), WorkSources(client=None, claims=claims)
    )

    assert [item.name for item in items] == ["one"]


def test_a_claim_that_was_released_and_claimed_again_is_another_one(claims):
    sources = WorkSources(client=None, claims=claims)
    train = WorkloadIdentity(namespace="team-a", name="train")
    claims.claim("team-a", "train", "one")
    (before,) = ClaimWork().items(train, sources)

    claims.release("one")
    claims.claim("team-a", "train", "one")

    (after,) = ClaimWork().items(train, sources)
    assert (before.name, before.identity != after.identity) == (after.name, True)
