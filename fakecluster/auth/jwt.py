"""JSON Web Tokens signed with ES256: what service account tokens are made of (FK-390, FK-404)."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson

Json = Any
HALF = 32


@dataclass(frozen=True)
class Signer:
    """Signs and verifies with one key, which is made when it is first needed."""

    @cached_property
    def _key(self) -> Any:
        # Importing cryptography costs more than most tests that never sign anything.
        from cryptography.hazmat.primitives.asymmetric import ec

        return ec.generate_private_key(ec.SECP256R1())

    def sign(self, claims: Json) -> str:
        """Return the token of these claims."""
        from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

        signed = f"{_encoded({'alg': 'ES256', 'typ': 'JWT'})}.{_encoded(claims)}"
        r, s = decode_dss_signature(self._key.sign(signed.encode(), _algorithm()))
        return f"{signed}.{_base64(r.to_bytes(HALF, 'big') + s.to_bytes(HALF, 'big'))}"

    def unverified(self, token: str) -> Mapping[str, Json]:
        """Return what a token claims, whoever signed it; nothing when it is no token."""
        if token.count(".") != 2:
            return {}
        try:
            found = orjson.loads(_decoded(token.split(".")[1]))
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}

    def claims(self, token: str) -> Json | None:
        """Return the claims of a token of ours, None for any other text."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature

        signed, _, signature = token.rpartition(".")
        if signed.count(".") != 1:
            return None
        try:
            raw = _decoded(signature)
            r, s = int.from_bytes(raw[:HALF], "big"), int.from_bytes(raw[HALF:], "big")
            self._key.public_key().verify(encode_dss_signature(r, s), signed.encode(), _algorithm())
            return orjson.loads(_decoded(signed.partition(".")[2]))
        except (ValueError, InvalidSignature):
            return None


def _algorithm() -> Any:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec

    return ec.ECDSA(hashes.SHA256())


def _encoded(value: Json) -> str:
    return _base64(orjson.dumps(value))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
