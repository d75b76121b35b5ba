"""What the issuer of service account tokens says of itself:
its configuration and its public keys (FK-019).
"""

from __future__ import annotations

from typing import Protocol

from ..api.outcome import Outcome, Request
from ..base.json_types import Json
from ..codec import media
from ..store import encode
from .responses import check_routing, page

CONFIGURATION = "/.well-known/openid-configuration"
KEYS = "/openid/v1/jwks"
KEY_SET = "application/jwk-set+json"
FRESH = (("Cache-Control", "public, max-age=3600"),)


class Keys(Protocol):
    """Who signs tokens."""

    @property
    def algorithm(self) -> str:
        """How tokens are signed."""

    def public(self) -> Json:
        """Return the public key."""


def configuration(request: Request, issuer: str, keys: Keys) -> Outcome:
    """Answer where the keys are."""
    check_routing(request, (media.JSON,))
    return page(
        encode(
            {
                "issuer": issuer,
                # The address by which the client came: any other might not be reachable for it.
                "jwks_uri": f"https://{request.headers.get('host', '')}{KEYS}",
                "response_types_supported": ["id_token"],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": [keys.algorithm],
            }
        ),
        headers=FRESH,
    )


def key_set(request: Request, keys: Keys) -> Outcome:
    """Answer the public keys."""
    check_routing(request, (KEY_SET,))
    return page(encode({"keys": [keys.public()]}), KEY_SET, FRESH)
