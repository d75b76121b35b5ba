"""Device classes, resource claims and their templates, `resource.k8s.io` (FK-504)."""

from __future__ import annotations

from collections.abc import Collection

from ...gotypes.golang import shown
from ...meta import names
from ...meta.labels import key_problems
from ...schema import fields
from ...schema.fields import FieldError
from ..core.pod.validation import resources
from ..validation import basics
from ..validation.basics import Errors, Json

MOST_REQUESTS = MOST_SELECTORS = 32
ONE_OF = "exactly one of `exactly` or `firstAvailable` is required"
ONE_ATTRIBUTE = (
    'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set'
)
NOT_A_REQUEST = (
    "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"
)
QUALIFIED = "a fully qualified name must be a domain and a name separated by a slash"
MODES = ("All", "ExactCount")


def device_class(obj: Json) -> list[FieldError]:
    """Judge a DeviceClass."""
    spec = obj.get("spec") or {}
    extended = spec.get("extendedResourceName")
    wrong = extended is not None and not _is_extended(extended)
    why = "must be a valid extended resource name"
    configs = enumerate(spec.get("config") or ())
    return [
        *_selectors(spec.get("selectors") or [], "spec.selectors"),
        *(error for number, one in configs for error in _opaque(one, f"spec.config[{number}]")),
        *([fields.invalid("spec.extendedResourceName", extended, why)] if wrong else []),
    ]


def _is_extended(name: str) -> bool:
    return resources.is_extended(name) and not key_problems(f"requests.{name}")


def claim(obj: Json) -> list[FieldError]:
    """Judge a ResourceClaim."""
    return list(_claim(obj["spec"], "spec"))


def same_claim(new: Json, old: Json) -> list[FieldError]:
    """Judge that a ResourceClaim stays."""
    return _same(new, old, "resource.v1.ResourceClaimSpec")


def template(obj: Json) -> list[FieldError]:
    """Judge a ResourceClaimTemplate."""
    labels = (obj["spec"].get("metadata") or {}).get("labels")
    return [
        *basics.label_map(labels, "spec.metadata.labels"),
        *_claim(obj["spec"].get("spec") or {}, "spec.spec"),
    ]


def same_template(new: Json, old: Json) -> list[FieldError]:
    """Judge that a ResourceClaimTemplate stays."""
    return _same(new, old, "resource.v1.ResourceClaimTemplateSpec")


def _same(new: Json, old: Json, message: str) -> list[FieldError]:
    if new["spec"] == old["spec"]:
        return []
    return [fields.invalid("spec", shown(message, new["spec"]), "field is immutable")]


def claim_status(new: Json, old: Json) -> list[FieldError]:
    """Judge who has reserved a ResourceClaim."""
    del old
    seen: set[str] = set()
    errors: list[FieldError] = []
    for number, one in enumerate(new.get("status", {}).get("reservedFor") or ()):
        path, uid = f"status.reservedFor[{number}]", one.get("uid", "")
        errors += [
            fields.required(f"{path}.{name}") for name in ("resource", "name", "uid") if not one.get(name)
        ]
        if uid and uid in seen:
            errors.append(fields.duplicate(path, uid))
        seen.add(uid)
    return errors


def without_deallocated(new: Json, old: Json) -> Json:
    """Return a ResourceClaim whose status says nothing of devices that it no longer has."""
    lost = _allocated(old) - _allocated(new)
    devices = new.get("status", {}).get("devices") or []
    kept = [device for device in devices if _device(device) not in lost]
    if len(kept) == len(devices):
        return new
    status = {name: value for name, value in new["status"].items() if name != "devices"}
    return {**new, "status": {**status, "devices": kept} if kept else status}


def _allocated(claim_: Json) -> set[tuple[str, ...]]:
    allocation = claim_.get("status", {}).get("allocation") or {}
    return {_device(result) for result in (allocation.get("devices") or {}).get("results") or ()}


def _device(value: Json) -> tuple[str, ...]:
    return tuple(value.get(name) or "" for name in ("driver", "pool", "device", "shareID"))


