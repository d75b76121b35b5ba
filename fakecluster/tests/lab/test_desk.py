"""The laboratory over HTTP, as a suite in another language uses it (F-14)."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User

MAPS = "/api/v1/namespaces/default/configmaps"
PODS = "/api/v1/namespaces/default/pods"
POD = {
    "metadata": {"name": "p", "annotations": {"fakecluster.dev/script": "manual"}},
    "spec": {"containers": [{"name": "c", "image": "i"}]},
}


@pytest.fixture
def cluster():
    with FakeCluster(tls=False) as rule:
        yield rule


@pytest.fixture
def ask(cluster):
    link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)

    def asked(method, path, body=None, token=""):
        headers = {"Authorization": f"Bearer {token or cluster.token()}"}
        link.request(
            method,
            path if path.startswith("/") else f"/_fakecluster/{path}",
            body and json.dumps(body),
            headers,
        )
        answer = link.getresponse()
        text = answer.read().decode()
        return answer.status, json.loads(text) if answer.headers[
            "Content-Type"
        ] == "application/json" else text

    yield asked
    link.close()


def test_the_index_lists_everything(ask):
    code, index = ask("GET", "")

    assert code == 200
    assert index["POST /_fakecluster/faults"].startswith("Add a rule")


def test_time_moves_on_request(ask, cluster):
    before = cluster.clock.now()

    assert ask("POST", "clock/advance", {"seconds": 90})[1]["seconds"] == before + 90
    assert ask("POST", "settle")[1]["mode"] == "virtual"


def test_faults_come_and_go(ask):
    rule = {
        "id": "busy",
        "match": {"verb": "list", "resource": "configmaps"},
        "effect": {"kind": "answer", "code": 503},
    }
    assert ask("POST", "faults", rule)[1]["id"] == "busy"
    assert ask("GET", MAPS)[0] == 503
    assert [rule["rule"] for rule in ask("GET", "faults/hits")[1]] == ["busy"]
    assert ask("DELETE", "faults/busy")[1]["rules"] == []
    assert ask("GET", MAPS)[0] == 200


def test_a_snapshot_brings_back_what_was_there(ask):
    name = ask("POST", "snapshots")[1]["name"]
    ask("POST", MAPS, {"metadata": {"name": "a"}})
    ask("POST", f"snapshots/{name}/restore")

    assert ask("GET", f"{MAPS}/a")[0] == 404
    assert ask("DELETE", f"snapshots/{name}")[1] == []


@pytest.mark.parametrize("path", ["fork", "at"])
def test_clusters_are_made_and_ended(ask, cluster, path):
    _, created = ask("POST", MAPS, {"metadata": {"name": "a"}})
    body = {"revision": int(created["metadata"]["resourceVersion"])} if path == "at" else None
    _, child = ask("POST", f"clusters/{path}", body)
    link = http.client.HTTPConnection(urlsplit(child["url"]).netloc, timeout=30)
    link.request("GET", f"{MAPS}/a", headers={"Authorization": f"Bearer {cluster.token()}"})

    assert link.getresponse().status == 200
    assert "apiVersion: v1" in child["kubeconfig"]
    link.close()
    assert ask("DELETE", f"clusters/{child['name']}")[1] == []


def test_the_journal_is_exported(ask):
    ask("POST", MAPS, {"metadata": {"name": "a"}})
    code, text = ask("GET", "journal?verb=create&resource=configmaps&name=a&format=jsonl")

    assert (code, json.loads(text)["changes"][0]["after"]["metadata"]["name"]) == (200, "a")


def test_pods_do_what_they_are_told(ask, cluster):
    ask("POST", PODS, POD)
    cluster.settle()
    assert ask("POST", "pods/default/p", {"phase": "Succeeded"})[0] == 200
    assert ask("GET", f"{PODS}/p")[1]["status"]["phase"] == "Succeeded"


@pytest.mark.parametrize(
    ("method", "path", "body", "code", "message"),
    [
        pytest.param(
            "GET",
            "nowhere",
            None,
            404,
            "nothing is at /_fakecluster/nowhere: GET /_fakecluster/ lists",
            id="unknown-path",
        ),
        pytest.param("PUT", "clock", None, 405, "PUT /_fakecluster/clock: expected GET", id="unknown-method"),
        pytest.param(
            "POST",
            "clock/advance",
            {"seconds": "1m"},
            400,
            "seconds is '1m': expected int or float",
            id="no-seconds",
        ),
        pytest.param("POST", "clock/advance", {"seconds": -1}, 400, "time goes forward only", id="backwards"),
        pytest.param(
            "POST", "clock/advance", [1], 400, "the body is [1]: expected a JSON object", id="no-object"
        ),
        pytest.param("POST", "faults", {"match": {}}, 400, "None is no effect", id="no-effect"),
        pytest.param("DELETE", "faults/none", None, 404, "no rule 'none': there are none", id="no-rule"),
        pytest.param(
            "POST", "snapshots/x/restore", None, 404, "no snapshot 'x': there are none", id="no-snapshot"
        ),
        pytest.param(
            "POST",
            "clusters/at",
            {"revision": 0},
            400,
            "expected a revision or a time, and not both",
            id="no-revision",
        ),
        pytest.param(
            "POST", "clusters/at", {"revision": 1}, 410, "the oldest revision kept is", id="before-history"
        ),
        pytest.param(
            "GET", "journal?verbs=x", None, 400, "entries of the journal have no 'verbs'", id="unknown-value"
        ),
        pytest.param(
            "GET", "journal?self=1", None, 400, "entries of the journal have no 'self'", id="word-of-ours"
        ),
        pytest.param(
            "GET",
            "journal?matches=1",
            None,
            400,
            "entries of the journal have no 'matches'",
            id="argument-of-ours",
        ),
        pytest.param("GET", "journal?format=xml", None, 400, "no export 'xml'", id="unknown-format"),
        pytest.param(
            "GET", "journal?since=now", None, 400, "since is 'now': expected a whole number", id="no-number"
        ),
        pytest.param("GET", "journal?since=%C2%B2", None, 400, "since is '²'", id="digit-of-another-sort"),
        pytest.param(
            "GET",
            "journal?wrote=maybe",
            None,
            400,
            "wrote is 'maybe': expected one of true, false",
            id="no-flag",
        ),
        pytest.param(
            "GET", f"journal?seq={'1' * 5000}", None, 400, "expected a whole number", id="many-digits"
        ),
        pytest.param("GET", "clock?when=now", None, 400, "the query when=… is not read here", id="query"),
        pytest.param(
            "POST",
            "clock/advance",
            {"second": 1},
            400,
            "the body has 'second': expected one of seconds; did you mean 'seconds'?",
            id="field-misspelt",
        ),
        pytest.param("POST", "clock/advance", {"seconds": 1e300}, 400, "at most by", id="too-far"),
        pytest.param(
            "POST",
            "settle",
            {"seconds": 1},
            400,
            "the body has 'seconds': expected one of none",
            id="field-of-another",
        ),
        pytest.param("POST", "snapshots", {"nam": "x"}, 400, "did you mean 'name'?", id="name-misspelt"),
        pytest.param(
            "POST",
            "clusters/at",
            {"revision": -1},
            400,
            "revision is -1: expected one from 1",
            id="revision-before-the-first",
        ),
        pytest.param(
            "POST", "clusters/at", {"revision": 10**9}, 400, "revision is 1000000000", id="revision-to-come"
        ),
        pytest.param(
            "POST",
            "faults",
            {"match": {"verb": "PUT"}, "effect": {"kind": "drop"}},
            400,
            "did you mean 'update'?",
            id="verb",
        ),
        pytest.param(
            "POST",
            "faults",
            {"match": {"resource": "podz"}, "effect": {"kind": "drop"}},
            400,
            "did you mean 'pods'?",
            id="resource",
        ),
        pytest.param(
            "POST",
            "pods/default/none",
            {"phase": "Failed", "exitCode": -1},
            400,
            "exitCode is -1",
            id="exit-code",
        ),
        pytest.param(
            "POST", "pods/default/none", {"phase": "Failed"}, 404, "there is no pod default/none", id="no-pod"
        ),
        pytest.param(
            "POST",
            "pods/default/none",
            {"phase": "Lost"},
            400,
            "phase is 'Lost': expected one of Running",
            id="no-phase",
        ),
    ],
)
def test_what_cannot_be_done_is_told(ask, method, path, body, code, message):
    answered, answer = ask(method, path, body)

    assert answered == code
    assert message in answer["error"]


def test_the_laboratory_is_guarded_like_any_path():
    with FakeCluster(tls=False, authorization="rbac", controllers="none") as cluster:
        link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=30)
        codes = []
        for user in (User(name="alice"), User(name="root", groups=("system:masters",))):
            link.request(
                "GET", "/_fakecluster/clock", headers={"Authorization": f"Bearer {cluster.token(user)}"}
            )
            answer = link.getresponse()
            codes.append(answer.status)
            answer.read()
        link.close()
    assert codes == [403, 200]


def test_rules_that_hit_nothing_are_listed(ask):
    ask("POST", "faults", {"id": "idle", "match": {"verb": "delete"}, "effect": {"kind": "drop"}})

    assert [rule["id"] for rule in ask("GET", "faults/unused")[1]] == ["idle"]
