"""Defaults of pods, of their containers and volumes (FK-495, FK-496)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ....base.json_types import Json
from ...default_rules import Defaulter, both, constants, drop_fields
from . import requests

FILE_MODE = 420
_HOST = r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?"
_PART = r"[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*"
REFERENCE = re.compile(rf"(?:{_HOST}(?:\.{_HOST})*(?::[0-9]+)?/)?{_PART}(?:/{_PART})*(?::\w[\w.-]{{0,127}})?")
"""An image without digest; what is no reference is nothing newest."""


def pull_policy(reference: str) -> Defaulter:
    """`Always` for an image without tag or with `latest`,
    else `IfNotPresent`; the image stands in `reference`.
    """

    def rule(container: Json) -> Json:
        field = "pullPolicy" if reference == "reference" else "imagePullPolicy"
        if container.get(field):
            return container
        return {**container, field: "Always" if is_latest(container.get(reference, "")) else "IfNotPresent"}

    return rule


def is_latest(image: str) -> bool:
    """Tell whether an image reference has the tag `latest`, or none."""
    if "@" in image or not REFERENCE.fullmatch(image):
        return False
    tag = image.rpartition("/")[2].partition(":")[2]
    return tag in {"", "latest"} and bool(image)


def volume(value: Json) -> Json:
    """A volume without a source is an empty directory."""
    return value if len(value) > 1 else {**value, "emptyDir": {}}


def pod(value: Json) -> Json:
    """Requests follow limits, and a pod on the host's network has its ports on the host."""
    spec = constants(enableServiceLinks=True)(value["spec"])
    if spec.get("terminationGracePeriodSeconds", 0) < 0:
        spec = {**spec, "terminationGracePeriodSeconds": 1}
    for name in ("containers", "initContainers"):
        if spec.get(name):
            spec = {
                **spec,
                name: [_of_pod(container, host=bool(spec.get("hostNetwork"))) for container in spec[name]],
            }
    return {**value, "spec": requests.with_pod_resources(spec)}


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
    """The deprecated field serviceAccount always equals serviceAccountName."""
    name = spec.get("serviceAccountName") or spec.get("serviceAccount")
    return {**spec, "serviceAccountName": name, "serviceAccount": name} if name else spec


def without_signal(container: Json) -> Json:
    """Drop the stopSignal of a container: its feature gate is off by default."""
    hooks = container.get("lifecycle")
    if hooks is None or "stopSignal" not in hooks:
        return container
    rest = {name: hook for name, hook in hooks.items() if name != "stopSignal"}
    without_lifecycle = {name: value for name, value in container.items() if name != "lifecycle"}
    return {**without_lifecycle, "lifecycle": rest} if rest else without_lifecycle


CONTAINER = both(
    without_signal,
    pull_policy("image"),
    constants(terminationMessagePath="/dev/termination-log", terminationMessagePolicy="File"),
)


def addresses(status: Json) -> Json:
    """The address of a pod is the first of its addresses; where they differ, it is the only one."""
    first, listed = status.get("podIP"), status.get("podIPs") or []
    if first and (not listed or listed[0].get("ip") != first):
        return {**status, "podIPs": [{"ip": first}]}
    if listed and not first and listed[0].get("ip"):
        return {**status, "podIP": listed[0]["ip"]}
    return status


MODE = constants(defaultMode=FILE_MODE)
DEFAULTS: Mapping[str, Defaulter] = {
    "core.v1.ConfigMapVolumeSource": MODE,
    "core.v1.Container": CONTAINER,
    "core.v1.DownwardAPIVolumeSource": MODE,
    "core.v1.EphemeralContainer": CONTAINER,
    "core.v1.GRPCAction": constants(service=""),
    "core.v1.HTTPGetAction": constants(path="/", scheme="HTTP"),
    "core.v1.HostPathVolumeSource": constants(type=""),
    "core.v1.ImageVolumeSource": pull_policy("reference"),
    "core.v1.ObjectFieldSelector": constants(apiVersion="v1"),
    "core.v1.Pod": pod,
    "core.v1.PodSpec": both(drop_fields("schedulingGroup"), account, constants(
        restartPolicy="Always", terminationGracePeriodSeconds=30, dnsPolicy="ClusterFirst",
        securityContext={}, schedulerName="default-scheduler",
    )),
    "core.v1.PodStatus": addresses,
    "core.v1.Probe": constants(timeoutSeconds=1, periodSeconds=10, successThreshold=1, failureThreshold=3),
    "core.v1.ProjectedVolumeSource": MODE,
    "core.v1.SecretVolumeSource": MODE,
    "core.v1.ServiceAccountTokenProjection": constants(expirationSeconds=3600),
    "core.v1.Volume": volume,
    "core.v1.VolumeProjection": drop_fields("clusterTrustBundle", "podCertificate"),
}  # fmt: skip
