"""Why a server's certificate is not trusted, in the words of Go's crypto/x509 (FK-311)."""

from __future__ import annotations

import datetime as dt
import ipaddress

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

UNVERIFIED = "tls: failed to verify certificate: x509: "
HOST_MISMATCH = frozenset({62, 64})
"""OpenSSL's codes for a wrong host name and a wrong address."""
EXPIRY_ERRORS = frozenset({9, 10})
TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


def problem(code: int, der: bytes, name: str, ca: bytes | None) -> str:
    """Return the reason that belongs to OpenSSL's code."""
    shown = x509.load_der_x509_certificate(der)
    if code in HOST_MISMATCH:
        return UNVERIFIED + _wrong_host(shown, name)
    if code in EXPIRY_ERRORS:
        return UNVERIFIED + _untimely(shown)
    return f"{UNVERIFIED}certificate signed by unknown authority{_candidate(shown, ca)}"


def _wrong_host(shown: x509.Certificate, name: str) -> str:
    names, addresses = _alternatives(shown)
    if _is_address(name):
        if not addresses:
            return f"cannot validate certificate for {name} because it doesn't contain any IP SANs"
        return f"certificate is valid for {', '.join(addresses)}, not {name}"
    # Go says this only where no alternative name is there at all.
    if not names and not addresses and _common_name(shown.subject):
        return "certificate relies on legacy Common Name field, use SANs instead"
    if not names:
        return f"certificate is not valid for any names, but wanted to match {name}"
    return f"certificate is valid for {', '.join(names)}, not {name}"


def _alternatives(shown: x509.Certificate) -> tuple[list[str], list[str]]:
    try:
        alternative_names = shown.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return [], []
    addresses = [str(address) for address in alternative_names.get_values_for_type(x509.IPAddress)]
    return alternative_names.get_values_for_type(x509.DNSName), addresses


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _untimely(shown: x509.Certificate) -> str:
    current_time = dt.datetime.now(dt.UTC)  # noqa: TID251 - certificates live in real time
    late = current_time > shown.not_valid_after_utc
    bound = shown.not_valid_after_utc if late else shown.not_valid_before_utc
    relation = "after" if late else "before"
    comparison = (
        f"current time {current_time.strftime(TIME_FORMAT)} is {relation} {bound.strftime(TIME_FORMAT)}"
    )
    return f"certificate has expired or is not yet valid: {comparison}"


def _candidate(shown: x509.Certificate, ca: bytes | None) -> str:
    """Return the text about an authority of the right name with another key."""
    authorities = x509.load_pem_x509_certificates(ca) if ca else []
    candidate = next((authority for authority in authorities if authority.subject == shown.issuer), None)
    if candidate is None:
        return ""
    curve = isinstance(candidate.public_key(), ec.EllipticCurvePublicKey)
    why = "x509: ECDSA verification failure" if curve else "crypto/rsa: verification error"
    name = _common_name(candidate.subject)
    return f' (possibly because of "{why}" while trying to verify candidate authority certificate "{name}")'


def _common_name(name: x509.Name) -> str:
    return next((str(attribute.value) for attribute in name.get_attributes_for_oid(NameOID.COMMON_NAME)), "")