def _claim(spec: Json, path: str) -> Errors:
    devices, here = spec.get("devices") or {}, f"{path}.devices"
    requests = devices.get("requests") or []
    known = _known(requests)
    yield from _many(requests, MOST_REQUESTS, f"{here}.requests")
    seen: set[str] = set()
    for number, one in enumerate(requests if len(requests) <= MOST_REQUESTS else ()):
        yield from _request(one, f"{here}.requests[{number}]", seen)
    for number, one in enumerate(devices.get("constraints") or ()):
        yield from _constraint(one, f"{here}.constraints[{number}]", known)
    for number, one in enumerate(devices.get("config") or ()):
        yield from _named(one, f"{here}.config[{number}]", known)
        yield from _opaque(one, f"{here}.config[{number}]")


def _known(requests: list[Json]) -> set[str]:
    names_of = {one.get("name", "") for one in requests}
    return names_of | {
        f"{one.get('name', '')}/{sub.get('name', '')}"
        for one in requests
        for sub in one.get("firstAvailable") or ()
    }


def _many(found: list[Json], limit: int, path: str) -> Errors:
    if len(found) > limit:
        yield fields.too_many(path, len(found), limit)


def _request(one: Json, path: str, seen: set[str]) -> Errors:
    name, exact, first = one.get("name", ""), one.get("exactly"), one.get("firstAvailable")
    yield from (fields.invalid(f"{path}.name", name, why) for why in names.label_problems(name))
    if name in seen:
        yield fields.duplicate(path, name)
    seen.add(name)
    if exact is None and not first:
        yield fields.required(path, ONE_OF)
    elif exact is not None and first:
        yield fields.invalid(path, None, f"{ONE_OF}, but multiple fields are set")
    elif exact is not None:
        yield from _exact(exact, f"{path}.exactly")
    inner: set[str] = set()
    for number, sub in enumerate(first or ()):
        here = f"{path}.firstAvailable[{number}]"
        if sub.get("name", "") in inner:
            yield fields.duplicate(here, sub.get("name", ""))
        inner.add(sub.get("name", ""))
        yield from _exact(sub, here)


def _exact(one: Json, path: str) -> Errors:
    yield from basics.named(one.get("deviceClassName", ""), f"{path}.deviceClassName", basics.dns_subdomain)
    yield from _selectors(one.get("selectors") or [], f"{path}.selectors")
    mode, count = one.get("allocationMode", "ExactCount"), one.get("count", 0)
    if mode == "All" and count:
        yield fields.invalid(f"{path}.count", count, "must not be specified when allocationMode is 'All'")
    elif mode == "ExactCount":
        yield from basics.positive(count, f"{path}.count", "must be greater than zero")
    yield from basics.optional_choice(mode, f"{path}.allocationMode", MODES)
    for number, each in enumerate(one.get("tolerations") or ()):
        where = f"{path}.tolerations[{number}].operator"
        yield from basics.optional_choice(each.get("operator"), where, ("Equal", "Exists"))


def _selectors(found: list[Json], path: str) -> Errors:
    from ...schema.cel import devices  # few clusters have any

    yield from _many(found, MOST_SELECTORS, path)
    for number, one in enumerate(found if len(found) <= MOST_SELECTORS else ()):
        if one.get("cel") is None:
            yield fields.required(f"{path}[{number}].cel")
        elif problem := devices.problem(one["cel"].get("expression", ""), f"{path}[{number}].cel.expression"):
            yield problem


def _constraint(one: Json, path: str, known: Collection[str]) -> Errors:
    yield from _named(one, path, known)
    given = [name for name in ("matchAttribute", "distinctAttribute") if one.get(name) is not None]
    if not given:
        yield fields.required(path, ONE_ATTRIBUTE)
    for name in given:
        if "/" not in one[name]:
            yield fields.invalid(f"{path}.{name}", one[name], QUALIFIED)


def _named(one: Json, path: str, known: Collection[str]) -> Errors:
    for number, name in enumerate(one.get("requests") or ()):
        if name not in known:
            yield fields.invalid(f"{path}.requests[{number}]", name, NOT_A_REQUEST)


def _opaque(one: Json, path: str) -> Errors:
    opaque, here = one.get("opaque"), f"{path}.opaque"
    if opaque is None:
        yield fields.required(here)
        return
    yield from basics.named(opaque.get("driver", ""), f"{here}.driver", basics.dns_subdomain)
    if opaque.get("parameters") is None:
        yield fields.required(f"{here}.parameters")
