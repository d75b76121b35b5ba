"""Certificates of authorities that a definition's converter is trusted by (FK-251)."""

from __future__ import annotations

import re
from base64 import b64decode

from ..base.json_types import Json

_BLOCK = re.compile(rb"-----BEGIN (?P<kind>[^-\n]*)-----\s(?P<body>.*?)-----END (?P=kind)-----", re.DOTALL)
_CERTIFICATE = b"CERTIFICATE"


def authority_problem(bundle: str) -> str:
    """Return why a bundle in base64 holds no certificate; empty when it holds one."""
    from cryptography import x509  # rarely asked for

    problem = ""
    for block in _BLOCK.finditer(b64decode(bundle)):
        # Go's CertPool skips blocks of another kind and goes on to the next; one good certificate is enough.
        if block["kind"] != _CERTIFICATE:
            problem = problem or "no valid certificate authority data seen"
            continue
        try:
            x509.load_der_x509_certificate(b64decode(block["body"]))
        except ValueError:
            problem = "failed to parse certificate: x509: malformed certificate"
        else:
            # One that can be read makes the bundle usable, whatever else it has.
            return ""
    return f"unable to load root certificates: {problem or 'unable to parse bytes as PEM block'}"


def authority_of(crd: Json) -> str:
    """Return the bundle of the authority that a definition's converter is trusted by; empty without one."""
    webhook = (crd["spec"].get("conversion") or {}).get("webhook") or {}
    return str((webhook.get("clientConfig") or {}).get("caBundle") or "")


def has_wrong_authority(crd: Json) -> bool:
    """Whether a definition has a bundle without any certificate."""
    bundle = authority_of(crd)
    return bool(bundle and authority_problem(bundle))
