"""Signs a certificate for a request: its subject and names,
the usages of the API object, a bounded life (FK-495).

Validity is in the machine's time, in which TLS judges it, not in that of the cluster.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterator, Mapping

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.x509.oid import ExtendedKeyUsageOID, ObjectIdentifier

from ...auth.certificates import Authority
from ...base.clock import WallClock

YEAR_SECONDS, SHORTEST_SECONDS, SHORT_SECONDS, BACKDATE_SECONDS = 365 * 24 * 3600, 600, 8 * 3600, 300
KEY_USAGES: Mapping[str, str] = {
    "signing": "digital_signature",
    "digital signature": "digital_signature",
    "content commitment": "content_commitment",
    "key encipherment": "key_encipherment",
    "key agreement": "key_agreement",
    "data encipherment": "data_encipherment",
    "cert sign": "key_cert_sign",
    "crl sign": "crl_sign",
    "encipher only": "encipher_only",
    "decipher only": "decipher_only",
}
IPSEC = "1.3.6.1.5.5.7.3"
EXTENDED_USAGES: Mapping[str, ObjectIdentifier] = {
    "any": ExtendedKeyUsageOID.ANY_EXTENDED_KEY_USAGE,
    "server auth": ExtendedKeyUsageOID.SERVER_AUTH,
    "client auth": ExtendedKeyUsageOID.CLIENT_AUTH,
    "code signing": ExtendedKeyUsageOID.CODE_SIGNING,
    "email protection": ExtendedKeyUsageOID.EMAIL_PROTECTION,
    "s/mime": ExtendedKeyUsageOID.EMAIL_PROTECTION,
    "ipsec end system": ObjectIdentifier(f"{IPSEC}.5"),
    "ipsec tunnel": ObjectIdentifier(f"{IPSEC}.6"),
    "ipsec user": ObjectIdentifier(f"{IPSEC}.7"),
    "timestamping": ExtendedKeyUsageOID.TIME_STAMPING,
    "ocsp signing": ExtendedKeyUsageOID.OCSP_SIGNING,
    "microsoft sgc": ObjectIdentifier("1.3.6.1.4.1.311.10.3.3"),
    "netscape sgc": ObjectIdentifier("2.16.840.1.113730.4.1"),
}
"""In the order in which Go writes them."""
ALTERNATIVES = (x509.DNSName, x509.IPAddress, x509.RFC822Name, x509.UniformResourceIdentifier)
Extension = tuple[x509.ExtensionType, bool]
"""An extension, and whether it is critical."""


def issue(
    authority: Authority,
    request: x509.CertificateSigningRequest,
    usages: Collection[str],
    seconds: int | None,
) -> bytes:
    """Return the certificate of a request, PEM; `seconds` is the life that it asks for."""
    life = YEAR_SECONDS if seconds is None else min(YEAR_SECONDS, max(SHORTEST_SECONDS, seconds))
    current_time = dt.datetime.fromtimestamp(int(WallClock().now()), dt.UTC)
    begin = current_time - dt.timedelta(seconds=BACKDATE_SECONDS)
    # Only a long life is shortened by what the start is dated back; a short one lasts as long as was asked
    # for.
    end = (current_time if life < SHORT_SECONDS else begin) + dt.timedelta(seconds=life)
    builder = x509.CertificateBuilder(
        authority.certificate.subject,
        request.subject,
        request.public_key(),
        x509.random_serial_number(),
        begin,
        min(end, authority.certificate.not_valid_after_utc),
    )
    for extension, critical in _extensions(authority, request, usages):
        builder = builder.add_extension(extension, critical=critical)
    certificate = builder.sign(authority.key, hashes.SHA256())
    return certificate.public_bytes(serialization.Encoding.PEM)


def _extensions(
    authority: Authority, request: x509.CertificateSigningRequest, usages: Collection[str]
) -> Iterator[Extension]:
    flags = {KEY_USAGES[usage] for usage in usages if usage in KEY_USAGES}
    if flags:
        yield _key_usage(flags), True
    purposes = dict.fromkeys(oid for usage, oid in EXTENDED_USAGES.items() if usage in usages)
    if purposes:
        yield x509.ExtendedKeyUsage(purposes), False
    yield x509.BasicConstraints(ca=False, path_length=None), True
    yield x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.key.public_key()), False
    names = _alternatives(request)
    if names:
        yield x509.SubjectAlternativeName(names), not list(request.subject)


def _key_usage(flags: Collection[str]) -> x509.KeyUsage:
    usage = {name: name in flags for name in KEY_USAGES.values()}
    if "key_agreement" not in flags:
        # What a key agrees to encipher or decipher only says nothing of a key that agrees on nothing.
        usage |= {"encipher_only": False, "decipher_only": False}
    return x509.KeyUsage(**usage)


def _alternatives(request: x509.CertificateSigningRequest) -> list[x509.GeneralName]:
    try:
        names = request.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return []
    return [name for kind in ALTERNATIVES for name in names if isinstance(name, kind)]
