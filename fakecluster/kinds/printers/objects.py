"""The columns of nodes, namespaces, services, and of kinds that show one or two fields (FK-425)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...api.kind import Column
from ...codec.cells import AGE, NONE, UNSET, column, condition, few, joined, member, pairs

Json = Any
ROLE_LABEL = "node-role.kubernetes.io/"


def _node_status(node: Json) -> str:
    ready = {"True": "Ready", "False": "NotReady"}.get(condition(node, "Ready").get("status", ""))
    words = [ready or ("NotReady" if condition(node, "Ready") else "Unknown")]
    if member("spec", "unschedulable")(node):
        words.append("SchedulingDisabled")
    return ",".join(words)


def _roles(node: Json) -> str:
    labels = node["metadata"].get("labels") or {}
    return joined(sorted(key.removeprefix(ROLE_LABEL) for key in labels if key.startswith(ROLE_LABEL)))


def _address(kind: str) -> Any:
    def cell(node: Json) -> str:
        found = member("status", "addresses", default=())(node)
        return next((one["address"] for one in found if one["type"] == kind), NONE)

    return cell


def _info(name: str, shown: str, *, wide: bool = True) -> Column:
    missing = "<unknown>" if wide else ""
    return column(shown, lambda node: member("status", "nodeInfo", name)(node) or missing, wide=wide)


def _ports(service: Json) -> str:
    def one(port: Json) -> str:
        node = f":{port['nodePort']}" if port.get("nodePort") else ""
        return f"{port['port']}{node}/{port.get('protocol', 'TCP')}"

    return joined(one(port) for port in member("spec", "ports", default=())(service))


def _external(service: Json) -> str:
    if member("spec", "type")(service) == "ExternalName":
        return str(member("spec", "externalName")(service))
    given = list(member("spec", "externalIPs", default=())(service))
    balancer = member("status", "loadBalancer", "ingress", default=())(service)
    given += [one.get("ip") or one.get("hostname") or "" for one in balancer]
    pending = member("spec", "type")(service) == "LoadBalancer" and not given
    return "<pending>" if pending else joined(given)


def _quota(kind: str) -> Any:
    def cell(quota: Json) -> str:
        hard, used = (member("status", name, default={})(quota) for name in ("hard", "used"))
        limits = sorted(name for name in hard if name.startswith("limits") == (kind == "limits"))
        return ", ".join(f"{name}: {used.get(name, 0)}/{hard[name]}" for name in limits)

    return cell


def _subsets(endpoints: Json) -> str:
    found = [
        f"{address['ip']}:{port['port']}"
        for subset in endpoints.get("subsets") or ()
        for port in subset.get("ports") or ()
        for address in subset.get("addresses") or ()
    ]
    return few(found, NONE)


def _bound(cell: Callable[[Json], Json]) -> Callable[[Json], Json]:
    """Return a cell that is empty while a claim has no volume."""
    return lambda obj: cell(obj) if member("spec", "volumeName")(obj) else ""


NODE = (
    column("Status", _node_status),
    column("Roles", _roles),
    AGE,
    _info("kubeletVersion", "Version", wide=False),
    column("Internal-IP", _address("InternalIP"), wide=True),
    column("External-IP", _address("ExternalIP"), wide=True),
    _info("osImage", "OS-Image"),
    _info("kernelVersion", "Kernel-Version"),
    _info("containerRuntimeVersion", "Container-Runtime"),
)
SERVICE = (
    column("Type", member("spec", "type")),
    column("Cluster-IP", lambda obj: member("spec", "clusterIP")(obj) or NONE),
    column("External-IP", _external),
    column("Port(s)", _ports),
    AGE,
    column("Selector", lambda obj: pairs(member("spec", "selector")(obj)), wide=True),
)
CLAIM = (
    column(
        "Status",
        lambda obj: (
            "Terminating" if "deletionTimestamp" in obj["metadata"] else member("status", "phase")(obj)
        ),
    ),
    column("Volume", member("spec", "volumeName")),
    column("Capacity", _bound(member("status", "capacity", "storage"))),
    column("Access Modes", _bound(lambda obj: ",".join(member("status", "accessModes", default=())(obj)))),
    column("StorageClass", member("spec", "storageClassName")),
    column("VolumeAttributesClass", member("spec", "volumeAttributesClassName", default=UNSET)),
    AGE,
    column("VolumeMode", member("spec", "volumeMode", default=UNSET), wide=True),
)
PRIORITY_CLASS = (
    column("Value", member("value", default=0), "integer"),
    column("Global-Default", member("globalDefault", default=False), "boolean"),
    AGE,
    column("PreemptionPolicy", member("preemptionPolicy")),
)
DISRUPTION_BUDGET = (
    column("Min Available", lambda obj: str(member("spec", "minAvailable", default="N/A")(obj))),
    column("Max Unavailable", lambda obj: str(member("spec", "maxUnavailable", default="N/A")(obj))),
    column("Allowed Disruptions", member("status", "disruptionsAllowed", default=0), "integer"),
    AGE,
)
TABLES: dict[tuple[str, str], tuple[Column, ...]] = {
    ("", "configmaps"): (
        column("Data", lambda obj: len(obj.get("data") or ()) + len(obj.get("binaryData") or ())), AGE,
    ),
    ("", "endpoints"): (column("Endpoints", _subsets), AGE),
    ("", "namespaces"): (column("Status", member("status", "phase")), AGE),
    ("", "nodes"): NODE,
    ("", "persistentvolumeclaims"): CLAIM,
    ("", "resourcequotas"): (column("Request", _quota("requests")), column("Limit", _quota("limits")), AGE),
    ("", "secrets"): (column("Type", member("type")), column("Data", lambda obj: len(obj.get("data") or ())), AGE),
    ("", "services"): SERVICE,
    ("coordination.k8s.io", "leases"): (column("Holder", member("spec", "holderIdentity")), AGE),
    ("node.k8s.io", "runtimeclasses"): (column("Handler", member("handler")), AGE),
    ("policy", "poddisruptionbudgets"): DISRUPTION_BUDGET,
    ("resource.k8s.io", "deviceclasses"): (AGE,),
    ("resource.k8s.io", "resourceclaimtemplates"): (AGE,),
    ("scheduling.k8s.io", "priorityclasses"): PRIORITY_CLASS,
}  # fmt: skip
