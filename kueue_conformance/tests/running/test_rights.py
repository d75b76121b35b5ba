"""The subject on backend fake is a user of its own: it may do what its role says, and nothing of the
laboratory is its business.
"""

import pytest

from kueue_conformance.backends.fake import FakeBackend, WallFakeBackend
from kueue_conformance.scenarios import dialect
from kueue_conformance.subject.role import USUAL
from kueue_conformance.wire.client import ApiError, Client
from kueue_conformance.wire.transport import connect

EVERY_PATH = {"nonResourceURLs": ["*"], "verbs": ["*"]}
EVERY_RESOURCE = {"apiGroups": ["*"], "resources": ["*"], "verbs": ["*", "impersonate", "bind", "escalate"]}
LAB = {"nonResourceURLs": ["/_fakecluster/*", "/_fake*", "/_fakecluster/faults"], "verbs": ["*"]}
ROLES = {
    "usual": USUAL,
    "every path": (*USUAL, EVERY_PATH),
    "the laboratory": (*USUAL, LAB),
    "all": (EVERY_PATH, EVERY_RESOURCE),
}
RBAC = "/apis/rbac.authorization.k8s.io/v1"
ADMINISTRATOR = {
    "metadata": {"name": "x"},
    "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "cluster-admin"},
    "subjects": [
        {"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "kueue-conformance:subject"}
    ],
}
ASKED = [("GET", "faults"), ("DELETE", "faults"), ("GET", "journal"), ("POST", "clusters/fork"), ("GET", "")]


@pytest.fixture(params=[FakeBackend, WallFakeBackend], ids=["virtual time", "real time"])
def subject(request, tmp_path):
    """Return what makes a client of the subject, under a role."""

    def subject(rules):
        backend = request.param(rules)
        request.addfinalizer(backend.close)
        lease = backend.lend(dialect.known_dialects()["v0.19"])
        request.addfinalizer(lease.close)
        return Client(connect(lease.identity_for_subject(tmp_path)), agent="subject")

    return subject


def code(client, method, path, body=None):
    try:
        client.call(method, path, body)
    except ApiError as error:
        return error.code
    return 200


@pytest.mark.parametrize("rules", ROLES.values(), ids=ROLES)
def test_the_laboratory_is_closed_to_it(subject, rules):
    client = subject(rules)

    assert [code(client, method, f"/_fakecluster/{path}") for method, path in ASKED] == [403] * len(ASKED)


@pytest.mark.parametrize("rules", ROLES.values(), ids=ROLES)
def test_it_cannot_be_somebody_else(subject, rules):
    heads = {"Impersonate-User": "admin", "Impersonate-Group": "system:masters", "User-Agent": "subject"}
    send = subject(rules)._send

    assert [send("GET", path, heads, None)[0] for path in ("/_fakecluster/", "/api/v1/secrets")] == [403, 403]


@pytest.mark.parametrize("rules", ROLES.values(), ids=ROLES)
def test_it_cannot_grant_itself_more(subject, rules):
    assert code(subject(rules), "POST", f"{RBAC}/clusterrolebindings", ADMINISTRATOR) == 403


def test_it_may_do_what_its_role_says(subject):
    client = subject(USUAL)

    leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
    assert (code(client, "GET", leases), code(client, "GET", "/version"), code(client, "GET", "/apis")) == (
        200,
        200,
        200,
    )


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        pytest.param("GET", "/api/v1/secrets", None, id="read Secrets"),
        pytest.param("POST", "/api/v1/namespaces", {"metadata": {"name": "x"}}, id="make a namespace"),
    ],
)
def test_it_may_do_nothing_else(subject, method, path, body):
    assert code(subject(USUAL), method, path, body) == 403


def test_it_is_known_as_itself(subject):
    user_info = subject(USUAL).call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {})[
        "status"
    ]["userInfo"]

    assert (user_info["username"], user_info["groups"]) == (
        "kueue-conformance:subject",
        ["kueue-conformance:subjects", "system:authenticated"],
    )
