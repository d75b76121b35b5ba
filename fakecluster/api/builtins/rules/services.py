"""Services and Endpoints (FK-498, FK-504)."""

from __future__ import annotations

from ipaddress import ip_address

from ....schema import fields
from . import basics
from .basics import Errors, Json

TYPES = ("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")
PROTOCOLS = ("SCTP", "TCP", "UDP")
ADDRESS = "must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)"
NONE = "None"


def service(obj: Json) -> list[fields.FieldError]:
    """Judge a Service."""
    spec = obj["spec"]
    ports, headless, external = (
        spec.get("ports") or [],
        spec.get("clusterIP") == NONE,
        spec.get("type") == "ExternalName",
    )
    missing = not ports and not headless and not external
    return [
        *([fields.required("spec.ports")] if missing else []),
        *(
            basics.named(spec.get("externalName", ""), "spec.externalName", basics.dns_subdomain)
            if external
            else ()
        ),
        *_ports(ports),
        *basics.label_map(spec.get("selector"), "spec.selector"),
        *basics.choice(spec.get("sessionAffinity"), "spec.sessionAffinity", ("ClientIP", "None")),
        *basics.choice(spec.get("type"), "spec.type", TYPES),
        *_addresses(spec),
    ]


def _addresses(spec: Json) -> Errors:
    for number, one in enumerate(spec.get("clusterIPs") or ()):
        if one != NONE and not is_address(one):
            yield fields.invalid(f"spec.clusterIPs[{number}]", one, ADDRESS)


def _ports(ports: list[Json]) -> Errors:
    seen: set[str] = set()
    for number, one in enumerate(ports):
        path, name = f"spec.ports[{number}]", one.get("name", "")
        if name:
            yield from basics.optional_name(name, f"{path}.name", basics.dns_label)
            if name in seen:
                yield fields.duplicate(f"{path}.name", name)
            seen.add(name)
        elif len(ports) > 1:
            yield fields.required(f"{path}.name")
        yield from basics.port(one.get("port", 0), f"{path}.port")
        yield from basics.choice(one.get("protocol"), f"{path}.protocol", PROTOCOLS)
        yield from basics.port_or_name(one.get("targetPort", 0), f"{path}.targetPort")


def same_address(new: Json, old: Json) -> list[fields.FieldError]:
    """Judge that a Service keeps its address while it has one."""
    before, after = old["spec"].get("clusterIP"), new["spec"].get("clusterIP")
    if "ExternalName" in {old["spec"].get("type"), new["spec"].get("type")} or not before or before == after:
        return []
    return [fields.invalid("spec.clusterIPs[0]", new["spec"].get("clusterIPs"), "may not change once set")]


def status(new: Json, old: Json) -> list[fields.FieldError]:
    """Judge a Service's status."""
    del old
    ingress = (new.get("status", {}).get("loadBalancer") or {}).get("ingress")
    if not ingress or new["spec"].get("type") == "LoadBalancer":
        return []
    return [
        fields.forbidden("status.loadBalancer.ingress", "may only be used when `spec.type` is 'LoadBalancer'")
    ]


def endpoints(obj: Json) -> list[fields.FieldError]:
    """Judge Endpoints."""
    return [
        error
        for number, one in enumerate(obj.get("subsets") or ())
        for error in _subset(one, f"subsets[{number}]")
    ]


def _subset(value: Json, path: str) -> Errors:
    if not value.get("addresses") and not value.get("notReadyAddresses"):
        yield fields.required(path, "must specify `addresses` or `notReadyAddresses`")
    for member in ("addresses", "notReadyAddresses"):
        for number, one in enumerate(value.get(member) or ()):
            if not is_address(one.get("ip", "")):
                here = f"{path}.{member}[{number}].ip"
                yield fields.invalid(here, one.get("ip", ""), ADDRESS)
                yield fields.invalid(here, one.get("ip", ""), "must be a valid IP address")
    ports = value.get("ports") or []
    for number, one in enumerate(ports):
        here = f"{path}.ports[{number}]"
        if len(ports) > 1 and not one.get("name"):
            yield fields.required(f"{here}.name")
        yield from basics.port(one.get("port", 0), f"{here}.port")
        yield from basics.choice(one.get("protocol"), f"{here}.protocol", PROTOCOLS)


def is_address(text: str) -> bool:
    """Tell whether a text is an IP address."""
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
