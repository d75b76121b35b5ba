"""The kind of `certificates.k8s.io`, CertificateSigningRequest (FK-495)."""

from __future__ import annotations

from ...api.kind import Column, Kind
from ...base.json_types import Json
from ...codec import ages
from ...codec.cells import AGE, NONE, column, member
from ..field_selectors import paths
from ..row import STATUS, row
from . import validation


def _duration(request: Json, current_time: float) -> str:
    del current_time
    seconds = member("spec", "expirationSeconds", default=None)(request)
    return NONE if seconds is None else ages.duration(seconds)


def _verdict(request: Json) -> str:
    types = {condition["type"] for condition in member("status", "conditions", default=())(request)}
    word = "Denied" if "Denied" in types else "Approved" if "Approved" in types else "Pending"
    failed = ",Failed" if "Failed" in types else ""
    return f"{word}{failed}{',Issued' if member('status', 'certificate')(request) else ''}"


SIGNING_REQUEST = (
    AGE,
    column("SignerName", member("spec", "signerName")),
    column("Requestor", member("spec", "username")),
    Column(name="RequestedDuration", cell=_duration),
    column("Condition", _verdict),
)
KINDS: tuple[Kind, ...] = (
    row(
        "certificates.v1.CertificateSigningRequest",
        "certificatesigningrequests",
        short="csr",
        namespaced=False,
        subresources=STATUS | {"approval"},
        selectable=paths("spec.signerName"),
        resets=(("spec",),),
        status_resets=(("spec",), ("status", "conditions")),
        validate=validation.request,
        columns=SIGNING_REQUEST,
    ),
)
