"""ServiceAccounts: references to Secrets keep their names only (FK-498)."""

from __future__ import annotations

from ...base.json_types import Json


def prepare(account: Json) -> Json:
    """Return a new ServiceAccount whose references to Secrets are names alone."""
    if not account.get("secrets"):
        return account
    # The server drops every member of these references but the name.
    names = [{name: secret[name] for name in ("name",) if name in secret} for secret in account["secrets"]]
    return {**account, "secrets": names}


def prepare_update(new: Json, old: Json) -> Json:
    """Return an update in the same form."""
    del old
    return prepare(new)
