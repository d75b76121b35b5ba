"""Resource claims of a pod and which of them its containers use (FK-504)."""

from __future__ import annotations

from collections.abc import Collection

from .....gotypes.golang import shown
from .....schema import fields
from .....schema.fields import FieldError
from ....validation import basics
from ....validation.basics import Errors, Json

SOURCES = ("resourceClaimName", "resourceClaimTemplateName")
NONE = "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`"
BOTH = "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified"


def declared(found: list[Json], path: str) -> Errors:
    """Judge the claims of a pod."""
    seen: set[str] = set()
    for number, one in enumerate(found):
        here, name = f"{path}[{number}]", one.get("name", "")
        yield from basics.named(name, f"{here}.name", basics.dns_label)
        if name in seen:
            yield fields.duplicate(f"{here}.name", name)
        seen.add(name)
        given = [source for source in SOURCES if one.get(source) is not None]
        if len(given) != 1:
            yield fields.invalid(here, shown("core.v1.PodResourceClaim", one), BOTH if given else NONE)
        for source in given:
            yield from basics.optional_name(one[source] or " ", f"{here}.{source}", basics.dns_subdomain)


def used(container: Json, path: str, known: Collection[str]) -> Errors:
    """Judge the claims that a container uses; `known` are those of its pod, in their order."""
    for number, one in enumerate((container.get("resources") or {}).get("claims") or ()):
        name, here = one.get("name", ""), f"{path}.claims[{number}]"
        if not name:
            yield fields.required(f"{here}.name")
        elif name not in known:
            where = "which is empty" if not known else "(" + ", ".join(known) + ")"
            text = f"Not found: {fields.quoted(name)}: must be one of the names in pod.spec.resourceClaims {where}"
            yield FieldError("FieldValueNotFound", here, text)
