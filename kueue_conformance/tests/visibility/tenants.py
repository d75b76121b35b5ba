"""Two tenants with a queue each in one ClusterQueue;
what waits in them has names that no other tenant may read.
"""

API = "kueue.x-k8s.io/v1beta2"
KUEUE, RBAC = f"/apis/{API}", "/apis/rbac.authorization.k8s.io/v1"
SECRET = "classified"
"""A part of every name of tenant b."""
QUEUES = {"a": "main", "b": f"{SECRET}-queue"}


def fill(client):
    """Make the tenants; alice reads the queues of namespace a, boss all of them."""
    client.create(f"{KUEUE}/resourceflavors", _object("ResourceFlavor", "default"))
    flavor = {"name": "default", "resources": [{"name": "cpu", "nominalQuota": "0"}]}
    spec = {"namespaceSelector": {}, "resourceGroups": [{"coveredResources": ["cpu"], "flavors": [flavor]}]}
    client.create(f"{KUEUE}/clusterqueues", {**_object("ClusterQueue", "shared"), "spec": spec})
    for namespace, queue in QUEUES.items():
        client.create("/api/v1/namespaces", {"metadata": {"name": namespace}})
        position = f"{KUEUE}/namespaces/{namespace}"
        client.create(
            f"{position}/localqueues", {**_object("LocalQueue", queue), "spec": {"clusterQueue": "shared"}}
        )
        name = f"{SECRET}-work" if namespace == "b" else "work"
        client.create(f"{position}/workloads", {**_object("Workload", name), "spec": _waiting(queue)})
    client.create(
        f"{RBAC}/namespaces/a/rolebindings", binding("RoleBinding", "kueue-batch-user-role", "alice")
    )
    client.create(
        f"{RBAC}/clusterrolebindings",
        binding("ClusterRoleBinding", "kueue-batch-admin-role", "boss", "flooder", "neighbour"),
    )


def binding(kind, role, *users):
    """Return a binding of users to a ClusterRole."""
    group = "rbac.authorization.k8s.io"
    return {
        "apiVersion": f"{group}/v1",
        "kind": kind,
        "metadata": {"name": f"{role}-{users[0]}"},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": role},
        "subjects": [{"kind": "User", "apiGroup": group, "name": user} for user in users],
    }


def narrow_flow(client, *users):
    """Give users of one flow schema three seats, and few places to wait (VIS-608)."""
    api = "flowcontrol.apiserver.k8s.io/v1"
    response = {"type": "Queue", "queuing": {"queues": 16, "handSize": 4, "queueLengthLimit": 5}}
    level = {"type": "Limited", "limited": {"nominalConcurrencyShares": 1, "limitResponse": response}}
    rule = {
        "subjects": [{"kind": "User", "user": {"name": user}} for user in users],
        "resourceRules": [
            {
                "verbs": ["*"],
                "apiGroups": ["*"],
                "resources": ["*"],
                "namespaces": ["*"],
                "clusterScope": True,
            }
        ],
    }
    spec = {
        "matchingPrecedence": 2,
        "priorityLevelConfiguration": {"name": "narrow"},
        "distinguisherMethod": {"type": "ByUser"},
        "rules": [rule],
    }
    for plural, kind, item in (
        ("prioritylevelconfigurations", "PriorityLevelConfiguration", level),
        ("flowschemas", "FlowSchema", spec),
    ):
        client.create(
            f"/apis/{api}/{plural}",
            {"apiVersion": api, "kind": kind, "metadata": {"name": "narrow"}, "spec": item},
        )


def _object(kind, name):
    return {"apiVersion": API, "kind": kind, "metadata": {"name": name}}


def _waiting(queue):
    container = {"name": "main", "image": "x", "resources": {"requests": {"cpu": "1"}}}
    template = {"spec": {"containers": [container], "restartPolicy": "Never"}}
    return {"queueName": queue, "podSets": [{"name": "main", "count": 1, "template": template}]}
