"""What a definition gets by itself: defaults, first status, stored versions (FK-252, FK-254)."""

from __future__ import annotations

from ..base.json_types import Json

WEBHOOK_PORT = 443


def fill_defaults(crd: Json) -> Json:
    """Return the definition with singular, listKind, conversion strategy and webhook port filled in."""
    spec = crd.get("spec") or {}
    names = spec.get("names") or {}
    kind = names.get("kind") or ""
    filled = {
        **names,
        "singular": names.get("singular") or kind.lower(),
        # An empty kind has no list kind, or every definition without one would get the name `List`.
        "listKind": names.get("listKind") or (kind and kind + "List"),
    }
    # Go leaves out empty texts but these two, which have no `omitempty`.
    shown = {key: value for key, value in filled.items() if value or key in {"plural", "kind"}}
    filled_spec = {**spec, "names": shown, "conversion": _conversion(spec.get("conversion"))}
    return {
        **crd,
        "spec": filled_spec,
        "status": _status(crd.get("status") or {}, _storage_version_names(spec)),
    }


def _storage_version_names(spec: Json) -> list[str]:
    """Return the name of the version in which objects are stored, none where no version says so."""
    names = [version.get("name") or "" for version in spec.get("versions") or () if version.get("storage")]
    # Several versions may say so before validation refuses them: the first counts until then.
    return names[:1]


def _status(status: Json, stored: list[str]) -> Json:
    """A definition always remembers the version it stores."""
    return {
        "conditions": None,
        "acceptedNames": {"plural": "", "kind": ""},
        **status,
        # A definition that was stored once keeps its own list: the storage version does not come in by itself
        # here.
        "storedVersions": status.get("storedVersions") or stored or None,
    }


def _conversion(conversion: Json) -> Json:
    if not conversion:
        return {"strategy": "None"}
    webhook = conversion.get("webhook") or {}
    # An empty webhook is dropped, as the internal type has its members one level higher and finds none.
    if webhook.get("clientConfig") is None and not webhook.get("conversionReviewVersions"):
        return {key: value for key, value in conversion.items() if key != "webhook"}
    service = (webhook.get("clientConfig") or {}).get("service")
    if service is None or service.get("port") is not None:
        return conversion
    client = {
        **conversion["webhook"]["clientConfig"],
        "service": {**service, "port": WEBHOOK_PORT},
    }
    return {**conversion, "webhook": {**conversion["webhook"], "clientConfig": client}}


def prepare(crd: Json) -> Json:
    """Return a new definition with the status that creation gives it."""
    return {**crd, "status": _status({}, _storage_version_names(crd["spec"]))}


def prepare_update(new: Json, old: Json) -> Json:
    """Return a changed definition that remembers every version objects were ever stored in."""
    status = old.get("status") or {}
    versions = list(status.get("storedVersions") or ())
    # The order in which versions were stored: the newest is appended, none is ever taken away here (FK-254).
    versions += [name for name in _storage_version_names(new["spec"]) if name not in versions]
    # The status is the stored one: a client cannot write it together with the spec.
    return {**new, "status": {**status, "storedVersions": versions}}
