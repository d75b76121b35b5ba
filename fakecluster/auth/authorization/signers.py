"""Who may approve a request for a certificate, and who may sign it:
a right on the signer that it names (FK-495).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING

from ...api import status
from ...api.admission import Review
from ...api.attributes import Attributes
from ...base.json_types import Json
from ...schema.fields import go_quote

if TYPE_CHECKING:
    from .rbac import Rbac

GROUP, REQUESTS, SIGNERS = "certificates.k8s.io", "certificatesigningrequests", "signers"
RIGHTS: Mapping[str, str] = {"approval": "approve", "status": "sign"}
"""The verb that a write of a subresource needs."""
PLUGINS: Mapping[str, str] = {"CertificateApproval": "approval", "CertificateSigning": "status"}
"""The subresources that plugins of kube-apiserver ask about."""
WRITTEN = ("certificate", "conditions")


class Signers:
    """The check, before a write is validated, whether its user may decide for a signer."""

    def __init__(self, rbac: Rbac, disabled: Collection[str] = ()) -> None:
        self._rbac = rbac
        self._subresources = frozenset(sub for name, sub in PLUGINS.items() if name not in disabled)

    def check(self, review: Review) -> None:
        """Check what the user may write of a request. Raises 403."""
        if review.subresource in self._subresources and review.kind.stored_as == (GROUP, REQUESTS):
            self._check(review, RIGHTS[review.subresource])

    def _check(self, review: Review, verb: str) -> None:
        if verb == "sign" and not _signs(review.new, review.old):
            return
        signer = review.old["spec"].get("signerName", "")
        if not any(self._may(review, verb, name) for name in (signer, f"{signer.partition('/')[0]}/*")):
            why = f"user not permitted to {verb} requests with signerName {go_quote(signer)}"
            raise status.forbidden(GROUP, REQUESTS, review.name, why)

    def _may(self, review: Review, verb: str, signer: str) -> bool:
        wish = Attributes(user=review.user, verb=verb, group=GROUP, resource=SIGNERS, name=signer)
        return self._rbac.decide(wish).allowed


def _signs(new: Json, old: Json) -> bool:
    after, before = new.get("status") or {}, old.get("status") or {}
    return any((after.get(name) or None) != (before.get(name) or None) for name in WRITTEN)
