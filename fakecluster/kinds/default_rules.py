"""What is filled in for each type: constants where they suffice, small functions where one field depends on another
(FK-340, FK-465, FK-495, FK-496, FK-498…501).
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from typing import Any

from . import pod_requests as whole_pods

Json = Any
Rule = Callable[[Json], Json]
FILE_MODE = 420
DAY_AND_MORE = 10800
BUSY = [
    {
        "type": "Resource",
        "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}},
    }
]

UPWARD = {
    "stabilizationWindowSeconds": 0,
    "selectPolicy": "Max",
    "policies": [
        {"type": "Pods", "value": 4, "periodSeconds": 15},
        {"type": "Percent", "value": 100, "periodSeconds": 15},
    ],
}
DOWNWARD = {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}


def scaling(behavior: Json) -> Json:
    """Complete how an autoscaler goes up and down."""
    return {
        name: {**rules, **{key: one for key, one in (behavior.get(name) or {}).items() if one is not None}}
        for name, rules in (("scaleUp", UPWARD), ("scaleDown", DOWNWARD))
    }


def reached(value: Json) -> Json:
    """An address is one that packets are sent to, unless something else is said."""
    return {**value, "ipMode": "VIP"} if value.get("ip") and not value.get("ipMode") else value


def constants(**values: Json) -> Rule:
    """A rule that fills in members that are not there."""

    def rule(value: Json) -> Json:
        lacking = {name: constant for name, constant in values.items() if value.get(name) in (None, "")}
        return {**value, **lacking} if lacking else value

    return rule


def counts(**values: int) -> Rule:
    """A rule that fills in numbers that are zero."""

    def rule(value: Json) -> Json:
        lacking = {name: number for name, number in values.items() if not value.get(name)}
        return {**value, **lacking} if lacking else value

    return rule


def both(*rules: Rule) -> Rule:
    """Rules one after the other."""

    def rule(value: Json) -> Json:
        for one in rules:
            value = one(value)
        return value

    return rule


def without(*names: str) -> Rule:
    """A rule that drops fields whose feature is switched off in a stock server."""

    def rule(value: Json) -> Json:
        return {name: member for name, member in value.items() if name not in names}

    return rule


def pull_policy(reference: str) -> Rule:
    """`Always` for an image without tag or with `latest`, else `IfNotPresent`; the image stands in `reference`."""

    def rule(container: Json) -> Json:
        field = "pullPolicy" if reference == "reference" else "imagePullPolicy"
        if container.get(field):
            return container
        return {**container, field: "Always" if is_latest(container.get(reference, "")) else "IfNotPresent"}

    return rule


def is_latest(image: str) -> bool:
    """Tell whether an image reference means the newest image."""
    if "@" in image:
        return False
    tag = image.rpartition("/")[2].partition(":")[2]
    return tag in {"", "latest"} and bool(image)


def volume(value: Json) -> Json:
    """A volume without a source is an empty directory."""
    return value if len(value) > 1 else {**value, "emptyDir": {}}


def pod(value: Json) -> Json:
    """Requests follow limits, and a pod on the host's network has its ports on the host."""
    spec = constants(enableServiceLinks=True)(value["spec"])
    for name in ("containers", "initContainers"):
        if spec.get(name):
            spec = {**spec, name: [_of_pod(one, host=bool(spec.get("hostNetwork"))) for one in spec[name]]}
    return {**value, "spec": whole_pods.completed(spec)}


def _of_pod(container: Json, *, host: bool) -> Json:
    resources = container.get("resources") or {}
    if resources.get("limits"):
        requests = {**resources["limits"], **resources.get("requests", {})}
        container = {**container, "resources": {**resources, "requests": requests}}
    if host and container.get("ports"):
        ports = [
            {**port, "hostPort": port.get("hostPort") or port["containerPort"]} for port in container["ports"]
        ]
        container = {**container, "ports": ports}
    return container


def account(spec: Json) -> Json:
    """The old name of the service account's field always says the same."""
    name = spec.get("serviceAccountName") or spec.get("serviceAccount")
    return {**spec, "serviceAccountName": name, "serviceAccount": name} if name else spec


