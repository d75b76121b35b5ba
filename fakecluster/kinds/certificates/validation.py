"""Requests for certificates: what they may say, who changes what of their status (FK-495)."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Sequence

from ...base.json_types import Json
from ...meta import names
from ...schema import fields
from ...schema.fields import FieldError, go_quote
from ..validation import pem
from ..validation.basics import Errors, Problems
from ..validation.duplicates import repeats

USAGES = (
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
)
LEGACY_SIGNER = "kubernetes.io/legacy-unknown"
MIN_EXPIRATION_SECONDS = 600
LONGEST_NAME, LONGEST_DOMAIN = 571, 253
APPROVAL_CONDITIONS = ("Approved", "Denied")
PERMANENT_CONDITIONS = (*APPROVAL_CONDITIONS, "Failed")
CONDITIONS, CERTIFICATE = "status.conditions", "status.certificate"
REDACTED_CERTIFICATE = "<certificate data>"


def request(obj: Json) -> list[FieldError]:
    """Judge a signing request."""
    return [*_spec(obj["spec"]), *_status(obj)]


def status(new: Json, old: Json) -> list[FieldError]:
    """Judge an update of the status by a signer."""
    return [*_status(new), *_immutable_parts(new, old), *_no_verdict(new, old), *_certificate_kept(new, old)]


def approval(new: Json, old: Json) -> list[FieldError]:
    """Judge an update of the conditions by an approver."""
    return [*_status(new), *_immutable_parts(new, old)]


def signer_name(value: str, path: str) -> Errors:
    """Judge the name of a signer: a domain and a path of one segment."""
    if not value:
        yield fields.required(path)
        return
    segments = value.split("/")
    if len(segments) != 2:
        detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
        yield fields.invalid(path, value, detail)
        return
    yield from _domain(segments[0], path)
    yield from _labels(segments[1], path, names.subdomain_problems)
    if len(value) > LONGEST_NAME:
        yield fields.too_long(path, LONGEST_NAME)


def _domain(domain: str, path: str) -> Errors:
    if len(domain) > LONGEST_DOMAIN:
        yield fields.too_long(path, LONGEST_DOMAIN)
    yield from _labels(domain, path, names.label_problems)
    if "." not in domain:
        yield fields.invalid(path, domain, "should be a domain with at least two segments separated by dots")


def _labels(segment: str, path: str, problems: Problems) -> Errors:
    """Judge the labels between the dots of a name; the message quotes the first bad label."""
    label_problems = (
        f"validating label {go_quote(label)}: {why}"
        for label in segment.split(".")
        for why in problems(label)
    )
    if (first := next(label_problems, None)) is not None:
        yield fields.invalid(path, segment, first)


def _spec(spec: Json) -> Errors:
    request = spec.get("request")
    try:
        pem.signing_request(b64decode(request or ""))
    except pem.PemError as why:
        yield fields.invalid("spec.request", request, str(why))
    yield from _usages(spec.get("usages") or (), "spec.usages")
    name = spec.get("signerName", "")
    if name == LEGACY_SIGNER:
        detail = "the legacy signerName is not allowed via this API version"
        yield fields.invalid("spec.signerName", name, detail)
    else:
        yield from signer_name(name, "spec.signerName")
    seconds = spec.get("expirationSeconds")
    if seconds is not None and seconds < MIN_EXPIRATION_SECONDS:
        detail = "may not specify a duration less than 600 seconds (10 minutes)"
        yield fields.invalid("spec.expirationSeconds", seconds, detail)


def _usages(usages: Sequence[str], path: str) -> Errors:
    if not usages:
        yield fields.required(path)
    for number, usage in enumerate(usages):
        if usage not in USAGES:
            yield fields.not_supported(f"{path}[{number}]", usage, list(USAGES))
    for number in sorted(repeats(usages)):
        yield fields.duplicate(f"{path}[{number}]", usages[number])


def _status(obj: Json) -> Errors:
    status = obj.get("status") or {}
    yield from _conditions(status.get("conditions") or ())
    if status.get("certificate"):
        try:
            pem.check_certificates(b64decode(status["certificate"]))
        except pem.PemError as why:
            yield fields.invalid(CERTIFICATE, REDACTED_CERTIFICATE, str(why))


def _conditions(conditions: Sequence[Json]) -> Errors:
    kinds: set[str] = set()
    for number, condition in enumerate(conditions):
        item_path, kind, value = (
            f"{CONDITIONS}[{number}]",
            condition.get("type", ""),
            condition.get("status", ""),
        )
        if not kind:
            yield fields.required(f"{item_path}.type")
        allowed = ["True"] if kind in PERMANENT_CONDITIONS else ["False", "True", "Unknown"]
        if not value:
            yield fields.required(f"{item_path}.status")
        elif value not in allowed:
            yield fields.not_supported(f"{item_path}.status", value, allowed)
        other = {"Approved": "Denied", "Denied": "Approved"}.get(kind)
        if other in kinds:
            detail = "Approved and Denied conditions are mutually exclusive"
            yield fields.invalid(CONDITIONS, kind, detail)
        if kind in kinds:
            yield fields.duplicate(f"{item_path}.type", kind)
        kinds.add(kind)


def _count(obj: Json, kind: str) -> int:
    return sum(
        condition.get("type") == kind for condition in (obj.get("status") or {}).get("conditions") or ()
    )


def _immutable_parts(new: Json, old: Json) -> Errors:
    for kind in PERMANENT_CONDITIONS:
        if _count(new, kind) < _count(old, kind):
            yield fields.forbidden(CONDITIONS, f"updates may not remove a condition of type {go_quote(kind)}")


def _no_verdict(new: Json, old: Json) -> Errors:
    for kind in APPROVAL_CONDITIONS:
        if _count(new, kind) > _count(old, kind):
            yield fields.forbidden(CONDITIONS, f"updates may not add a condition of type {go_quote(kind)}")


def _certificate_kept(new: Json, old: Json) -> Errors:
    before, after = ((request.get("status") or {}).get("certificate") or "" for request in (old, new))
    if before and before != after:
        yield fields.forbidden(CERTIFICATE, "updates may not modify existing certificate content")
