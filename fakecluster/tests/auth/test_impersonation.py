"""Each part of an impersonated user needs a right of its own (FK-400)."""

from __future__ import annotations

import http.client
import json
from urllib.parse import urlsplit

import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import User
from fakecluster.tests.auth.rights import ALICE, allow, rule

AUTHN = "authentication.k8s.io"
NODE_NAME = "authentication.kubernetes.io/node-name"
ON_NODE_A = {NODE_NAME: ("a",)}
ROBOT = User(name="system:serviceaccount:default:robot", extra=ON_NODE_A)
WHOLE = {
    "Impersonate-User": ["bob"],
    "Impersonate-Group": ["devs"],
    "Impersonate-Uid": ["7"],
    "Impersonate-Extra-A.example%2Fscopes": ["view"],
}


def rights_of(verb, core):
    """Return the rights to be bob, by the part of him that each is about."""
    return {
        "users": rule(verb, "users", core, "bob"),
        "groups": rule(verb, "groups", core, "devs"),
        "uids": rule(verb, "uids", AUTHN, "7"),
        "userextras": rule(verb, "userextras/a.example/scopes", AUTHN, "view"),
    }


def on(resource, verb="create"):
    """Return the right to send a SelfSubjectReview as another user."""
    return rule(f"impersonate-on:{resource}:{verb}", "selfsubjectreviews", AUTHN)


LEGACY = rights_of("impersonate", "")
CONSTRAINED = {"request": on("user-info"), **rights_of("impersonate:user-info", AUTHN)}


@pytest.fixture
def cluster():
    with FakeCluster(tls=False, authorization="rbac", controllers="none") as cluster:
        yield cluster


def send(cluster, method, path, headers, user=ALICE, body=None):
    """Return the status code and the body of the answer to a request with headers, each of some values."""
    link = http.client.HTTPConnection(urlsplit(cluster.url).netloc, timeout=10)
    data = b"" if body is None else json.dumps(body).encode()
    link.putrequest(method, path)
    own = {
        "Authorization": [f"Bearer {cluster.token(user)}"],
        "Content-Type": ["application/json"],
        "Content-Length": [str(len(data))],
    }
    for name, values in (own | headers).items():
        for value in values:
            link.putheader(name, value)
    link.endheaders(data)
    response = link.getresponse()
    answer = response.status, json.loads(response.read())
    link.close()
    return answer


def review(cluster, headers, user=ALICE):
    """Return the status code of a SelfSubjectReview, and the user that it names."""
    path = f"/apis/{AUTHN}/v1/selfsubjectreviews"
    body = {"apiVersion": f"{AUTHN}/v1", "kind": "SelfSubjectReview"}
    code, answer = send(cluster, "POST", path, headers, user, body)
    return code, answer["status"]["userInfo"] if code == 201 else answer["message"]


@pytest.mark.parametrize("rights", [LEGACY, CONSTRAINED], ids=["legacy", "constrained"])
def test_a_user_with_all_rights_acts_as_the_whole_user(cluster, rights):
    allow(cluster, *rights.values())

    assert review(cluster, WHOLE) == (
        201,
        {
            "username": "bob",
            "uid": "7",
            "groups": ["devs", "system:authenticated"],
            "extra": {"a.example/scopes": ["view"]},
        },
    )


MISSING = [
    *(pytest.param(LEGACY, name, id=f"legacy-{name}") for name in LEGACY),
    *(pytest.param(CONSTRAINED, name, id=f"constrained-{name}") for name in CONSTRAINED),
]


@pytest.mark.parametrize(("rights", "missing"), MISSING)
def test_each_part_of_a_user_is_refused_without_its_own_right(cluster, rights, missing):
    allow(cluster, *(right for name, right in rights.items() if name != missing))

    assert review(cluster, WHOLE)[0] == 403


OTHERS = [
    pytest.param({"Impersonate-User": ["ann"]}, id="user"),
    pytest.param({"Impersonate-Group": ["devs", "ops"]}, id="second-group"),
    pytest.param({"Impersonate-Uid": ["8"]}, id="uid"),
    pytest.param(
        {"Impersonate-Extra-A.example%2Fscopes": ["view", "edit"]}, id="second-value-of-an-extra-field"
    ),
    pytest.param({"Impersonate-Extra-A.example%2Fother": ["view"]}, id="other-extra-field"),
]


@pytest.mark.parametrize("rights", [LEGACY, CONSTRAINED], ids=["legacy", "constrained"])
@pytest.mark.parametrize("other", OTHERS)
def test_a_right_to_a_name_is_none_to_another(cluster, other, rights):
    allow(cluster, *rights.values())

    assert review(cluster, WHOLE | other)[0] == 403


def test_a_request_is_judged_by_the_rights_of_the_impersonated_user(cluster):
    allow(cluster, LEGACY["users"], rule("list", "pods"))
    path, headers = "/api/v1/pods", {"Impersonate-User": ["bob"]}

    before = send(cluster, "GET", path, headers)
    allow(cluster, rule("list", "pods"), user=User(name="bob"))
    after = send(cluster, "GET", path, headers)

    assert (before[0], after[0]) == (403, 200)
    assert 'User "bob" cannot list resource "pods"' in before[1]["message"]


