"""Fills Secrets of type `kubernetes.io/service-account-token`,
and deletes those whose ServiceAccount is not there (FK-404).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable

from ..api.steps import Steps
from ..auth.authentication import legacy_tokens
from ..auth.authentication.jwt import Signer
from ..base.json_types import Json
from ..registry.machinery import Api
from ..store import Event, Store, Stored
from .actor import MANAGER, Actor
from .engine import Key
from .service_accounts import root_certificates

SECRETS, ACCOUNTS = ("", "secrets"), ("", "serviceaccounts")
TYPE = "kubernetes.io/service-account-token"
NAME, UID = "kubernetes.io/service-account.name", "kubernetes.io/service-account.uid"
CERTIFICATES, NAMESPACE, TOKEN = "ca.crt", "namespace", "token"


class TokenSecrets:
    """Keeps each such Secret in step with its ServiceAccount, and the list of secrets of a ServiceAccount
    with the Secrets.
    """

    resources = (SECRETS, ACCOUNTS)

    def __init__(self, api: Api, signer: Signer) -> None:
        self._store = api.store
        self._signer = signer
        self._actor = Actor(api, MANAGER, "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every such Secret."""
        return [_key(stored) for stored in store.list(SECRETS) if _is_token(stored)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return a Secret that changed, or those of a ServiceAccount that came or went."""
        if event.resource == SECRETS:
            return (_key(event.after),) if _is_token(event.after) else ()
        if event.type == "MODIFIED":
            return ()
        namespace, name = event.after.name
        secrets = self._store.list(SECRETS, namespace=namespace)
        return [_key(stored) for stored in secrets if _is_token(stored) and _account_name(stored) == name]

    def work(self, key: Key) -> Steps[float | None]:
        """Fill or delete one Secret; one that is gone is taken off the list of its ServiceAccount."""
        namespace, name, account_name = key
        secret = self._store.get(SECRETS, (namespace, name))
        account = self._store.get(ACCOUNTS, (namespace, account_name))
        if secret is None or not _is_token(secret):
            yield from self._unlist(account, name)
        elif account is None or _account_uid(secret) not in {"", account.uid}:
            yield from self._delete(secret)
        elif "deletionTimestamp" not in secret.object["metadata"]:
            yield from self._fill(secret, account)
        return None

    def _fill(self, secret: Stored, account: Stored) -> Steps[None]:
        row, data = self._actor.kind("v1", "Secret"), secret.object.get("data") or {}
        certificates = _base64(root_certificates(self._store))
        filled = {
            **data,
            **({CERTIFICATES: certificates} if certificates else {}),
            NAMESPACE: data.get(NAMESPACE) or _base64(secret.name[0]),
            TOKEN: data.get(TOKEN)
            or _base64(self._signer.sign(legacy_tokens.claims(account, secret.name[1]))),
        }
        if row is None or filled == data:
            return
        metadata = secret.object["metadata"]
        annotations = {**(metadata.get("annotations") or {}), NAME: account.name[1], UID: account.uid}
        changed = {**secret.object, "metadata": {**metadata, "annotations": annotations}, "data": filled}
        yield from self._actor.update(row, changed)

    def _delete(self, secret: Stored) -> Steps[None]:
        row = self._actor.kind("v1", "Secret")
        if row:
            yield from self._actor.delete(row, secret)

    def _unlist(self, account: Stored | None, secret: str) -> Steps[None]:
        row, references = self._actor.kind("v1", "ServiceAccount"), _references(account)
        further = [reference for reference in references if reference.get("name") != secret]
        if row and account and further != references:
            yield from self._actor.update(row, {**account.object, "secrets": further})


def _key(stored: Stored) -> Key:
    return (*stored.name, _account_name(stored))


def _is_token(stored: Stored) -> bool:
    return bool(stored.object.get("type") == TYPE)


def _account_name(secret: Stored) -> str:
    return str((secret.object["metadata"].get("annotations") or {}).get(NAME, ""))


def _account_uid(secret: Stored) -> str:
    return str((secret.object["metadata"].get("annotations") or {}).get(UID, ""))


def _references(account: Stored | None) -> list[Json]:
    return (account.object.get("secrets") or []) if account else []


def _base64(text: str) -> str:
    return b64encode(text.encode()).decode()
