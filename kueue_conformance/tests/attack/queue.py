"""A queue in which Workloads wait for ever, and the rights of those who read it."""

from .requests import NAMESPACE, VISIBILITY

WAITING = 300
API = "kueue.x-k8s.io/v1beta2"
KUEUE, RBAC = f"/apis/{API}", "/apis/rbac.authorization.k8s.io/v1"
GROUP = VISIBILITY.removeprefix("/apis/")
OBJECTS = (
    (
        f"{KUEUE}/resourceflavors",
        {"apiVersion": API, "kind": "ResourceFlavor", "metadata": {"name": "attacked"}},
    ),
    (
        f"{KUEUE}/clusterqueues",
        {
            "apiVersion": API,
            "kind": "ClusterQueue",
            "metadata": {"name": "attacked"},
            "spec": {
                "namespaceSelector": {},
                "queueingStrategy": "StrictFIFO",
                "resourceGroups": [
                    {
                        "coveredResources": ["cpu"],
                        "flavors": [
                            {"name": "attacked", "resources": [{"name": "cpu", "nominalQuota": "0"}]}
                        ],
                    }
                ],
            },
        },
    ),
    (
        f"{KUEUE}/namespaces/{NAMESPACE}/localqueues",
        {
            "apiVersion": API,
            "kind": "LocalQueue",
            "metadata": {"name": "attacked", "namespace": NAMESPACE},
            "spec": {"clusterQueue": "attacked"},
        },
    ),
)
READING = {
    "apiGroups": [GROUP],
    "resources": ["clusterqueues/pendingworkloads", "localqueues/pendingworkloads"],
    "verbs": ["get"],
}
MASKING = {
    "apiGroups": ["", "authentication.k8s.io"],
    "resources": ["users", "groups", "uids", "userextras/*"],
    "verbs": ["impersonate"],
}


def _role(name, *rules):
    head = {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": name}}
    return f"{RBAC}/clusterroles", {**head, "rules": list(rules)}


def _binding(name, kind, subject):
    group = "rbac.authorization.k8s.io"
    return f"{RBAC}/clusterrolebindings", {
        "apiVersion": f"{group}/v1",
        "kind": "ClusterRoleBinding",
        "metadata": {"name": f"{name}-{subject}"},
        "roleRef": {"apiGroup": group, "kind": "ClusterRole", "name": name},
        "subjects": [{"kind": kind, "apiGroup": group, "name": subject}],
    }


ACCESS = (
    _role("reads-queues", READING),
    _binding("reads-queues", "User", "bystander"),
    _binding("reads-queues", "Group", "maskers"),
    _role("masks", MASKING),
    _binding("masks", "Group", "maskers"),
)


def workloads():
    """Yield Workloads, each with the path to which it is posted."""
    container = {"name": "main", "image": "x", "resources": {"requests": {"cpu": "1"}}}
    pods = {
        "name": "main",
        "count": 1,
        "template": {"spec": {"containers": [container], "restartPolicy": "Never"}},
    }
    for number in range(WAITING):
        metadata = {"name": f"waits-{number}", "namespace": NAMESPACE}
        spec = {"queueName": "attacked", "podSets": [pods]}
        yield (
            f"{KUEUE}/namespaces/{NAMESPACE}/workloads",
            {"apiVersion": API, "kind": "Workload", "metadata": metadata, "spec": spec},
        )
