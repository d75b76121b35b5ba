"""Warnings of a Service: members without effect, addresses in odd notation (FK-236)."""

from __future__ import annotations

from collections.abc import Iterator

from ....base.json_types import Json
from ...validation import address_warnings

NONE = "None"
TOPOLOGY_AWARE_HINTS, TOPOLOGY_MODE = (
    "service.kubernetes.io/topology-aware-hints",
    "service.kubernetes.io/topology-mode",
)
DEPRECATED_ADDRESSES = "spec.externalIPs is deprecated and may no longer be implemented in some clusters"
PREFER_CLOSE_WARNING = 'spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"'


def warnings(new: Json, old: Json) -> list[str]:
    """Return the warnings of a Service."""
    del old
    spec = new["spec"]
    hints = TOPOLOGY_AWARE_HINTS in (new["metadata"].get("annotations") or {})
    deprecated = (
        [f"annotation {TOPOLOGY_AWARE_HINTS} is deprecated, please use {TOPOLOGY_MODE} instead"]
        if hints
        else []
    )
    return [*deprecated, *_headless(spec), *_addresses(spec), *_types(spec)]


def _is_headless(spec: Json) -> bool:
    return bool(spec.get("type") == "ClusterIP" and spec.get("clusterIP") == NONE)


def _headless(spec: Json) -> Iterator[str]:
    if not _is_headless(spec):
        yield from address_warnings.of_addresses(_with_paths(spec, "clusterIPs"))
        return
    for name in ("loadBalancerIP", "externalIPs"):
        if spec.get(name):
            yield f"spec.{name} is ignored for headless services"
    if spec.get("sessionAffinity", NONE) != NONE:
        yield "spec.SessionAffinity is ignored for headless services"


def _addresses(spec: Json) -> Iterator[str]:
    yield from address_warnings.of_addresses(_with_paths(spec, "externalIPs"))
    if spec.get("externalIPs") and not _is_headless(spec) and spec.get("type") != "ExternalName":
        yield DEPRECATED_ADDRESSES
    yield from address_warnings.of_addresses([("spec.loadBalancerIP", spec.get("loadBalancerIP") or "")])


def _with_paths(spec: Json, member: str) -> Iterator[tuple[str, str]]:
    for number, address in enumerate(spec.get(member) or ()):
        yield f"spec.{member}[{number}]", address


def _types(spec: Json) -> Iterator[str]:
    is_name = spec.get("type") == "ExternalName"
    if is_name and spec.get("externalIPs"):
        yield 'spec.externalIPs is ignored when spec.type is "ExternalName"'
    if not is_name and spec.get("externalName"):
        yield 'spec.externalName is ignored when spec.type is not "ExternalName"'
    if spec.get("trafficDistribution") == "PreferClose":
        yield PREFER_CLOSE_WARNING
