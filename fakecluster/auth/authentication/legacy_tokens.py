"""Tokens of service accounts that live in Secrets, and for as long as these (FK-390, FK-404)."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from ...api.outcome import User
from ...base.json_types import Json
from ...meta.metadata import timestamp
from ...store import Store, Stored
from ..authorization.subjects import SERVICE_ACCOUNT
from .authenticator import AUDIENCES, AuthenticationResponse, TokenRefusedError, common_audiences
from .jwt import Signer

ISSUER = "kubernetes/serviceaccount"
CLAIM_PREFIX = "kubernetes.io/serviceaccount/"
SECRETS, ACCOUNTS = ("", "secrets"), ("", "serviceaccounts")
LAST_USED, INVALID_SINCE = "kubernetes.io/legacy-token-last-used", "kubernetes.io/legacy-token-invalid-since"
INVALIDATED_MESSAGE = "Token has been invalidated"


def claims(account: Stored, secret: str) -> Json:
    """Return the claims of the token in a Secret."""
    namespace, name = account.name
    return {
        "iss": ISSUER,
        f"{CLAIM_PREFIX}namespace": namespace,
        f"{CLAIM_PREFIX}secret.name": secret,
        f"{CLAIM_PREFIX}service-account.name": name,
        f"{CLAIM_PREFIX}service-account.uid": account.uid,
        "sub": f"{SERVICE_ACCOUNT}{namespace}:{name}",
    }


class LegacyTokens(Struct, frozen=True):
    """Recognises the tokens in the Secrets of a store, and labels a Secret with the day of its last use."""

    store: Store
    signer: Signer
    current_time: Callable[[], float]

    def lookup(self, token: str, audiences: Sequence[str]) -> AuthenticationResponse | None:
        """Return whose token it is, None when it is of another kind. Raises TokenRefusedError."""
        # The issuer tells the kinds of tokens apart before any signature is verified.
        if self.signer.read_unverified(token).get("iss") != ISSUER:
            return None
        claims = self.signer.claims(token)
        if claims is None:
            raise TokenRefusedError("go-jose/go-jose: error in cryptographic primitive")
        common = common_audiences(AUDIENCES, audiences)
        namespace, name = claims[f"{CLAIM_PREFIX}namespace"], claims[f"{CLAIM_PREFIX}service-account.name"]
        secret = self.store.get(SECRETS, (namespace, claims[f"{CLAIM_PREFIX}secret.name"]))
        if problem := next(self._problems(claims, secret, token), ""):
            raise TokenRefusedError(problem)
        assert secret is not None
        # Labelled even if it turns out to be invalidated: the label tells of the try.
        self._label(secret)
        if _labels(secret).get(INVALID_SINCE):
            raise TokenRefusedError(_invalid(secret, name))
        groups = ("system:serviceaccounts", f"system:serviceaccounts:{namespace}")
        uid = claims[f"{CLAIM_PREFIX}service-account.uid"]
        return AuthenticationResponse(User(name=claims["sub"], groups=groups, uid=uid), common)

    def _problems(self, claims: Json, secret: Stored | None, token: str) -> Iterator[str]:
        if secret is None or "deletionTimestamp" in secret.object["metadata"]:
            yield INVALIDATED_MESSAGE
        elif (secret.object.get("data") or {}).get("token") != b64encode(token.encode()).decode():
            yield "Token does not match server's copy"
        namespace, name = claims[f"{CLAIM_PREFIX}namespace"], claims[f"{CLAIM_PREFIX}service-account.name"]
        account, uid = (
            self.store.get(ACCOUNTS, (namespace, name)),
            claims[f"{CLAIM_PREFIX}service-account.uid"],
        )
        if account is None:
            yield f'serviceaccounts "{name}" not found'
        elif "deletionTimestamp" in account.object["metadata"]:
            yield f"ServiceAccount {namespace}/{name} has been deleted"
        elif account.uid != uid:
            yield f"ServiceAccount UID ({account.uid}) does not match claim ({uid})"

    def _label(self, secret: Stored) -> None:
        today, labels = timestamp(self.current_time())[:10], _labels(secret)
        # Once a day is enough; each label is a write.
        if labels.get(LAST_USED) == today:
            return
        metadata = {**secret.object["metadata"], "labels": {**labels, LAST_USED: today}}
        self.store.commit(SECRETS, secret.name, {**secret.object, "metadata": metadata}, expected=secret)


def _labels(secret: Stored) -> dict[str, str]:
    return secret.object["metadata"].get("labels") or {}


def _invalid(secret: Stored, account: str) -> str:
    namespace, name = secret.name
    return (
        f"the token in secret {namespace}/{name} for service account {namespace}/{account} has been marked invalid. Use tokens"
        " from the TokenRequest API or manually created secret-based tokens, or remove the"
        f" '{INVALID_SINCE}' label from the secret to temporarily allow use of this token"
    )