def service(value: Json) -> Json:
    """Type, affinity, traffic policies and target ports of a Service."""
    spec = constants(sessionAffinity="None", type="ClusterIP")(value["spec"])
    if spec["sessionAffinity"] == "None":
        spec = {name: member for name, member in spec.items() if name != "sessionAffinityConfig"}
    elif (spec.get("sessionAffinityConfig") or {}).get("clientIP", {}).get("timeoutSeconds") is None:
        spec = {**spec, "sessionAffinityConfig": {"clientIP": {"timeoutSeconds": DAY_AND_MORE}}}
    if spec["type"] in {"NodePort", "LoadBalancer"} or (
        spec["type"] == "ClusterIP" and spec.get("externalIPs")
    ):
        spec = constants(externalTrafficPolicy="Cluster")(spec)
    if spec["type"] != "ExternalName":
        spec = constants(internalTrafficPolicy="Cluster")(spec)
    if spec["type"] == "LoadBalancer":
        spec = constants(allocateLoadBalancerNodePorts=True)(spec)
    return {**value, "spec": spec}


def service_port(port: Json) -> Json:
    """A port leads to the same port of the pod."""
    port = constants(protocol="TCP")(port)
    return port if port.get("targetPort") else {**port, "targetPort": port.get("port", 0)}


def namespace(value: Json) -> Json:
    """Every namespace carries its name as a label (FK-340)."""
    metadata = value["metadata"]
    if not metadata.get("name"):
        return value
    labels = {**metadata.get("labels", {}), "kubernetes.io/metadata.name": metadata["name"]}
    return {**value, "metadata": {**metadata, "labels": labels}}


def node_spec(spec: Json) -> Json:
    """A node's first network has a field of its own."""
    networks = spec.get("podCIDRs") or ([spec["podCIDR"]] if spec.get("podCIDR") else [])
    return {**spec, "podCIDR": networks[0], "podCIDRs": networks} if networks else spec


def node_status(status: Json) -> Json:
    """What a node can give is what it has."""
    if "allocatable" in status or "capacity" not in status:
        return status
    return {**status, "allocatable": status["capacity"]}


def limit_range_item(item: Json) -> Json:
    """Container defaults follow maximum and minimum."""
    if item.get("type") != "Container":
        return item
    default = {**item.get("max", {}), **item.get("default", {})}
    request = {**item.get("min", {}), **default, **item.get("defaultRequest", {})}
    filled = {"default": default, "defaultRequest": request}
    return {**item, **{name: amounts for name, amounts in filled.items() if amounts}}


def job(value: Json) -> Json:
    """Counts, limits and policies of a Job (FK-465)."""
    spec = value["spec"]
    if spec.get("completions") is None and spec.get("parallelism") is None:
        spec = {**spec, "completions": 1}
    limit = 2**31 - 1 if spec.get("backoffLimitPerIndex") is not None else 6
    replacement = "Failed" if spec.get("podFailurePolicy") else "TerminatingOrFailed"
    spec = constants(
        parallelism=1, backoffLimit=limit, completionMode="NonIndexed", suspend=False,
        podReplacementPolicy=replacement, manualSelector=False,
    )(spec)  # fmt: skip
    return labelled({**value, "spec": spec})


def labelled(value: Json) -> Json:
    """An object without labels gets those of its pod template; for a Job, those generated there, too, once it is stored."""
    labels = (value["spec"].get("template") or {}).get("metadata", {}).get("labels")
    if not labels or value["metadata"].get("labels"):
        return value
    return {**value, "metadata": {**value["metadata"], "labels": labels}}


def replication_controller(value: Json) -> Json:
    """Its selector, too, follows the labels of the template."""
    labels = (value["spec"].get("template") or {}).get("metadata", {}).get("labels")
    if labels and not value["spec"].get("selector"):
        value = {**value, "spec": {**value["spec"], "selector": labels}}
    return labelled(value)


def rolling(**values: Json) -> Rule:
    """A rolling update with these numbers, unless another strategy is chosen."""

    def rule(strategy: Json) -> Json:
        strategy = constants(type="RollingUpdate")(strategy)
        if strategy["type"] != "RollingUpdate":
            return strategy
        return {**strategy, "rollingUpdate": constants(**values)(strategy.get("rollingUpdate") or {})}

    return rule


