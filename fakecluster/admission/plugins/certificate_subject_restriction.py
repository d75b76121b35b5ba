"""CertificateSubjectRestriction: no client certificate for the group that may do everything (FK-495)."""

from __future__ import annotations

from base64 import b64decode

from ...api.admission import Review
from ...api.context import Context
from ...kinds.validation import pem
from .plugin import CREATE, Plugin, forbidden

CLIENT_SIGNER, MASTERS = "kubernetes.io/kube-apiserver-client", "system:masters"


def check_subject(api: Context, review: Review) -> None:
    """Check that a request for a client certificate is not for system:masters. Raises 403."""
    del api
    spec = review.new.get("spec") or {}
    # Other signers make no client certificates that this server believes.
    if spec.get("signerName") != CLIENT_SIGNER:
        return
    subject = pem.signing_request(b64decode(spec["request"])).subject
    # Every organization counts: a subject may have several.
    if any(attribute.rfc4514_attribute_name == "O" and attribute.value == MASTERS for attribute in subject):
        raise forbidden(review, f"use of {CLIENT_SIGNER} signer with {MASTERS} group is not allowed")


PLUGIN = Plugin(
    name="CertificateSubjectRestriction",
    operations=CREATE,
    validates={("certificates.k8s.io", "certificatesigningrequests", ""): check_subject},
)
