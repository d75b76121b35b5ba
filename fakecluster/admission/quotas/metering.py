"""How much of what a quota counts an object uses: a meter for each kind (FK-504)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from ...base.json_types import Json
from ...base.numbers.quantity import Quantity
from ...base.numbers.timestamps import since_epoch
from ...kinds.core.pod import requests as pod_requests
from ...kinds.resource_lists import ONE, Amounts

FINISHED_PHASES = frozenset({"Succeeded", "Failed"})
COUNTED_BY_PLAIN_NAME = frozenset({"configmaps", "replicationcontrollers", "resourcequotas", "secrets"})
"""Kinds that are counted by their plain name as well."""
COMPUTE_RESOURCES = ("cpu", "memory", "ephemeral-storage")
OF_PODS = frozenset(
    {
        "pods",
        "count/pods",
        *COMPUTE_RESOURCES,
        *(f"{side}.{name}" for side in ("requests", "limits") for name in COMPUTE_RESOURCES),
    }
)
REQUIRED_OF_CONTAINERS = frozenset(
    {"cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory"}
)
"""What each container has to say where a quota counts it."""
OF_CLASS = ".storageclass.storage.k8s.io/"
OF_CLAIMS = frozenset({"persistentvolumeclaims", "count/persistentvolumeclaims", "requests.storage"})
OF_SERVICES = frozenset({"services", "count/services", "services.loadbalancers", "services.nodeports"})


class Meter(Struct, frozen=True, kw_only=True):
    """Counts one kind.

    `remeasured` is the subresource, or the object itself, of whose updates the growth counts.
    """

    counts: Callable[[str], bool]
    usage: Callable[[Json, float], Amounts]
    remeasured: str | None = None
    unsaid: Callable[[Json, frozenset[str]], str] = lambda obj, names: ""  # noqa: ARG005
    """Returns what an object does not say that it must, because these names are counted."""


def meter(group: str, plural: str) -> Meter:
    """Return the meter of a kind: its objects are counted, if nothing more is."""
    return METERS.get((group, plural)) or _counter(group, plural)


def _counter(group: str, plural: str) -> Meter:
    names = {f"count/{plural}.{group}" if group else f"count/{plural}"}
    if not group and plural in COUNTED_BY_PLAIN_NAME:
        names.add(plural)
    usage = dict.fromkeys(names, ONE)
    return Meter(counts=names.__contains__, usage=lambda _obj, _current_time: dict(usage))


def _pod_counts(name: str) -> bool:
    extended = name.startswith("requests.") and "/" in name
    return name in OF_PODS or extended or name.removeprefix("requests.").startswith("hugepages-")


def _pod(pod: Json, current_time: float) -> Amounts:
    if not _is_counted(pod, current_time):
        return {"count/pods": ONE}
    spec = pod["spec"]
    used = _compute_resources(
        pod_requests.total_of_pod(spec, "requests"), pod_requests.total_of_pod(spec, "limits")
    )
    return {"pods": ONE, "count/pods": ONE, **used}


def _is_counted(pod: Json, current_time: float) -> bool:
    """Whether a pod uses anything: not when it has ended, or should have long ago."""
    about = pod["metadata"]
    if (pod.get("status") or {}).get("phase") in FINISHED_PHASES:
        return False
    gone, grace = about.get("deletionTimestamp"), about.get("deletionGracePeriodSeconds")
    # A pod that should have gone may hang on a dead node; it would hold its quota for ever.
    return not gone or grace is None or current_time <= since_epoch(gone) + grace


def _compute_resources(requests: Amounts, limits: Amounts) -> dict[str, Quantity]:
    usage: dict[str, Quantity] = {}
    for name, amount in requests.items():
        usage[f"requests.{name}"] = amount
        if "/" not in name:
            usage[name] = amount
    return usage | {f"limits.{name}": amount for name, amount in limits.items() if name in COMPUTE_RESOURCES}


def _unsaid(pod: Json, names: frozenset[str]) -> str:
    required, missing = names & REQUIRED_OF_CONTAINERS, dict[str, list[str]]()
    spec = pod["spec"]
    of_pod = _compute_resources(
        pod_requests.amounts_of(spec, "requests"), pod_requests.amounts_of(spec, "limits")
    )
    for container in pod_requests.containers(spec):
        of_container = _compute_resources(
            pod_requests.amounts_of(container, "requests"), pod_requests.amounts_of(container, "limits")
        )
        for name in required - of_container.keys() - of_pod.keys():
            missing.setdefault(name, []).append(container["name"])
    text = "; ".join(f"{name} for: {','.join(sorted(missing[name]))}" for name in sorted(missing))
    return f"must specify {text}" if text else ""


def _claim(claim: Json, current_time: float) -> Amounts:
    del current_time
    usage = {"count/persistentvolumeclaims": ONE, "persistentvolumeclaims": ONE}
    if storage := pod_requests.amounts_of(claim["spec"], "requests").get("storage"):
        usage["requests.storage"] = storage
    name = claim["spec"].get("storageClassName")
    of_class = {
        f"{name}{OF_CLASS}{key}": amount for key, amount in usage.items() if not key.startswith("count/")
    }
    return usage | of_class if name else usage


def _service(service: Json, current_time: float) -> Amounts:
    del current_time
    spec = service["spec"]
    kind, ports = spec.get("type"), spec.get("ports") or ()
    open_ports = 0
    if kind == "NodePort" or (
        kind == "LoadBalancer" and spec.get("allocateLoadBalancerNodePorts") is not False
    ):
        open_ports = len(ports)
    elif kind == "LoadBalancer":
        open_ports = sum(bool(port.get("nodePort")) for port in ports)
    return {
        "services": ONE,
        "count/services": ONE,
        "services.loadbalancers": Quantity.of(str(int(kind == "LoadBalancer"))),
        "services.nodeports": Quantity.of(str(open_ports)),
    }


METERS: Mapping[tuple[str, str], Meter] = {
    ("", "pods"): Meter(counts=_pod_counts, usage=_pod, remeasured="resize", unsaid=_unsaid),
    ("", "persistentvolumeclaims"): Meter(
        counts=lambda name: name in OF_CLAIMS or OF_CLASS in name, usage=_claim, remeasured=""
    ),
    ("", "services"): Meter(counts=OF_SERVICES.__contains__, usage=_service, remeasured=""),
}
