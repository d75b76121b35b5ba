"""What a request needs beside the right to its own verb:
every place in which one verb does the work of another (FK-397).

  | request | needs | asked |
  |---|---|---|
  | PUT or apply that makes its object | `create` of the object by name | before admission validates |
  | a role, by any verb | the rights that it grants, or `escalate` on it | after mutation |
  | a binding, by any verb | the rights of its role, or `bind` on it | after mutation |
  | `…/approval` of a certificate request | `approve` on its signer | before admission validates |
  | `…/status` of a certificate request, if it signs | `sign` on its signer | before admission validates |
  | an admission policy with parameters | `get` on all of their kind | with validation |
  | a binding of such a policy | `get` on its parameter, `list` where it selects | with validation |
  | `…/status` of a claim that allocates, reserves | the verb on `resourceclaims/binding` | with validation |
  | `…/status` of a claim about devices | the verb on `resourceclaims/driver` | with validation |
  | a claim, template or allocation with admin access | a label on the namespace | with validation |
  | GET of `exec`, `attach`, `portforward` | `create` of them | after admission |
  | headers `Impersonate-…` | `impersonate` on each of them (`auth.impersonation`) | before anything else |

A claim is a ResourceClaim. The verb on its `binding` is asked for the whole cluster, that on its `driver`
with `arbitrary-node:` before it.

Nothing else is needed: a subresource has rules of its own, which those of
its object do not cover, and neither owner references nor finalizers need
a right to the owner (`OwnerReferencesPermissionEnforcement` is off).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from msgspec import Struct

from ...api import status
from ...api.admission import AuthorizationChecks, Review
from ...api.attributes import Attributes
from ...api.registry import Registry
from ...base.json_types import Json
from ...schema import fields
from ...schema.fields import FieldError, go_quote
from ...store import Store
from . import access
from .claim_statuses import ClaimStatuses
from .escalation import Escalation
from .policy_parameters import PolicyParameters
from .rbac import Authorizer, Rbac

STREAMS = frozenset({"attach", "exec", "portforward"})
CERTIFICATES_GROUP, SIGNING_REQUESTS, SIGNERS = "certificates.k8s.io", "certificatesigningrequests", "signers"
VERB_OF_SUBRESOURCE: Mapping[str, str] = {"approval": "approve", "status": "sign"}
"""The verb that a write of a subresource needs."""
SUBRESOURCE_OF_PLUGIN: Mapping[str, str] = {"CertificateApproval": "approval", "CertificateSigning": "status"}
"""The subresources that plugins of kube-apiserver ask about."""
SIGNED_FIELDS = ("certificate", "conditions")
RESOURCE_GROUP = "resource.k8s.io"
NAMESPACES = ("", "namespaces")
ADMIN_ACCESS_LABEL = "resource.kubernetes.io/admin-access"
ADMIN_ACCESS_REFUSAL = (
    f"admin access to devices requires the `{ADMIN_ACCESS_LABEL}: true` label on the containing namespace"
)


def checks(
    rbac: Rbac, store: Store, registry: Registry, disabled: Collection[str] = ()
) -> AuthorizationChecks:
    """Return the checks of these rights, in the order in which they are asked at each moment of a write.

    disabled: names of admission plugins,
    of which CertificateApproval and CertificateSigning are checked here.
    """
    return AuthorizationChecks(
        mutated=(Escalation(rbac).check,),
        with_validation=(
            PolicyParameters(rbac, store, registry).errors,
            ClaimStatuses(rbac).errors,
            AdminAccess(store).errors,
        ),
        before_validation=(CreationByUpdate(rbac).check, Signers(rbac, disabled).check),
        admitted=(Connections(rbac).check,),
    )


class Connections:
    """The check, after admission, whether a user may connect into a pod whatever the method (FK-487)."""

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def check(self, review: Review) -> None:
        """Check the right to create a connection. Raises 403."""
        # A POST has been authorized as `create` already.
        if review.operation != "CONNECT" or review.subresource not in STREAMS or review.verb == "create":
            return
        kind = review.kind
        attributes = Attributes(
            user=review.user,
            verb="create",
            group=kind.group,
            resource=kind.plural,
            subresource=review.subresource,
            namespace=review.place,
            name=review.name,
        )
        decision = self._authorizer.decide(attributes)
        if not decision.allowed:
            raise status.forbidden(kind.group, kind.plural, review.name, decision.reason)


class CreationByUpdate:
    """The check, before a write is validated by admission,
    whether its user may make what a PUT or an apply makes.
    """

    def __init__(self, authorizer: Authorizer) -> None:
        self._authorizer = authorizer

    def check(self, review: Review) -> None:
        """Check the right to create the object by its name. Raises 403."""
        # A POST has been authorized as `create` already; here a PUT or an apply makes the object.
        if review.operation != "CREATE" or review.verb == "create":
            return
        attributes = Attributes(
            user=review.user,
            verb="create",
            group=review.kind.group,
            resource=review.kind.plural,
            subresource=review.subresource,
            namespace=review.place,
            name=review.name,
        )
        access.check(self._authorizer, attributes)


class Signers:
    """The check, before a write is validated, whether its user may approve or sign a request
    for a certificate: a right on the signer that the request names (FK-495).
    """

    def __init__(self, rbac: Rbac, disabled: Collection[str] = ()) -> None:
        self._rbac = rbac
        self._subresources = frozenset(
            sub for name, sub in SUBRESOURCE_OF_PLUGIN.items() if name not in disabled
        )

    def check(self, review: Review) -> None:
        """Check what the user may write of a request. Raises 403."""
        if review.subresource in self._subresources and review.kind.stored_as == (
            CERTIFICATES_GROUP,
            SIGNING_REQUESTS,
        ):
            self._check(review, VERB_OF_SUBRESOURCE[review.subresource])

    def _check(self, review: Review, verb: str) -> None:
        if verb == "sign" and not _signs(review.new, review.old):
            return
        signer = review.old["spec"].get("signerName", "")
        if not any(self._may(review, verb, name) for name in (signer, f"{signer.partition('/')[0]}/*")):
            why = f"user not permitted to {verb} requests with signerName {go_quote(signer)}"
            raise status.forbidden(CERTIFICATES_GROUP, SIGNING_REQUESTS, review.name, why)

    def _may(self, review: Review, verb: str, signer: str) -> bool:
        attributes = Attributes(
            user=review.user, verb=verb, group=CERTIFICATES_GROUP, resource=SIGNERS, name=signer
        )
        return self._rbac.decide(attributes).allowed


def _signs(new: Json, old: Json) -> bool:
    after, before = new.get("status") or {}, old.get("status") or {}
    return any((after.get(name) or None) != (before.get(name) or None) for name in SIGNED_FIELDS)


class AdminAccess(Struct, frozen=True):
    """The errors of claims for admin access to devices in namespaces that do not allow it (FK-504)."""

    store: Store

    def errors(self, review: Review, new: Json, errors: list[FieldError]) -> list[FieldError]:
        """Return the errors of validation behind that of a claim, its template or its status."""
        if review.kind.group != RESOURCE_GROUP or not (path := _path_of_new_access(review, new)):
            return errors
        namespace = self.store.get(NAMESPACES, ("", review.namespace))
        labels = namespace.object["metadata"].get("labels") or {} if namespace else {}
        return (
            errors
            if labels.get(ADMIN_ACCESS_LABEL) == "true"
            else [fields.forbidden(path, ADMIN_ACCESS_REFUSAL), *errors]
        )


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
