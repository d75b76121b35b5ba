"""Service accounts as identities: their tokens, issued and recognised (FK-390, FK-392, FK-404)."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from ..api.outcome import User
from ..store import Store
from .jwt import Signer
from .rbac import SERVICE_ACCOUNT

Json = Any
ISSUER = "https://kubernetes.default.svc"
EXTRA = "authentication.kubernetes.io/"
BOUND = {"Pod": "pods", "Secret": "secrets", "Node": "nodes"}


@dataclass(frozen=True, slots=True)
class Accounts:
    """Issues tokens for the service accounts of a store and tells whose a token is."""

    store: Store
    signer: Signer
    now: Callable[[], float]
    random: Random

    def issue(self, account: Json, audiences: list[str], seconds: int, bound: Json | None) -> str:
        """Return a token for a service account, bound to the life of another object when one is given."""
        metadata, now = account["metadata"], int(self.now())
        private: dict[str, Json] = {
            "namespace": metadata["namespace"],
            "serviceaccount": {"name": metadata["name"], "uid": metadata["uid"]},
        }
        if bound:
            private[bound["kind"].lower()] = {"name": bound["name"], "uid": bound.get("uid", "")}
        return self.signer.sign({
            "aud": audiences or [ISSUER], "exp": now + seconds, "iat": now, "iss": ISSUER, "jti": self._uuid(),
            "kubernetes.io": private, "nbf": now, "sub": f"{SERVICE_ACCOUNT}{metadata['namespace']}:{metadata['name']}",
        })  # fmt: skip

    def audiences(self, token: str) -> list[str]:
        """Return for whom a token of ours was made; nothing for any other text."""
        return list((self.signer.claims(token) or {}).get("aud", ()))

    def lookup(self, token: str) -> User | None:
        """Return whose token it is; None when it is not ours, expired, or what it is bound to is gone."""
        claims = self.signer.claims(token) if token.count(".") == 2 else None
        if claims is None or not claims["nbf"] <= self.now() < claims["exp"]:
            return None
        private = claims["kubernetes.io"]
        namespace, account = private["namespace"], private["serviceaccount"]
        if not self._lives("serviceaccounts", (namespace, account["name"]), account["uid"]):
            return None
        extra: dict[str, tuple[str, ...]] = {f"{EXTRA}credential-id": (f"JTI={claims['jti']}",)}
        for kind, plural in BOUND.items():
            bound = private.get(kind.lower())
            if bound is None:
                continue
            if not self._lives(plural, ("" if kind == "Node" else namespace, bound["name"]), bound["uid"]):
                return None
            extra |= {
                f"{EXTRA}{kind.lower()}-name": (bound["name"],),
                f"{EXTRA}{kind.lower()}-uid": (bound["uid"],),
            }
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")
        return User(name=claims["sub"], groups=groups, uid=account["uid"], extra=extra)

    def _lives(self, plural: str, name: tuple[str, str], uid: str) -> bool:
        found = self.store.get(("", plural), name)
        return found is not None and (not uid or found.uid == uid)

    def _uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))
