"""A pod as a placement looks at it: what it requests and where it may run (PR-330, PR-331)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from reference_impl.api import instants
from reference_impl.api.resource import Json
from reference_impl.pods.requests import pod_requests

ANY_ADDRESS: Final = "0.0.0.0"  # noqa: S104 a pod's word for it
PODS: Final = "pods"
"""The resource of which each pod takes one."""


@dataclass(frozen=True, slots=True, eq=False)
class PodShape:
    """The part of a spec that all pods of a podSet share, parsed once."""

    namespace: str
    labels: Mapping[str, str]
    spec: Json
    requests: Mapping[str, int]
    ports: frozenset[tuple[str, str, int]]
    """Protocol, address and number of each port that it takes on its node."""
    relational: bool
    """Whether its place depends on the pods that run elsewhere: affinity to pods, or a spread."""

    @classmethod
    def of(cls, namespace: str, metadata: Json, spec: Json) -> PodShape:
        """Read a pod, or the template of one."""
        affinity = spec.get("affinity") or {}
        spreads = any(
            topology_spread_constraint.get("whenUnsatisfiable") == "DoNotSchedule"
            for topology_spread_constraint in spec.get("topologySpreadConstraints") or ()
        )
        return cls(
            namespace=namespace,
            labels=metadata.get("labels") or {},
            spec=spec,
            requests={**pod_requests(spec), PODS: 1},
            ports=frozenset(_ports(spec)),
            relational=spreads or bool(affinity.get("podAffinity") or affinity.get("podAntiAffinity")),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Pod:
    """One pod, real or only thought of."""

    namespace: str
    name: str
    shape: PodShape
    uid: str = ""
    annotations: Mapping[str, str] = field(default_factory=dict)
    owner: str = ""
    """The uid of its controller; empty for a pod without one."""
    created: float = 0.0
    object: Json = None
    """The pod as the API server stores it, None for one that is only thought of."""

    @classmethod
    def of(cls, obj: Json) -> Pod:
        """Read a Pod."""
        metadata = obj["metadata"]
        owners = metadata.get("ownerReferences") or ()
        return cls(
            namespace=metadata["namespace"],
            name=metadata["name"],
            shape=PodShape.of(metadata["namespace"], metadata, obj["spec"]),
            uid=metadata.get("uid", ""),
            annotations=metadata.get("annotations") or {},
            owner=next((owner["uid"] for owner in owners if owner.get("controller")), ""),
            created=instants.parse(metadata["creationTimestamp"]),
            object=obj,
        )


def _ports(spec: Json) -> Sequence[tuple[str, str, int]]:
    return [
        (port.get("protocol") or "TCP", port.get("hostIP") or ANY_ADDRESS, port["hostPort"])
        for container in spec.get("containers") or ()
        for port in container.get("ports") or ()
        if port.get("hostPort")
    ]
