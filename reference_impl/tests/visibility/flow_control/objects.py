"""Objects of flow control as a cluster keeps them."""

from reference_impl.kueue.visibility.attributes import GROUP, Attributes, User

EVERYBODY = (
    {"kind": "Group", "group": {"name": "system:unauthenticated"}},
    {"kind": "Group", "group": {"name": "system:authenticated"}},
)
ANY_RESOURCE = {
    "verbs": ["*"],
    "apiGroups": ["*"],
    "resources": ["*"],
    "namespaces": ["*"],
    "clusterScope": True,
}
ANY_PATH = {"verbs": ["*"], "nonResourceURLs": ["*"]}


def schema(
    name, precedence=1000, *, level="", subjects=EVERYBODY, resources=(ANY_RESOURCE,), paths=(), by="ByUser"
):
    rule = {"subjects": list(subjects), "resourceRules": list(resources), "nonResourceRules": list(paths)}
    return {
        "metadata": {"name": name, "uid": f"uid-{name}"},
        "spec": {
            "matchingPrecedence": precedence,
            "priorityLevelConfiguration": {"name": level or name},
            "distinguisherMethod": {"type": by},
            "rules": [rule],
        },
    }


def level(name, shares=10, *, queues=16, hand=4, length=50, revision="1"):
    queuing = {"queues": queues, "handSize": hand, "queueLengthLimit": length}
    response = {"type": "Queue", "queuing": queuing} if queues else {"type": "Reject"}
    return {
        "metadata": {"name": name, "uid": f"uid-level-{name}", "resourceVersion": revision},
        "spec": {
            "type": "Limited",
            "limited": {"nominalConcurrencyShares": shares, "limitResponse": response},
        },
    }


def user(name, *groups):
    return User(name=name, groups=(*groups, "system:authenticated"))


CQ = Attributes(
    verb="get",
    path="/apis/x",
    group=GROUP,
    version="v1beta2",
    resource="clusterqueues",
    subresource="pendingworkloads",
    name="cq",
)
LQ = Attributes(
    verb="get",
    path="/apis/x",
    group=GROUP,
    version="v1beta2",
    resource="localqueues",
    subresource="pendingworkloads",
    namespace="a",
    name="main",
)
