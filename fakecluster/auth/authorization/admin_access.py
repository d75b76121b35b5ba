"""Devices are used with admin access only in namespaces whose label says so (FK-397, FK-504)."""

from __future__ import annotations

from msgspec import Struct

from ...api.admission import Review
from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError
from ...store import Store

GROUP = "resource.k8s.io"
NAMESPACES = ("", "namespaces")
LABEL = "resource.kubernetes.io/admin-access"
REFUSAL = f"admin access to devices requires the `{LABEL}: true` label on the containing namespace"


class AdminAccess(Struct, frozen=True):
    """The errors of claims for admin access in namespaces that do not allow it."""

    store: Store

    def errors(self, review: Review, new: Json, errors: list[FieldError]) -> list[FieldError]:
        """Return the errors of validation behind that of a claim, its template or its status."""
        if review.kind.group != GROUP or not (path := _path_of_new_access(review, new)):
            return errors
        namespace = self.store.get(NAMESPACES, ("", review.namespace))
        labels = namespace.object["metadata"].get("labels") or {} if namespace else {}
        return errors if labels.get(LABEL) == "true" else [fields.forbidden(path, REFUSAL), *errors]


def _path_of_new_access(review: Review, new: Json) -> str:
    """Return the path of the first new admin access; that of a template is the one of its claims."""
    plural = review.kind.plural
    if (plural, review.subresource) == ("resourceclaims", "status"):
        path = "status.allocation.devices.results"
        return "" if _first(_results(review.old), path) else _first(_results(new), path)
    if plural not in {"resourceclaims", "resourceclaimtemplates"} or review.operation != "CREATE":
        return ""
    spec = new["spec"] if plural == "resourceclaims" else new["spec"].get("spec") or {}
    requests = (spec.get("devices") or {}).get("requests") or []
    return _first([request.get("exactly") or {} for request in requests], "spec.devices.requests")


def _results(claim: Json) -> list[Json]:
    allocation = (claim.get("status") or {}).get("allocation") or {}
    results: list[Json] = (allocation.get("devices") or {}).get("results") or []
    return results


def _first(values: list[Json], path: str) -> str:
    for number, value in enumerate(values):
        if value.get("adminAccess"):
            return f"{path}[{number}].adminAccess"
    return ""
