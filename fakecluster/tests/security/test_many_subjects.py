"""Users of very many groups, bindings of very many subjects, roles of very many names: the work grows with
their number, not with its product.

With the product each of these would take minutes.
"""

import orjson
import pytest

from fakecluster import FakeCluster
from fakecluster.api.attributes import Attributes
from fakecluster.api.outcome import Request, User
from fakecluster.api.status import StatusError
from fakecluster.auth.impersonation import Impersonation
from fakecluster.fairness import Fairness

pytestmark = pytest.mark.timeout(60)
GROUP = "rbac.authorization.k8s.io"
RBAC = f"/apis/{GROUP}/v1"
ADMIN, ALICE = User(name="admin", groups=("system:masters",)), User(name="alice")
SUBJECTS, GROUPS = 14_000, 20_000
NAMES = [f"name-{number}" for number in range(GROUPS)]
LIST_PODS = Attributes(user=ALICE, verb="list", resource="pods")


@pytest.fixture
def cluster():
    with FakeCluster(authorization="rbac", controllers="none") as cluster:
        yield cluster


def create(cluster, path, body, user=ADMIN):
    request = Request(
        method="POST",
        path=path,
        headers={"content-type": "application/json"},
        body=orjson.dumps(body),
        user=user,
        audit_id="a",
    )
    outcome = cluster.call(lambda: cluster._core.api.handle(request))
    return outcome.code, orjson.loads(outcome.body)


def grant(cluster, name, subjects, *rules):
    create(cluster, f"{RBAC}/clusterroles", {"metadata": {"name": name}, "rules": list(rules)})
    reference = {"apiGroup": GROUP, "kind": "ClusterRole", "name": name}
    body = {"metadata": {"name": name}, "roleRef": reference, "subjects": subjects}
    assert create(cluster, f"{RBAC}/clusterrolebindings", body)[0] == 201


def subject(kind, name):
    return {"apiGroup": GROUP, "kind": kind, "name": name}


def test_a_review_of_many_groups_looks_them_up_in_bindings_of_many_subjects(cluster):
    rule = {"verbs": ["get"], "apiGroups": [""], "resources": ["pods"]}
    for number in range(4):
        grant(
            cluster, f"b{number}", [subject("Group", f"b{number}-{index}") for index in range(SUBJECTS)], rule
        )
    attributes = {"verb": "get", "resource": "pods"}

    def review(*groups):
        spec = {"user": "u", "groups": [*NAMES, *groups], "resourceAttributes": attributes}
        return create(cluster, "/apis/authorization.k8s.io/v1/subjectaccessreviews", {"spec": spec})[1][
            "status"
        ]

    assert review() == {"allowed": False}
    assert review("b3-13999", "b3-7")["reason"].endswith('of ClusterRole "b3" to Group "b3-7"')


@pytest.mark.parametrize(
    "headers",
    [
        pytest.param([("impersonate-group", name) for name in NAMES], id="groups"),
        pytest.param([("impersonate-extra-scopes", name) for name in NAMES], id="values of one field"),
        pytest.param([(f"impersonate-extra-{name}", "name-0") for name in NAMES], id="fields"),
    ],
)
def test_many_names_are_impersonated_by_one_look_at_the_rights(cluster, headers):
    resources = ["groups", "userextras/scopes", *(f"userextras/{name}" for name in NAMES)]
    groups = ["", "authentication.k8s.io"]
    grant(
        cluster,
        "i",
        [subject("User", "alice")],
        {"verbs": ["impersonate"], "apiGroups": [""], "resources": ["users"]},
        {"verbs": ["impersonate"], "apiGroups": groups, "resources": resources, "resourceNames": NAMES},
    )
    impersonation = Impersonation(cluster._core.security.authorizer)

    user = impersonation.acting(ALICE, (("impersonate-user", "u"), *headers), LIST_PODS)

    assert len(user.groups) + sum(map(len, user.extra.values())) == GROUPS + 1
    with pytest.raises(StatusError, match='groups "other" is forbidden'):
        impersonation.acting(
            ALICE, (("impersonate-user", "u"), *headers, ("impersonate-group", "other")), LIST_PODS
        )


def test_a_role_is_granted_by_rights_to_as_many_resources(cluster):
    own = {"verbs": ["create"], "apiGroups": [GROUP], "resources": ["clusterroles"]}
    rules = [{"verbs": ["get"], "apiGroups": [""], "resources": [name]} for name in NAMES[:5_000]]
    grant(cluster, "own", [subject("User", "alice")], own, *rules)

    assert (
        create(cluster, f"{RBAC}/clusterroles", {"metadata": {"name": "r"}, "rules": rules}, ALICE)[0] == 201
    )


def test_a_role_that_is_a_product_of_words_is_too_costly_to_grant(cluster):
    own = {"verbs": ["create"], "apiGroups": [GROUP], "resources": ["clusterroles"]}
    grant(cluster, "own", [subject("User", "alice")], own)
    words = NAMES[:300]
    rules = [{"verbs": words, "apiGroups": words, "resources": words}]

    code, body = create(cluster, f"{RBAC}/clusterroles", {"metadata": {"name": "r"}, "rules": rules}, ALICE)

    assert (code, "comparisons of rules" in body["message"]) == (413, True)


def test_a_flow_schema_of_many_groups_looks_up_those_of_a_user(cluster):
    rule = {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "clusterScope": True, "namespaces": ["*"]}
    subjects = [{"kind": "Group", "group": {"name": f"s{number}"}} for number in range(SUBJECTS - 4_000)]
    spec = {
        "priorityLevelConfiguration": {"name": "global-default"},
        "matchingPrecedence": 2,
        "rules": [{"subjects": subjects, "resourceRules": [rule]}],
    }
    path = "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas"
    code, body = create(cluster, path, {"metadata": {"name": "f"}, "spec": spec})
    assert code == 201, body["message"][:300]

    request = Request(
        method="GET",
        path="/api/v1/pods",
        user=User(name="u", groups=(*NAMES, "system:authenticated")),
        audit_id="a",
    )
    flow = Fairness(cluster._core.store, 600, cluster._core.clock).flow(request)

    assert flow.schema == "global-default"


def test_aggregated_roles_that_select_each_other_are_gathered():
    with FakeCluster(controllers="all") as cluster:
        aggregation = {"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]}
        for number in range(30):
            body = {"metadata": {"name": f"r{number}", "labels": {"a": "b"}}, "aggregationRule": aggregation}
            assert create(cluster, f"{RBAC}/clusterroles", body)[0] == 201