def stateful_update(strategy: Json) -> Json:
    """Only a strategy that names no type gets a rolling update of its own."""
    if not strategy.get("type"):
        strategy = {"rollingUpdate": {}, **strategy, "type": "RollingUpdate"}
    if strategy["type"] != "RollingUpdate" or strategy.get("rollingUpdate") is None:
        return strategy
    return {**strategy, "rollingUpdate": constants(partition=0)(strategy["rollingUpdate"])}


def retention(spec: Json) -> Json:
    """Claims of a StatefulSet are kept."""
    policy = constants(whenDeleted="Retain", whenScaled="Retain")(
        spec.get("persistentVolumeClaimRetentionPolicy") or {}
    )
    return {**spec, "persistentVolumeClaimRetentionPolicy": policy}


def role_binding(value: Json) -> Json:
    """The role's group is that of roles."""
    reference = constants(apiGroup="rbac.authorization.k8s.io")(value["roleRef"])
    return {**value, "roleRef": reference}


def subject(value: Json) -> Json:
    """Users and groups belong to the group of roles."""
    if value.get("kind") in {"User", "Group"}:
        return constants(apiGroup="rbac.authorization.k8s.io")(value)
    return value


def policy_types(spec: Json) -> Json:
    """A network policy is about what comes in, and about what goes out when it says so."""
    if spec.get("policyTypes"):
        return spec
    return {**spec, "policyTypes": ["Ingress", *(["Egress"] if spec.get("egress") else [])]}


def device_request(value: Json) -> Json:
    """One device, unless all are wanted."""
    value = constants(allocationMode="ExactCount")(value)
    return constants(count=1)(value) if value["allocationMode"] == "ExactCount" else value


def secret(value: Json) -> Json:
    """Plain text given as `stringData` becomes `data` and is never shown again (FK-498)."""
    plain = value.get("stringData")
    if plain is None:
        return value
    encoded = {name: base64.b64encode(text.encode()).decode() for name, text in plain.items()}
    kept = {name: member for name, member in value.items() if name != "stringData"}
    return {**kept, "data": {**value.get("data", {}), **encoded}}


