"""JSON Web Tokens signed with RS256: what service account tokens are made of (FK-019, FK-390, FK-404)."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import orjson
from msgspec import Struct

from ...base.json_types import Json

ALGORITHM = "RS256"
KEY_SIZE = 2048
RSA_EXPONENT = 65_537


class Signer(Struct, frozen=True, dict=True):
    """Signs and verifies with one key, which is made when it is first needed."""

    @cached_property
    def _key(self) -> Any:
        # Importing cryptography costs more than most tests that never sign anything.
        from cryptography.hazmat.primitives.asymmetric import rsa

        return rsa.generate_private_key(public_exponent=RSA_EXPONENT, key_size=KEY_SIZE)

    @cached_property
    def _key_id(self) -> str:
        from cryptography.hazmat.primitives import serialization as form

        public = self._key.public_key()
        encoded = public.public_bytes(form.Encoding.DER, form.PublicFormat.SubjectPublicKeyInfo)
        return _base64(hashlib.sha256(encoded).digest())

    @property
    def algorithm(self) -> str:
        """How tokens are signed."""
        return ALGORITHM

    def public(self) -> Json:
        """Return the public key as a JSON Web Key (FK-019)."""
        numbers = self._key.public_key().public_numbers()
        return {
            "use": "sig",
            "kty": "RSA",
            "kid": self._key_id,
            "alg": ALGORITHM,
            "n": _base64(numbers.n.to_bytes(KEY_SIZE // 8, "big")),
            "e": _base64(RSA_EXPONENT.to_bytes(3, "big")),
        }

    def private_pem(self) -> bytes:
        """Return the key, PEM."""
        from ..certificates import private_pem

        return private_pem(self._key)

    def public_pem(self) -> bytes:
        """Return the key that verifies tokens, PEM."""
        from cryptography.hazmat.primitives import serialization as form

        return bytes(
            self._key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo)
        )

    def sign(self, claims: Json) -> str:
        """Return the token of these claims."""
        signed = f"{_encode({'alg': ALGORITHM, 'kid': self._key_id})}.{_encode(claims)}"
        return f"{signed}.{_base64(self._key.sign(signed.encode(), *_scheme()))}"

    def read_unverified(self, token: str) -> Mapping[str, Json]:
        """Return the claims of a token, whose signature is not verified; nothing when it is no token."""
        if token.count(".") != 2:
            return {}
        try:
            claims = orjson.loads(_decode(token.split(".")[1]))
        except ValueError:
            return {}
        return claims if isinstance(claims, dict) else {}

    def claims(self, token: str) -> Json | None:
        """Return the claims of a token of ours, None for any other text."""
        from cryptography.exceptions import InvalidSignature

        # From the right: what is signed is all before the last dot.
        signed, _, signature = token.rpartition(".")
        if signed.count(".") != 1:
            return None
        try:
            self._key.public_key().verify(_decode(signature), signed.encode(), *_scheme())
            return orjson.loads(_decode(signed.partition(".")[2]))
        except (ValueError, InvalidSignature):
            return None


def _scheme() -> tuple[Any, Any]:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding

    return padding.PKCS1v15(), hashes.SHA256()


def _encode(value: Json) -> str:
    return _base64(orjson.dumps(value))


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


# JSON Web Tokens leave out the padding of base64.
def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
