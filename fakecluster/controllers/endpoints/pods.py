"""Which pods stand behind a Service, and what is published of each (FK-462)."""

from __future__ import annotations

from ...base.json_types import Json
from ...kinds.validation.basics import matches

FINISHED_PHASES = frozenset({"Succeeded", "Failed"})
FAMILIES = {"IPv4": "IPv4", "IPv6": "IPv6"}
"""The type of addresses in a slice, by the family of a Service."""
ZONE = "topology.kubernetes.io/zone"
HEADLESS = "None"


def selects(service: Json, pod: Json) -> bool:
    """Tell whether a Service selects a pod."""
    selector = service["spec"].get("selector")
    return bool(selector) and matches({"matchLabels": selector}, pod["metadata"].get("labels") or {})


def relevant(pod: Json) -> Json:
    """Return what endpoints depend on in a pod."""
    metadata, spec, status = pod["metadata"], pod["spec"], pod.get("status", {})
    return (
        metadata.get("labels"),
        "deletionTimestamp" in metadata,
        spec.get("nodeName"),
        status.get("podIPs"),
        status.get("phase") in FINISHED_PHASES,
        is_ready(pod),
        metadata["uid"],
    )


def is_published(pod: Json, *, going: bool) -> bool:
    """Tell whether a pod has an address and has not ended; `going` lets those in that are being deleted."""
    status = pod.get("status", {})
    stays = going or "deletionTimestamp" not in pod["metadata"]
    return bool(status.get("podIP")) and status.get("phase") not in FINISHED_PHASES and stays


def is_ready(pod: Json) -> bool:
    """Tell whether a pod says that it is ready."""
    conditions = pod.get("status", {}).get("conditions") or ()
    return any(condition["type"] == "Ready" and condition["status"] == "True" for condition in conditions)


def publishes_not_ready(service: Json) -> bool:
    """Tell whether a Service publishes pods that are not ready as if they were."""
    return bool(service["spec"].get("publishNotReadyAddresses"))


def address_types(service: Json) -> list[str]:
    """Return the types of addresses that a Service has slices of."""
    return [FAMILIES[family] for family in service["spec"].get("ipFamilies") or ("IPv4",)]


def addresses(pod: Json, address_type: str) -> list[str]:
    """Return the addresses of a pod that are of one type."""
    every = [entry["ip"] for entry in pod["status"].get("podIPs") or [{"ip": pod["status"]["podIP"]}]]
    return [address for address in every if (":" in address) == (address_type == "IPv6")]


def ports(service: Json, pod: Json) -> list[Json]:
    """Return the ports of a Service where a pod listens; those that it does not open are left out."""
    named, numbered = _ports_by_name(pod), []
    for port in service["spec"].get("ports") or ():
        protocol, target_port = port.get("protocol", "TCP"), port.get("targetPort") or port["port"]
        number = target_port if isinstance(target_port, int) else named.get((target_port, protocol))
        if number is not None:
            application = {"appProtocol": port["appProtocol"]} if port.get("appProtocol") else {}
            numbered.append(
                {"name": port.get("name", ""), "port": number, "protocol": protocol, **application}
            )
    return numbered


def hostname(service: Json, pod: Json) -> str:
    """Return the name under which a pod is known in the domain of its Service, empty when there is none."""
    spec = pod["spec"]
    return str(spec.get("hostname", "")) if spec.get("subdomain") == service["metadata"]["name"] else ""


def target(pod: Json) -> Json:
    """Return the reference to a pod."""
    metadata = pod["metadata"]
    return {
        "kind": "Pod",
        "name": metadata["name"],
        "namespace": metadata["namespace"],
        "uid": metadata["uid"],
    }


def endpoint(service: Json, pod: Json, node: Json | None, address_type: str) -> Json:
    """Return the endpoint of a pod in a slice; without addresses of that type it has none."""
    serving, going = is_ready(pod), "deletionTimestamp" in pod["metadata"]
    ready = publishes_not_ready(service) or (serving and not going)
    labels = (node["metadata"].get("labels") or {}) if node else {}
    optional = {
        "hostname": hostname(service, pod),
        "nodeName": pod["spec"].get("nodeName"),
        "zone": labels.get(ZONE),
    }
    return {
        "addresses": addresses(pod, address_type),
        "conditions": {"ready": ready, "serving": serving, "terminating": going},
        "targetRef": target(pod),
        **{name: value for name, value in optional.items() if value},
    }


def _ports_by_name(pod: Json) -> dict[tuple[str, str], int]:
    """Return the ports that a pod opens, by name and protocol; the first of a name counts."""
    early = pod["spec"].get("initContainers") or ()
    sidecars = [container for container in early if container.get("restartPolicy") == "Always"]
    ports: dict[tuple[str, str], int] = {}
    for container in (*pod["spec"]["containers"], *sidecars):
        for port in container.get("ports") or ():
            ports.setdefault((port.get("name", ""), port.get("protocol", "TCP")), port["containerPort"])
    return ports