CONTAINER = both(
    pull_policy("image"),
    constants(terminationMessagePath="/dev/termination-log", terminationMessagePolicy="File"),
)
MODE = constants(defaultMode=FILE_MODE)
WEBHOOK = constants(
    failurePolicy="Fail", matchPolicy="Equivalent", namespaceSelector={}, objectSelector={}, timeoutSeconds=10
)
RULES: Mapping[str, Rule] = {
    "admissionregistration.v1.MutatingWebhook": both(WEBHOOK, constants(reinvocationPolicy="Never")),
    "admissionregistration.v1.MatchResources": constants(
        matchPolicy="Equivalent", namespaceSelector={}, objectSelector={}
    ),
    "admissionregistration.v1.MutatingAdmissionPolicySpec": constants(failurePolicy="Fail"),
    "admissionregistration.v1.NamedRuleWithOperations": constants(scope="*"),
    "admissionregistration.v1.ValidatingAdmissionPolicySpec": constants(failurePolicy="Fail"),
    "admissionregistration.v1.RuleWithOperations": constants(scope="*"),
    "admissionregistration.v1.ServiceReference": constants(port=443),
    "admissionregistration.v1.ValidatingWebhook": WEBHOOK,
    "apiregistration.v1.ServiceReference": constants(port=443),
    "apps.v1.DaemonSetSpec": constants(revisionHistoryLimit=10),
    "apps.v1.DaemonSetUpdateStrategy": rolling(maxUnavailable=1, maxSurge=0),
    "autoscaling.v2.HorizontalPodAutoscalerSpec": constants(minReplicas=1, metrics=BUSY),
    "autoscaling.v1.HorizontalPodAutoscalerSpec": constants(minReplicas=1),
    "autoscaling.v2.HorizontalPodAutoscalerBehavior": scaling,
    "apps.v1.DeploymentSpec": constants(replicas=1, revisionHistoryLimit=10, progressDeadlineSeconds=600),
    "apps.v1.DeploymentStrategy": rolling(maxUnavailable="25%", maxSurge="25%"),
    "apps.v1.ReplicaSetSpec": constants(replicas=1),
    "apps.v1.RollingUpdateStatefulSetStrategy": without("maxUnavailable"),
    "networking.v1.IngressClassParametersReference": constants(scope="Cluster"),
    "core.v1.LoadBalancerIngress": reached,
    "apps.v1.StatefulSetSpec": both(
        constants(replicas=1, revisionHistoryLimit=10, podManagementPolicy="OrderedReady"), retention
    ),
    "apps.v1.StatefulSetUpdateStrategy": stateful_update,
    "batch.v1.CronJobSpec": constants(
        concurrencyPolicy="Allow", suspend=False, successfulJobsHistoryLimit=3, failedJobsHistoryLimit=1
    ),
    "batch.v1.Job": job,
    "batch.v1.PodFailurePolicyOnPodConditionsPattern": constants(status="True"),
    "coordination.v1.LeaseSpec": without("strategy", "preferredHolder"),
    "core.v1.ConfigMapVolumeSource": MODE,
    "core.v1.Container": CONTAINER,
    "core.v1.DownwardAPIVolumeSource": MODE,
    "core.v1.EndpointPort": constants(protocol="TCP"),
    "core.v1.EphemeralContainer": CONTAINER,
    "core.v1.HTTPGetAction": constants(path="/", scheme="HTTP"),
    "core.v1.HostPathVolumeSource": constants(type=""),
    "core.v1.ImageVolumeSource": pull_policy("reference"),
    "core.v1.LimitRangeItem": limit_range_item,
    "core.v1.Namespace": namespace,
    "core.v1.NamespaceStatus": constants(phase="Active"),
    "core.v1.NodeSpec": node_spec,
    "core.v1.NodeStatus": node_status,
    "core.v1.ObjectFieldSelector": constants(apiVersion="v1"),
    "core.v1.PersistentVolumeClaimSpec": constants(volumeMode="Filesystem"),
    "core.v1.PersistentVolumeClaimStatus": constants(phase="Pending"),
    "core.v1.PersistentVolumeSpec": constants(persistentVolumeReclaimPolicy="Retain", volumeMode="Filesystem"),
    "core.v1.PersistentVolumeStatus": constants(phase="Pending"),
    "core.v1.Pod": pod,
    "core.v1.PodSpec": both(account, constants(
        restartPolicy="Always", terminationGracePeriodSeconds=30, dnsPolicy="ClusterFirst",
        securityContext={}, schedulerName="default-scheduler",
    )),
    "core.v1.Probe": constants(timeoutSeconds=1, periodSeconds=10, successThreshold=1, failureThreshold=3),
    "core.v1.ProjectedVolumeSource": MODE,
    "core.v1.ReplicationController": replication_controller,
    "core.v1.Secret": both(secret, constants(type="Opaque")),
    "core.v1.SecretVolumeSource": MODE,
    "core.v1.Service": service,
    "core.v1.ServiceAccountTokenProjection": constants(expirationSeconds=3600),
    "core.v1.ServicePort": service_port,
    "core.v1.Volume": volume,
    "discovery.v1.EndpointPort": constants(name="", protocol="TCP"),
    "flowcontrol.v1.ExemptPriorityLevelConfiguration": constants(nominalConcurrencyShares=0, lendablePercent=0),
    "flowcontrol.v1.FlowSchemaSpec": counts(matchingPrecedence=1000),
    "flowcontrol.v1.LimitedPriorityLevelConfiguration": constants(nominalConcurrencyShares=30, lendablePercent=0),
    "flowcontrol.v1.QueuingConfiguration": counts(queues=64, handSize=8, queueLengthLimit=50),
    "rbac.v1.ClusterRoleBinding": role_binding,
    "rbac.v1.RoleBinding": role_binding,
    "rbac.v1.Subject": subject,
    "resource.v1.DeviceSubRequest": device_request,
    "resource.v1.ExactDeviceRequest": device_request,
    "networking.v1.NetworkPolicyPort": constants(protocol="TCP"),
    "networking.v1.NetworkPolicySpec": policy_types,
    "scheduling.v1.PriorityClass": constants(preemptionPolicy="PreemptLowerPriority"),
    "storage.v1.CSIDriverSpec": constants(
        attachRequired=True, podInfoOnMount=False, storageCapacity=False, fsGroupPolicy="ReadWriteOnceWithFSType",
        volumeLifecycleModes=["Persistent"], requiresRepublish=False, seLinuxMount=False,
    ),
    "storage.v1.StorageClass": constants(reclaimPolicy="Delete", volumeBindingMode="Immediate"),
}  # fmt: skip