ACCOUNTS = [
    pytest.param(rule("impersonate", "serviceaccounts", "", "robot"), "default", 201, id="account"),
    pytest.param(rule("impersonate", "serviceaccounts", "", "robot"), "other", 403, id="other-namespace"),
    pytest.param(rule("impersonate", "serviceaccounts", "", "x"), "default", 403, id="other-account"),
    pytest.param(rule("impersonate", "users"), "", 403, id="all-users"),
]


@pytest.mark.parametrize(("right", "namespace", "code"), ACCOUNTS)
def test_a_service_account_is_impersonated_by_the_right_to_it(cluster, right, namespace, code):
    cluster.request("POST", "/api/v1/namespaces", {"metadata": {"name": "other"}})
    allow(cluster, right, namespace=namespace)

    assert review(cluster, {"Impersonate-User": [ROBOT.name]})[0] == code


def to_be(resource, resources):
    """Return the rights to send a SelfSubjectReview as any of some resources, in one way."""
    return [on(resource), rule(f"impersonate:{resource}", resources, AUTHN)]


USER_INFO, ACCOUNT = (
    to_be("user-info", "users groups userextras/a.b/c userextras/a.b/C"),
    to_be("serviceaccount", "serviceaccounts groups"),
)
ANY_NODE, OWN_NODE = to_be("arbitrary-node", "nodes groups"), to_be("associated-node", "nodes")
NODE_A = [on("arbitrary-node"), rule("impersonate:arbitrary-node", "nodes", AUTHN, "a")]
CONSTRAINTS = [
    pytest.param(USER_INFO, ALICE, {"User": "bob", "Group": "devs"}, 201, id="user"),
    pytest.param([on("user-info", "list"), USER_INFO[1]], ALICE, {"User": "bob"}, 403, id="right-to-another-verb"),
    pytest.param([on("user-info"), rule("impersonate", "users", AUTHN)], ALICE, {"User": "bob"}, 403, id="verb-of-the-legacy-way"),
    pytest.param(USER_INFO, ALICE, {"User": "bob", "Group": "system:masters"}, 403, id="system-masters"),
    pytest.param(USER_INFO, ALICE, {"User": "bob", "Group": ""}, 403, id="empty-group"),
    pytest.param(USER_INFO, ALICE, {"User": "bob", "Extra-a.b%2Fc": "1"}, 201, id="extra-field"),
    pytest.param(USER_INFO, ALICE, {"User": "bob", "Extra-a.b%2F%43": "1"}, 403, id="extra-field-in-upper-case"),
    pytest.param(USER_INFO, ALICE, {"User": "bob", "Extra-a.b%2Fc": ""}, 403, id="extra-field-without-a-value"),
    pytest.param([*USER_INFO, *to_be("user-info", "nodes")], ALICE, {"User": "system:node:a"}, 403, id="a-node-is-no-user"),
    pytest.param([*USER_INFO, *to_be("user-info", "serviceaccounts")], ALICE, {"User": ROBOT.name}, 403, id="an-account-is-no-user"),
    pytest.param(ACCOUNT, ALICE, {"User": ROBOT.name}, 201, id="account"),
    pytest.param(ACCOUNT, ALICE, {"User": ROBOT.name, "Group": "devs"}, 403, id="account-with-a-group"),
    pytest.param(ACCOUNT, ALICE, {"User": "bob"}, 403, id="a-user-is-no-account"),
    pytest.param(NODE_A, ALICE, {"User": "system:node:a"}, 201, id="node"),
    pytest.param(NODE_A, ALICE, {"User": "system:node:b"}, 403, id="other-node"),
    pytest.param(ANY_NODE, ALICE, {"User": "system:node:a", "Group": "devs"}, 403, id="node-with-a-group"),
    pytest.param(OWN_NODE, ROBOT, {"User": "system:node:a"}, 201, id="own-node"),
    pytest.param(OWN_NODE, ROBOT, {"User": "system:node:b"}, 403, id="a-node-that-is-not-the-own"),
    pytest.param(OWN_NODE, User(name="alice", extra=ON_NODE_A), {"User": "system:node:a"}, 403, id="own-node-of-no-account"),
]  # fmt: skip


@pytest.mark.parametrize(("rights", "user", "headers", "code"), CONSTRAINTS)
def test_a_constrained_right_holds_for_its_kind_of_user_only(cluster, rights, user, headers, code):
    allow(cluster, *rights, user=user)

    assert (
        review(cluster, {f"Impersonate-{name}": [value] for name, value in headers.items()}, user)[0] == code
    )


STARS = [
    pytest.param([on("user-info"), rule("impersonate:user-info", "users", AUTHN, "bob"),
                  rule("impersonate:user-info", "groups", AUTHN, "*")], 201, id="constrained"),
    pytest.param([LEGACY["users"], rule("impersonate", "groups", "", "*")], 403, id="legacy"),
]  # fmt: skip


@pytest.mark.parametrize(("rights", "code"), STARS)
def test_the_name_star_stands_for_many_groups_in_constrained_ways_only(cluster, rights, code):
    allow(cluster, *rights)

    assert review(cluster, {"Impersonate-User": ["bob"], "Impersonate-Group": list("abcd")})[0] == code
