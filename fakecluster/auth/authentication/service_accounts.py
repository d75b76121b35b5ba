"""Service accounts as identities: their tokens, issued and recognised (FK-390, FK-392, FK-404)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random

from msgspec import Struct

from ...api.outcome import User
from ...base.json_types import Json
from ...base.uids import uid
from ...store import Store
from ..authorization.subjects import SERVICE_ACCOUNT
from .authenticator import AuthenticationResponse, TokenRefusedError, common_audiences
from .jwt import Signer

ISSUER = "https://kubernetes.default.svc"
EXTRA_PREFIX = "authentication.kubernetes.io/"
RESOURCE_OF_BOUND_KIND = {"pod": "pods", "secret": "secrets", "node": "nodes"}
INVALIDATED_MESSAGE = "service account token has been invalidated"
PROJECTED_TOKEN_SECONDS = 3607
"""What kubelets ask for; such a token of a pod lives a year, so that programs that never read it again go on.
"""
YEAR_SECONDS = 365 * 24 * 3600


class Accounts(Struct, frozen=True):
    """Issues tokens for the service accounts of a store and tells whose a token is."""

    store: Store
    signer: Signer
    current_time: Callable[[], float]
    random: Random

    def issue(self, account: Json, audiences: Sequence[str], seconds: int, bound: Mapping[str, Json]) -> str:
        """Return a token for a service account, bound to the life of other objects (`pod` → name and uid)."""
        metadata, current_time = account["metadata"], int(self.current_time())
        private: dict[str, Json] = {
            "namespace": metadata["namespace"],
            "serviceaccount": {"name": metadata["name"], "uid": metadata["uid"]},
            **bound,
        }
        # Kubelets ask for 3607 seconds, which tells their tokens from those of others; such a token is
        # extended to a year, and `warnafter` says when it should have been read again.
        if "pod" in bound and seconds == PROJECTED_TOKEN_SECONDS and set(audiences) <= {ISSUER}:
            private["warnafter"] = current_time + seconds
            seconds = YEAR_SECONDS
        return self.signer.sign(
            {
                "aud": list(audiences),
                "exp": current_time + seconds,
                "iat": current_time,
                "iss": ISSUER,
                "jti": uid(self.random),
                "kubernetes.io": private,
                "nbf": current_time,
                "sub": f"{SERVICE_ACCOUNT}{metadata['namespace']}:{metadata['name']}",
            }
        )

    def lookup(self, token: str, audiences: Sequence[str]) -> AuthenticationResponse | None:
        """Return whose token it is, None when it is not ours.

        Raises TokenRefusedError for one of ours that is not good.
        """
        # Another issuer's token is left to other authenticators.
        if self.signer.read_unverified(token).get("iss") != ISSUER:
            return None
        claims = self.signer.claims(token)
        if claims is None:
            raise TokenRefusedError("go-jose/go-jose: error in cryptographic primitive")
        common = common_audiences(claims["aud"], audiences)
        private = claims["kubernetes.io"]
        why = next(self._problems(claims, private), "")
        if why:
            raise TokenRefusedError(why)
        namespace, account = private["namespace"], private["serviceaccount"]
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")
        extra = dict(_extra(claims["jti"], private))
        return AuthenticationResponse(
            User(name=claims["sub"], groups=groups, uid=account["uid"], extra=extra), common
        )

    def _problems(self, claims: Json, private: Json) -> Iterator[str]:
        namespace, account, current_time = (
            private["namespace"],
            private["serviceaccount"],
            self.current_time(),
        )
        # All problems in this order, of which the first is told.
        if claims["exp"] < current_time:
            yield "service account token has expired"
        if claims["nbf"] > current_time:
            yield "service account token is not valid yet"
        stored = self.store.get(("", "serviceaccounts"), (namespace, account["name"]))
        if stored is None:
            yield f'serviceaccounts "{account["name"]}" not found'
        elif stored.uid != account["uid"]:
            yield f"service account UID ({stored.uid}) does not match claim ({account['uid']})"
        for kind in _lives_by(private):
            yield from self._problems_of(kind, "" if kind == "node" else namespace, private[kind])

    def _problems_of(self, kind: str, namespace: str, reference: Json) -> Iterator[str]:
        stored = self.store.get(("", RESOURCE_OF_BOUND_KIND[kind]), (namespace, reference["name"]))
        if stored is None:
            yield INVALIDATED_MESSAGE
        elif stored.uid != reference["uid"]:
            claim = f"service account {kind} ref claim ({reference['uid']})"
            yield f"{kind} UID ({stored.uid}) does not match {claim}"


def _lives_by(private: Json) -> Iterator[str]:
    """Yield what must still be there; the node of a pod's token is only told."""
    # The node of a pod's token may be gone before the pod.
    yield from (
        kind
        for kind in RESOURCE_OF_BOUND_KIND
        if kind in private and not (kind == "node" and "pod" in private)
    )


def _extra(jti: str, private: Json) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield f"{EXTRA_PREFIX}credential-id", (f"JTI={jti}",)
    for kind in ("pod", "node"):
        if kind in private:
            yield f"{EXTRA_PREFIX}{kind}-name", (private[kind]["name"],)
            # The uid of an unknown node is empty and not told.
            if private[kind]["uid"]:
                yield f"{EXTRA_PREFIX}{kind}-uid", (private[kind]["uid"],)
