"""Rights for the users of tests: rules, and roles with bindings that grant them."""

from __future__ import annotations

from itertools import count

from fakecluster.api.outcome import User
from fakecluster.api.status import StatusError

RBAC = "rbac.authorization.k8s.io"
ADMIN = User(name="admin", groups=("system:masters",))
ALICE = User(name="alice")
MERGE = {"content-type": "application/merge-patch+json"}
NUMBERS = count()


def rule(verbs, resources, group="", *names):
    named = {"resourceNames": list(names)} if names else {}
    return {"verbs": verbs.split(), "apiGroups": [group], "resources": resources.split(), **named}


def path_rule(verbs, *paths):
    return {"verbs": verbs.split(), "nonResourceURLs": list(paths)}


def reference(kind, name):
    return {"apiGroup": RBAC, "kind": kind, "name": name}


def collection(plural, namespace="default"):
    """The path of roles or bindings."""
    return f"/apis/{RBAC}/v1/" + (
        plural if plural.startswith("cluster") else f"namespaces/{namespace}/{plural}"
    )


def allow(cluster, *rules, user=ALICE, namespace=""):
    """Grant a user rights in a namespace, or in the whole cluster."""
    name = f"rights-{next(NUMBERS)}"
    bindings = collection("rolebindings", namespace) if namespace else collection("clusterrolebindings")
    binding = {"roleRef": reference("ClusterRole", name), "subjects": [reference("User", user.name)]}
    cluster.request("POST", collection("clusterroles"), {"metadata": {"name": name}, "rules": list(rules)})
    cluster.request("POST", bindings, {"metadata": {"name": name}, **binding})


def failure_code(cluster, method, path, body, user=ALICE):
    """Return the status code with which a user's request fails, 0 when it succeeds."""
    try:
        cluster.request(method, path, body, headers=MERGE if method == "PATCH" else {}, user=user)
    except StatusError as error:
        return error.code
    return 0


def is_forbidden(cluster, method, path, body, user=ALICE):
    """Whether a user's request is answered with 403; it must not fail otherwise."""
    code = failure_code(cluster, method, path, body, user)
    assert code in {0, 403}, code
    return code == 403
