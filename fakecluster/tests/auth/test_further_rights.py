"""Every way in which one verb does the work of another, with the rights of a user who has the one alone and
of a user who has both (FK-397).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import orjson
import pytest

from fakecluster import FakeCluster
from fakecluster.api.outcome import Request, User
from fakecluster.tests.auth.rights import ADMIN, RBAC, allow, rule

ALICE = User(name="alice", groups=("system:authenticated",))
ROBOT = User(
    name="system:serviceaccount:default:robot", extra={"authentication.kubernetes.io/node-name": ("node-a",)}
)
CORE, APPS = "/api/v1/namespaces/default", "/apis/apps/v1/namespaces/default"
ROLES, CLAIMS = (
    f"/apis/{group}/v1/namespaces/default/{plural}"
    for group, plural in ((RBAC, "roles"), ("resource.k8s.io", "resourceclaims"))
)
POLICIES = "/apis/admissionregistration.k8s.io/v1"
APPLY, MERGE = "application/apply-patch+yaml", "application/merge-patch+json"


def object_of(api_version: str, kind: str, name: str, **fields: Any) -> Any:
    return {"apiVersion": api_version, "kind": kind, "metadata": {"name": name}, **fields}


class Ask(NamedTuple):
    """A request to the cluster."""

    method: str
    path: str
    body: Any = None
    content_type: str = "application/json"


SERVICE = object_of("v1", "Service", "new", spec={"ports": [{"port": 80}]})
ROLE = object_of(f"{RBAC}/v1", "Role", "new", rules=[rule("get", "secrets")])
EMPTY_ROLE = ROLE | {"rules": []}
BINDING = object_of(
    f"{RBAC}/v1",
    "RoleBinding",
    "new",
    subjects=[],
    roleRef={"apiGroup": RBAC, "kind": "ClusterRole", "name": "cluster-admin"},
)
POD = object_of("v1", "Pod", "p", spec={"containers": [{"name": "c", "image": "i"}]})
CONFIG = object_of("v1", "ConfigMap", "new")
POLICY = object_of(
    "admissionregistration.k8s.io/v1",
    "ValidatingAdmissionPolicy",
    "new",
    spec={
        "paramKind": {"apiVersion": "v1", "kind": "ConfigMap"},
        "validations": [{"expression": "true"}],
        "matchConstraints": {
            "resourceRules": [
                {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["pods"]}
            ]
        },
    },
)
POLICY_BINDING = object_of(
    "admissionregistration.k8s.io/v1",
    "ValidatingAdmissionPolicyBinding",
    "new",
    spec={
        "policyName": "known",
        "validationActions": ["Deny"],
        "paramRef": {"name": "a", "namespace": "default", "parameterNotFoundAction": "Deny"},
    },
)
CLAIM = object_of(
    "resource.k8s.io/v1",
    "ResourceClaim",
    "claim",
    spec={"devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c"}}]}},
)
DEVICE = {"driver": "d.example.com", "pool": "p", "device": "d"}
ALLOCATION = {"devices": {"results": [{"request": "r", **DEVICE}]}}
ON_NODE = {
    "nodeSelectorTerms": [{"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["node-a"]}]}]
}
STATUS_OF_CLAIM = f"{CLAIMS}/claim/status"
SCALE = object_of("autoscaling/v1", "Scale", "d", spec={"replicas": 2})
DEPLOYMENT = object_of(
    "apps/v1",
    "Deployment",
    "d",
    spec={
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": POD["spec"]},
    },
)
BOUND = object_of("v1", "Binding", "p", target={"kind": "Node", "name": "n"})
EVICTION = object_of("policy/v1", "Eviction", "p")
TOKEN = {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {}}
DEBUG = {"spec": {"ephemeralContainers": [{"name": "d", "image": "i"}]}}
THERE = (
    (f"{CORE}/configmaps", object_of("v1", "ConfigMap", "a")),
    (f"{CORE}/serviceaccounts", object_of("v1", "ServiceAccount", "s")),
    (f"{CORE}/pods", POD),
    (f"{APPS}/deployments", DEPLOYMENT),
    (ROLES, ROLE | {"metadata": {"name": "wide"}}),
    (CLAIMS, CLAIM),
    (f"{POLICIES}/validatingadmissionpolicies", POLICY | {"metadata": {"name": "known"}}),
)

WAYS = [
    pytest.param("update", "create", "services", "", Ask("PUT", f"{CORE}/services/new", SERVICE), id="put-creates"),
    pytest.param("update", "create", "services", "", Ask("PUT", f"{CORE}/services/new?dryRun=All", SERVICE), id="put-creates-in-a-dry-run"),
    pytest.param("update", "create", "services/status", "", Ask("PUT", f"{CORE}/services/new/status", SERVICE | {"spec": {
        "type": "ExternalName", "externalName": "a.b"}}), id="put-of-a-status-creates"),
    pytest.param("update", "create", "roles", RBAC, Ask("PUT", f"{ROLES}/new", EMPTY_ROLE), id="put-creates-a-role"),
    pytest.param("patch", "create", "configmaps", "", Ask("PATCH", f"{CORE}/configmaps/new?fieldManager=m", CONFIG, APPLY), id="apply-creates"),
    pytest.param("delete", "deletecollection", "configmaps", "", Ask("DELETE", f"{CORE}/configmaps?fieldSelector=metadata.name=none"), id="delete-all"),
    pytest.param("deletecollection", "delete", "configmaps", "", Ask("DELETE", f"{CORE}/configmaps/a"), id="delete-one"),
    pytest.param("get", "list", "configmaps", "", Ask("GET", f"{CORE}/configmaps"), id="list"),
    pytest.param("get", "list", "configmaps", "", Ask("GET", f"{CORE}/configmaps?fieldSelector=metadata.name=a"), id="list-one-name"),
    pytest.param("list", "get", "configmaps", "", Ask("GET", f"{CORE}/configmaps/a"), id="get"),
    pytest.param("list", "watch", "configmaps", "", Ask("GET", f"{CORE}/configmaps?watch=1"), id="watch"),
    pytest.param("list", "watch", "configmaps", "", Ask("GET", f"{CORE}/configmaps?watch=f"), id="watch-by-any-word"),
    pytest.param("get", "watch", "configmaps", "", Ask("GET", "/api/v1/watch/namespaces/default/configmaps/a"), id="watch-by-path"),
    pytest.param("get", "create", "pods/exec", "", Ask("GET", f"{CORE}/pods/p/exec?command=ls"), id="exec-by-get"),
    pytest.param("get", "create", "pods/attach", "", Ask("GET", f"{CORE}/pods/p/attach"), id="attach-by-get"),
    pytest.param("get", "create", "pods/portforward", "", Ask("GET", f"{CORE}/pods/p/portforward"), id="forward-by-get"),
    pytest.param("get", "delete", "pods/proxy", "", Ask("DELETE", f"{CORE}/pods/p/proxy/x"), id="proxy-by-method"),
]  # fmt: skip
"""Verb that does the work, verb of the work, resource, group, request."""

BELOW = [
    pytest.param("deployments", "scale", "apps", Ask("PUT", f"{APPS}/deployments/d/scale", SCALE), id="scale"),
    pytest.param("deployments", "status", "apps", Ask("PATCH", f"{APPS}/deployments/d/status", {}, MERGE), id="status"),
    pytest.param("pods", "binding", "", Ask("POST", f"{CORE}/pods/p/binding", BOUND), id="binding"),
    pytest.param("pods", "eviction", "", Ask("POST", f"{CORE}/pods/p/eviction", EVICTION), id="eviction"),
    pytest.param("pods", "eviction", "", Ask("POST", f"{CORE}/pods/p/eviction?dryRun=All", EVICTION), id="eviction-in-a-dry-run"),
    pytest.param("pods", "ephemeralcontainers", "", Ask("PATCH", f"{CORE}/pods/p/ephemeralcontainers", DEBUG, MERGE), id="ephemeral-containers"),
    pytest.param("pods", "resize", "", Ask("PATCH", f"{CORE}/pods/p/resize", {}, MERGE), id="resize"),
    pytest.param("pods", "log", "", Ask("GET", f"{CORE}/pods/p/log"), id="log"),
    pytest.param("pods", "proxy", "", Ask("GET", f"{CORE}/pods/p/proxy/"), id="proxy"),
    pytest.param("serviceaccounts", "token", "", Ask("POST", f"{CORE}/serviceaccounts/s/token", TOKEN), id="token"),
    pytest.param("namespaces", "finalize", "", Ask("PUT", f"{CORE}/finalize", object_of("v1", "Namespace", "default", spec={})), id="finalize"),
]  # fmt: skip
"""Resource, its subresource, group, request."""


@pytest.fixture
def cluster():
    with FakeCluster(authorization="rbac", controllers="none") as cluster:
        for path, body in THERE:
            assert answer(cluster, Ask("POST", path, body), ADMIN)[0] == 201, path
        yield cluster


def answer(cluster, ask, user=ALICE):
    """The code and the body of what a user is answered; a stream is a 200."""
    path, _, query = ask.path.partition("?")
    pairs = tuple(tuple(pair.partition("=")[::2]) for pair in query.split("&") if pair)
    request = Request(
        method=ask.method,
        path=path,
        query=pairs,
        headers={"content-type": ask.content_type},
        body=b"" if ask.body is None else orjson.dumps(ask.body),
        user=user,
        audit_id="a",
    )
    outcome = cluster.call(lambda: cluster._core.api.handle(request))
    return getattr(outcome, "code", 200), orjson.loads(getattr(outcome, "body", b"{}") or b"{}")


@pytest.mark.parametrize(("verb", "work", "resource", "group", "ask"), WAYS)
def test_a_verb_that_does_the_work_of_another_needs_both_rights(cluster, verb, work, resource, group, ask):
    allow(cluster, rule(verb, resource, group))
    before = answer(cluster, ask)

    allow(cluster, rule(verb, resource, group), rule(work, resource, group))
    after = answer(cluster, ask)

    assert (before[0], after[0] == 403) == (403, False), (before, after)


@pytest.mark.parametrize(("resource", "subresource", "group", "ask"), BELOW)
def test_rights_to_an_object_are_none_to_its_subresources(cluster, resource, subresource, group, ask):
    allow(cluster, rule("*", f"{resource} {resource}/*", group))
    before = answer(cluster, ask)

    allow(cluster, rule("*", f"{resource}/{subresource}", group))
    after = answer(cluster, ask)

    assert (before[0], after[0] == 403) == (403, False), (before, after)


ABSENT = [
    pytest.param(Ask("PUT", f"{CORE}/configmaps/new", CONFIG), 404, id="put-of-a-kind-that-is-not-made-so"),
    pytest.param(Ask("PATCH", f"{CORE}/services/new", {}, MERGE), 404, id="merge-patch-makes-nothing"),
    pytest.param(Ask("PUT", f"{CORE}/services/new", SERVICE | {"spec": {"ports": [{"port": 0}]}}), 422, id="an-invalid-one-is-invalid-first"),
    pytest.param(Ask("PATCH", f"{CORE}/services/new?fieldManager=m", SERVICE | {"spec": {"ports": [{"port": 0}]}}, APPLY), 422,
                 id="an-invalid-apply-is-invalid-first"),
]  # fmt: skip


@pytest.mark.parametrize(("ask", "code"), ABSENT)
def test_what_makes_nothing_is_not_asked_for_the_right_to_create(cluster, ask, code):
    allow(cluster, rule("update patch", "configmaps services"))

    assert answer(cluster, ask)[0] == code


def test_the_right_to_create_a_name_lets_a_put_make_it(cluster):
    allow(cluster, rule("update", "services"), rule("create", "services", "", "new"))

    assert answer(cluster, Ask("PUT", f"{CORE}/services/new", SERVICE))[0] == 201
    assert answer(cluster, Ask("POST", f"{CORE}/services", SERVICE))[0] == 403


def test_a_put_that_may_not_create_is_refused_as_a_creation(cluster):
    allow(cluster, rule("update", "services"))

    code, body = answer(cluster, Ask("PUT", f"{CORE}/services/new", SERVICE))

    assert (code, body["message"]) == (
        403,
        'services "new" is forbidden: User "alice" cannot create resource "services" in API group "" in the namespace "default"',
    )


GRANTS = [
    pytest.param(Ask("POST", ROLES, ROLE), id="post"),
    pytest.param(Ask("PUT", f"{ROLES}/new", ROLE), id="put-that-creates"),
    pytest.param(Ask("PATCH", f"{ROLES}/new?fieldManager=m", ROLE, APPLY), id="apply-that-creates"),
    pytest.param(Ask("PATCH", f"{ROLES}/wide", {"rules": [rule("list", "secrets")]}, MERGE), id="merge-patch"),
    pytest.param(Ask("POST", ROLES.replace("roles", "rolebindings"), BINDING), id="bind-by-post"),
    pytest.param(Ask("PUT", ROLES.replace("roles", "rolebindings/new"), BINDING), id="bind-by-put"),
    pytest.param(Ask("PATCH", ROLES.replace("roles", "rolebindings/new?fieldManager=m"), BINDING, APPLY), id="bind-by-apply"),
]  # fmt: skip


@pytest.mark.parametrize("ask", GRANTS)
def test_rights_that_are_not_held_are_not_granted_by_any_verb(cluster, ask):
    allow(cluster, rule("create update patch", "roles rolebindings", RBAC))
    before = answer(cluster, ask)

    allow(cluster, rule("escalate", "roles", RBAC), rule("bind", "clusterroles", RBAC))
    after = answer(cluster, ask)

    assert (before[0], after[0] in {200, 201}) == (403, True), (before, after)
    assert "attempting to grant RBAC permissions not currently held" in before[1]["message"]


def test_the_right_to_escalate_a_name_lets_a_put_make_it_but_not_a_post(cluster):
    allow(cluster, rule("create update", "roles", RBAC), rule("escalate", "roles", RBAC, "new"))

    assert answer(cluster, Ask("POST", ROLES, ROLE))[0] == 403
    assert answer(cluster, Ask("PUT", f"{ROLES}/new", ROLE))[0] == 201


PARAMETERS = [
    pytest.param("validatingadmissionpolicies", POLICY, rule("get", "configmaps"), id="of-a-policy"),
    pytest.param("validatingadmissionpolicybindings", POLICY_BINDING, rule("get", "configmaps", "", "a"), id="of-a-binding"),
    pytest.param("validatingadmissionpolicybindings", POLICY_BINDING | {"spec": POLICY_BINDING["spec"] | {
        "paramRef": {"selector": {}, "parameterNotFoundAction": "Deny"}}}, rule("list", "configmaps"), id="that-a-binding-selects"),
    pytest.param("validatingadmissionpolicybindings", POLICY_BINDING | {"spec": POLICY_BINDING["spec"] | {
        "policyName": "absent"}}, rule("get", "*", "*"), id="of-a-policy-that-is-absent"),
]  # fmt: skip


@pytest.mark.parametrize(("plural", "body", "needed"), PARAMETERS)
def test_parameters_of_policies_have_to_be_readable(cluster, plural, body, needed):
    own = rule("create", plural, "admissionregistration.k8s.io")
    allow(cluster, own)
    before = answer(cluster, Ask("POST", f"{POLICIES}/{plural}", body))

    allow(cluster, own, needed)
    after = answer(cluster, Ask("POST", f"{POLICIES}/{plural}", body))

    assert (before[0], after[0]) == (422, 201), (before, after)


STATUSES = [
    pytest.param({"allocation": ALLOCATION}, rule("patch", "resourceclaims/binding", "resource.k8s.io"), ALICE, id="allocation"),
    pytest.param({"reservedFor": [{"resource": "pods", "name": "p", "uid": "u"}]}, rule("patch", "resourceclaims/binding", "resource.k8s.io"),
                 ALICE, id="reservation"),
    pytest.param({"devices": [DEVICE]}, rule("arbitrary-node:patch", "resourceclaims/driver", "resource.k8s.io", "d.example.com"), ALICE, id="devices"),
    pytest.param({"devices": [DEVICE]}, rule("associated-node:patch", "resourceclaims/driver", "resource.k8s.io"), ROBOT,
                 id="devices-on-the-own-node"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "needed", "user"), STATUSES)
def test_the_status_of_a_claim_is_written_by_those_whom_it_is_about(cluster, status, needed, user):
    if "allocation" not in status:
        allocated = {"status": {"allocation": ALLOCATION | {"nodeSelector": ON_NODE}}}
        assert answer(cluster, Ask("PATCH", STATUS_OF_CLAIM, allocated, MERGE), ADMIN)[0] == 200
    ask = Ask("PATCH", STATUS_OF_CLAIM, {"status": status}, MERGE)
    own = rule("patch", "resourceclaims/status", "resource.k8s.io")
    allow(cluster, own, user=user)
    before = answer(cluster, ask, user)

    allow(cluster, own, needed, user=user)
    after = answer(cluster, ask, user)

    assert (before[0], after[0]) == (422, 200), (before, after)


@pytest.mark.parametrize("kind", ["ResourceClaim", "ResourceClaimTemplate"])
def test_admin_access_to_devices_needs_the_label_of_the_namespace(cluster, kind):
    claim = {
        "devices": {"requests": [{"name": "r", "exactly": {"deviceClassName": "c", "adminAccess": True}}]}
    }
    spec = claim if kind == "ResourceClaim" else {"spec": claim}
    ask = Ask(
        "POST",
        f"{CLAIMS.removesuffix('s')}{kind[13:].lower()}s",
        object_of("resource.k8s.io/v1", kind, "new", spec=spec),
    )
    label = {"metadata": {"labels": {"resource.kubernetes.io/admin-access": "true"}}}

    before = answer(cluster, ask, ADMIN)
    answer(cluster, Ask("PATCH", "/api/v1/namespaces/default", label, MERGE), ADMIN)
    after = answer(cluster, ask, ADMIN)

    assert (before[0], after[0]) == (422, 201), (before, after)


FREE = [
    pytest.param(
        {
            "ownerReferences": [
                {"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "u", "blockOwnerDeletion": True}
            ]
        },
        id="block-an-owner",
    ),
    pytest.param({"finalizers": ["example.com/f"]}, id="add-a-finalizer"),
]


@pytest.mark.parametrize("metadata", FREE)
def test_owners_and_finalizers_need_no_right_of_their_own(cluster, metadata):
    allow(cluster, rule("patch", "configmaps"))

    assert answer(cluster, Ask("PATCH", f"{CORE}/configmaps/a", {"metadata": metadata}, MERGE))[0] == 200


def test_every_request_is_allowed_without_rbac():
    with FakeCluster(controllers="none") as cluster:
        assert answer(cluster, Ask("PUT", f"{CORE}/services/new", SERVICE))[0] == 201
        assert answer(cluster, Ask("POST", f"{POLICIES}/validatingadmissionpolicies", POLICY))[0] == 201
