"""ProvisioningRequest: an autoscaler's kind, for clusters that have none yet (PR-001…030).

Two shapes: `ca` is what the Cluster Autoscaler serves, `aep` what the proposal of 2023 sketched. Never both
in a cluster.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final

from ..kinds import CRDS, PROVISIONING_REQUESTS
from ..resource import Json
from .common import Condition
from .edition import Edition
from .schema import schema_of
from .vocabulary import CelRule, Int32, Name, SchemaKeywords, Shape, entries, items, length, list_map_keys

IMMUTABLE: Final = CelRule("self == oldSelf", "Value is immutable")
PLAIN: Final = Edition("v0.19", (0, 19, 2))
"""No release of Kueue changes this kind."""
OURS: Final = {"app.kubernetes.io/name": "kueue-reference"}
"""The label of the CustomResourceDefinition that we install, which tells it from an existing one."""
DEPRECATION: Final = "autoscaling.k8s.io/v1beta1 API is deprecated"
Conditions = Annotated[tuple[Condition, ...], list_map_keys("type")]


class PodTemplateReference(Shape):
    """A PodTemplate of the same namespace."""

    name: Name


class RequestedPodSet(Shape):
    """So many pods of one template."""

    count: Annotated[Int32, SchemaKeywords({"minimum": 1})]
    pod_template_ref: PodTemplateReference


class ProvisioningRequestSpec(Shape):
    """The pods that need capacity, and the class of the request."""

    parameters: Annotated[
        Mapping[str, Annotated[str, length(0, 255)]] | None, entries(100), IMMUTABLE, "What its class reads."
    ] = None
    pod_sets: Annotated[tuple[RequestedPodSet, ...], items(1, 32), IMMUTABLE, "Which pods."]
    provisioning_class_name: Annotated[Name, IMMUTABLE, "Who answers, and how."]


class ProvisioningRequestStatus(Shape):
    """What the autoscaler answers."""

    conditions: Conditions = ()
    provisioning_class_details: Annotated[
        Mapping[str, Annotated[str, length(0, 32768)]] | None, entries(64), "What its class tells."
    ] = None


class ProvisioningRequest(Shape):
    """A request for capacity for pods that do not exist yet."""

    spec: ProvisioningRequestSpec
    status: ProvisioningRequestStatus | None = None


class ProposedReference(Shape):
    """A PodTemplate of the same namespace."""

    name: str


class ProposedPodSet(Shape):
    """So many pods of one template."""

    count: Annotated[Int32, SchemaKeywords({"minimum": 1, "maximum": 16384})]
    pod_template_ref: ProposedReference


class ProposedSpec(Shape):
    """The pods that need capacity, and the class of the request."""

    additional_parameters: Annotated[Mapping[str, str] | None, IMMUTABLE, "What its class reads."] = None
    pod_sets: Annotated[tuple[ProposedPodSet, ...], items(1, 32), IMMUTABLE, "Which pods."]
    provisioning_class: Annotated[str, IMMUTABLE, "Who answers, and how."]


class ProposedStatus(Shape):
    """What the autoscaler answers."""

    additional_status: Annotated[Mapping[str, str] | None, entries(64), "What its class tells."] = None
    conditions: Conditions = ()


class ProposedRequest(Shape):
    """A request for capacity for pods that do not exist yet, as the proposal has it (PR-030)."""

    spec: ProposedSpec
    status: ProposedStatus | None = None


def _version(name: str, shape: type[Shape], *, storage: bool = True, deprecated: bool = False) -> Json:
    schema = schema_of(shape, PLAIN)
    meta = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    return {
        "name": name,
        "served": True,
        "storage": storage,
        **({"deprecated": True, "deprecationWarning": DEPRECATION} if deprecated else {}),
        "schema": {"openAPIV3Schema": {**schema, "properties": {**meta, **schema["properties"]}}},
        "subresources": {"status": {}},
        "additionalPrinterColumns": [
            {"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"}
        ],
    }


VERSIONS: Final[Mapping[str, tuple[Json, ...]]] = MappingProxyType(
    {
        "ca": (
            _version("v1", ProvisioningRequest),
            _version("v1beta1", ProvisioningRequest, storage=False, deprecated=True),
        ),
        "aep": (_version("v1alpha1aep", ProposedRequest),),
    }
)


def definition_of_requests(dialect: str = "ca") -> Json:
    """Return the CustomResourceDefinition of ProvisioningRequests; raises KeyError for an unknown dialect."""
    resource = PROVISIONING_REQUESTS
    return {
        "apiVersion": CRDS.api_version,
        "kind": CRDS.kind,
        "metadata": {"name": f"{resource.plural}.{resource.group}", "labels": dict(OURS)},
        "spec": {
            "group": resource.group,
            "names": {
                "kind": resource.kind,
                "listKind": f"{resource.kind}List",
                "plural": resource.plural,
                "singular": resource.kind.lower(),
                "shortNames": ["provreq", "provreqs"],
            },
            "scope": "Namespaced",
            "versions": list(VERSIONS[dialect]),
        },
    }
