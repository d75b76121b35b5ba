"""ProvisioningClass: an administrator's list of permitted classes,
as the proposal of 2023 sketched it (PR-260…269).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from ..kinds import CRDS, PROVISIONING_CLASSES
from ..resource import Json
from .common import LabelSelector
from .provisioning_requests import IMMUTABLE, OURS, PLAIN, definition_of_requests
from .schema import schema_of
from .vocabulary import SET, Int32, SchemaKeywords, Shape, entries, items, length


class ProvisioningClass(Shape):
    """A class of requests: its autoscaler and its parameters."""

    provisioner: Annotated[str, length(1, 253), IMMUTABLE, "Who answers requests of this class."]
    additional_parameters: Annotated[
        Mapping[str, Annotated[str, length(0, 255)]] | None, entries(100), "Parameters of its requests."
    ] = None
    parameter_policy: Annotated[
        Literal["Overridable", "Fixed", "Exclusive"], "What requests may say of parameters."
    ] = "Overridable"
    required_parameters: Annotated[tuple[str, ...], items(0, 100), SET, "Keys that requests must have."] = ()
    booking_duration_seconds: Annotated[Int32, SchemaKeywords({"minimum": 0, "maximum": 86400})] = 600
    max_pending: Annotated[
        Int32, SchemaKeywords({"minimum": 0}), "Requests without an answer in a namespace."
    ] = 0
    retry_until_seconds: Annotated[
        Int32 | None, SchemaKeywords({"minimum": 0}), "For how long they are tried."
    ] = None
    allowed_namespaces: Annotated[LabelSelector | None, "Where it may be used."] = None


def definition_of_classes() -> Json:
    """Return the CustomResourceDefinition of ProvisioningClasses."""
    resource = PROVISIONING_CLASSES
    schema = schema_of(ProvisioningClass, PLAIN)
    meta = {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"}}
    version = {
        "name": resource.version,
        "served": True,
        "storage": True,
        "schema": {"openAPIV3Schema": {**schema, "properties": {**meta, **schema["properties"]}}},
    }
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
                "shortNames": ["provclass"],
            },
            "scope": "Cluster",
            "versions": [version],
        },
    }


def definitions_for_requests(dialect: str) -> tuple[Json, ...]:
    """Return the definition of ProvisioningRequests, with that of their classes in the proposal; raises
    KeyError for an unknown dialect.
    """
    return (definition_of_requests(dialect), *((definition_of_classes(),) if dialect == "aep" else ()))
