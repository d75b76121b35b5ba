"""What a definition gets by itself: defaults, first status, stored versions (FK-252, FK-254)."""

from __future__ import annotations

from ..base.json_types import Json
from .kinds import storage_version

WEBHOOK_PORT = 443


def defaulted(crd: Json) -> Json:
    """Return the definition with singular, listKind, conversion strategy and webhook port filled in."""
    spec = crd.get("spec") or {}
    names = spec.get("names") or {}
    kind = names.get("kind") or ""
    filled = {
        **names,
        "singular": names.get("singular") or kind.lower(),
        "listKind": names.get("listKind") or (kind and kind + "List"),
    }
    shown = {key: value for key, value in filled.items() if value or key in {"plural", "kind"}}
    filled_spec = {**spec, "names": shown, "conversion": _conversion(spec.get("conversion"))}
    return {
        **crd,
        "spec": filled_spec,
        "status": _status(crd.get("status") or {}, storage_version({"spec": spec})),
    }


def _status(status: Json, stored: str) -> Json:
    """A definition always remembers the version it stores."""
    return {
        "conditions": None,
        "acceptedNames": {"plural": "", "kind": ""},
        **status,
        "storedVersions": status.get("storedVersions") or ([stored] if stored else None),
    }


def _conversion(conversion: Json) -> Json:
    if not conversion:
        return {"strategy": "None"}
    service = ((conversion.get("webhook") or {}).get("clientConfig") or {}).get("service")
    if service is None or service.get("port") is not None:
        return conversion
    client = {
        **conversion["webhook"]["clientConfig"],
        "service": {**service, "port": WEBHOOK_PORT},
    }
    return {**conversion, "webhook": {**conversion["webhook"], "clientConfig": client}}


def prepared(crd: Json) -> Json:
    """Return a new definition with the status that creation gives it."""
    return {**crd, "status": _status({}, storage_version(crd))}


def prepared_update(new: Json, old: Json) -> Json:
    """Return a changed definition that remembers every version objects were ever stored in."""
    status = old.get("status") or {}
    versions, stored = list(status.get("storedVersions") or ()), storage_version(new)
    if stored and stored not in versions:
        versions.append(stored)
    return {**new, "status": {**status, "storedVersions": versions}}
