"""Whether a client certificate was signed by an authority, for clients, and is valid (VIS-402, VIS-405)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID
from cryptography.x509.verification import (
    Criticality,
    ExtensionPolicy,
    Policy,
    PolicyBuilder,
    Store,
    VerificationError,
)

_UNFIT = (VerificationError, ValueError, x509.InvalidVersion, x509.DuplicateExtension, UnsupportedAlgorithm)
"""The exceptions for unusable client certificates."""


class CertificateError(Exception):
    """A certificate that is not good for this authority."""


def verify(der: bytes, authorities: Sequence[x509.Certificate], at: datetime) -> x509.Certificate:
    """Return a certificate in DER that one of the authorities signed, valid at a moment.

    Raises CertificateError.
    """
    try:
        certificate = x509.load_der_x509_certificate(der)
        (
            PolicyBuilder()
            .store(Store(list(authorities)))
            .time(at)
            .extension_policies(ca_policy=_OF_AUTHORITIES, ee_policy=_OF_CLIENTS)
            .build_client_verifier()
            .verify(certificate, [])
        )
    except _UNFIT as error:
        raise CertificateError(str(error)) from None
    return certificate


def common_name(certificate: x509.Certificate) -> str:
    """Return the common name of the subject, the last one when there are several; empty without."""
    # Go's pkix.Name keeps the last of several common names.
    return next(reversed(_names(certificate, NameOID.COMMON_NAME)), "")


def organizations(certificate: x509.Certificate) -> tuple[str, ...]:
    """Return the organizations of the subject."""
    return _names(certificate, NameOID.ORGANIZATION_NAME)


def _names(certificate: x509.Certificate, oid: x509.ObjectIdentifier) -> tuple[str, ...]:
    values = (attribute.value for attribute in certificate.subject.get_attributes_for_oid(oid))
    return tuple(value if isinstance(value, str) else value.decode("utf-8", "replace") for value in values)


def _for_clients(
    _policy: Policy, _certificate: x509.Certificate, usage: x509.ExtendedKeyUsage | None
) -> None:
    allowed = {ExtendedKeyUsageOID.CLIENT_AUTH, ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE}
    # A certificate without the extension is good for everything, as in Go.
    if usage is not None and not allowed & set(usage):
        raise ValueError("the certificate is not for clients")


def _signs(_policy: Policy, _certificate: x509.Certificate, basic: x509.BasicConstraints) -> None:
    if not basic.ca:
        raise ValueError("the issuer is no authority")


def _signs_certificates(_policy: Policy, _certificate: x509.Certificate, usage: x509.KeyUsage | None) -> None:
    if usage is not None and not usage.key_cert_sign:
        raise ValueError("the key of the issuer may not sign certificates")


# A certificate of a client need have no alternative name, and the authorities of clusters no key identifiers.
_OF_CLIENTS = ExtensionPolicy.permit_all().may_be_present(
    x509.ExtendedKeyUsage, Criticality.AGNOSTIC, _for_clients
)
_OF_AUTHORITIES = (
    ExtensionPolicy.permit_all()
    .require_present(x509.BasicConstraints, Criticality.AGNOSTIC, _signs)
    .may_be_present(x509.KeyUsage, Criticality.AGNOSTIC, _signs_certificates)
)
