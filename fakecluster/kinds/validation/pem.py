"""PEM texts of certificates, and the errors for one that cannot be parsed (FK-495)."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as Base64Error
from bisect import bisect_left
from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from cryptography.x509 import CertificateSigningRequest

REQUEST = "CERTIFICATE REQUEST"
CERTIFICATE = "CERTIFICATE"
BEGIN = re.compile(rb"^-----BEGIN ([^\n]*?)-----[ \t\r]*\n", re.MULTILINE)
END = re.compile(rb"(?=-----END ([^\n]*?)-----)")
HEADER = re.compile(rb"[^\n:]+:[^\n]*\n")
SEQUENCE = 0x30
CLASSES = "certificateRequest @2"
NO_OPTIONS = (
    "{optional:false explicit:false application:false private:false defaultValue:<nil> tag:<nil> stringType:0 timeType:0"
    " set:false omitEmpty:false}"
)


class PemError(Exception):
    """A text is no PEM certificate or certificate request; the text is Go's message."""


class PemBlock(Struct, frozen=True):
    """One encoded thing, and whether it has headers."""

    type: str
    headers: bool
    content: bytes


def blocks(text: bytes) -> Iterator[PemBlock]:
    """Yield the decoded PEM blocks of a text; anything between them is skipped."""
    for label, body in _split_blocks(text):
        begin = 0
        while header := HEADER.match(body, begin):
            begin = header.end()
        try:
            content = b64decode(re.sub(rb"\s", b"", body[begin:]), validate=True)
        except Base64Error:
            continue
        yield PemBlock(label.decode("utf-8", "replace"), begin > 0, content)


def _split_blocks(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield label and body of each block; the ends are looked for once, however many beginnings have none."""
    ends: dict[bytes, list[int]] = {}
    for end in END.finditer(text):
        ends.setdefault(end[1], []).append(end.start())
    at = 0
    while begin := BEGIN.search(text, at):
        at, places = begin.end(), ends.get(begin[1], [])
        if (next_ := bisect_left(places, at)) < len(places):
            yield begin[1], text[at : places[next_]]
            at = places[next_]


def signing_request(text: bytes) -> CertificateSigningRequest:
    """Return the request in a text, whose signature is that of its own key. Raises PemError."""
    block = next(blocks(text), None)
    if block is None or block.type != REQUEST:
        raise PemError("PEM block type must be CERTIFICATE REQUEST")
    return _verify(_parse(block.content))


def check_certificates(text: bytes) -> None:
    """Check that a text holds certificates and nothing else. Raises PemError."""
    from cryptography import x509  # takes a while to load, and few look at certificates

    number = 0
    for number, block in enumerate(blocks(text), 1):  # noqa: B007 - what counts is whether there was one
        if block.type != CERTIFICATE:
            raise PemError(f'only CERTIFICATE PEM blocks are allowed, found "{block.type}"')
        if block.headers:
            raise PemError("no PEM block headers are permitted")
        if not block.content:
            raise PemError("found CERTIFICATE PEM block containing 0 certificates")
        try:
            x509.load_der_x509_certificate(block.content)
        except ValueError as error:
            raise PemError("x509: malformed certificate") from error
    if not number:
        raise PemError("must contain at least one CERTIFICATE PEM block")


def _parse(content: bytes) -> CertificateSigningRequest:
    from cryptography import x509  # as above

    _check_outer(content)
    try:
        return x509.load_der_x509_csr(content)
    except ValueError as error:
        raise PemError("asn1: structure error: sequence tag mismatch") from error


def _check_outer(content: bytes) -> None:
    """Check the type and the length that the content begins with,
    as far as Go's words for them are simple.
    """
    if len(content) < 2:
        raise PemError(
            "asn1: syntax error: sequence truncated"
            if not content
            else "asn1: syntax error: truncated tag or length"
        )
    tag, length, start = content[0], content[1], 2
    if length & 0x80:
        start += length & 0x7F
        length = int.from_bytes(content[2:start], "big")
    if tag != SEQUENCE:
        description = f"{{class:{tag >> 6} tag:{tag & 0x1F} length:{length} isCompound:{str(bool(tag & 0x20)).lower()}}}"
        raise PemError(
            f"asn1: structure error: tags don't match (16 vs {description}) {NO_OPTIONS} {CLASSES}"
        )
    if len(content) < start + length:
        raise PemError("asn1: syntax error: data truncated")
    if len(content) > start + length:
        raise PemError("asn1: syntax error: trailing data")


def _verify(request: CertificateSigningRequest) -> CertificateSigningRequest:
    from cryptography.hazmat.primitives.asymmetric import ec, rsa  # as above

    if request.is_signature_valid:
        return request
    key = request.public_key()
    if isinstance(key, rsa.RSAPublicKey):
        raise PemError("crypto/rsa: verification error")
    kind = "ECDSA" if isinstance(key, ec.EllipticCurvePublicKey) else "Ed25519"
    raise PemError(f"x509: {kind} verification failure")
