"""The scale subresource: an object seen as a Scale, and a Scale written into it (FK-278, FK-503)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from msgspec.structs import replace

from ...api import status
from ...api.kind import Kind, ObjectSchema, Presentation, ScalePaths
from ...api.steps import Steps
from ...api.versions import to_served_version
from ...base.json_types import Json
from ...codec import bodies
from ...codec.cells import AGE, column, member
from ...codec.tables import NAME_COLUMN
from ...gotypes.types import structural
from ...meta import metadata
from ...patch.managed_fields import managers, scale
from ...schema import fields
from ..action import Action, Answer, Result, with_options
from .patches import patch_body, patching
from .writes import decoding, field_owners, updating, written_metadata
from .writes.field_owners import UpdateOwners

VERSION = "autoscaling/v1"
NOT_CONVERTED = f"; {VERSION}, Kind=Scale) to proper version: request to convert CR to an invalid group/version: {VERSION}"
UNDECODABLE = f"no kind is registered for the type v1.Scale {bodies.IN_SCHEME}"
BUILTIN_PATHS = ScalePaths(spec=".spec.replicas", status=".status.replicas")
COUNT_COLUMNS = (
    column("Desired", member("spec", "replicas", default=0), "integer"),
    column("Available", member("status", "replicas", default=0), "integer"),
)
COLUMNS = (column("Name", member("metadata", "name")), *COUNT_COLUMNS, AGE)
COLUMNS_OF_CUSTOM = (NAME_COLUMN, *COUNT_COLUMNS, replace(AGE, type="date"))
METADATA_FIELDS = ("name", "namespace", "uid", "resourceVersion", "creationTimestamp")
EXPRESSIONS: Mapping[str, str] = {
    "In": "{} in ({})",
    "NotIn": "{} notin ({})",
    "Exists": "{}",
    "DoesNotExist": "!{}",
}


def get(action: Action) -> Answer:
    """Return the Scale of an object."""
    return Answer(_answering_scales(action), action.existing())


@with_options("UpdateOptions")
def update(action: Action) -> Steps[Result]:
    """Replace the Scale of an object."""
    view = _as_scale(action)
    new_scale = yield from action.compute(_decode_scale, action, view)
    updating.check_uid(action, new_scale, action.existing())
    old = yield from _scale_with_owners(action)
    new = yield from action.compute(field_owners.update_owners, view, old, new_scale)
    return (yield from _write(action, new))


def patch(action: Action) -> Steps[Result]:
    """Change the Scale of an object."""
    patching.check_media(action.kind, patching.media_of(action.request))
    old = yield from _scale_with_owners(action)
    guarded = action.kind.custom and patching.is_apply(action)
    applied = guarded and (yield from action.compute(patch_body.apply_configuration, _as_scale(action)))
    if applied and not managers.entries_of(old):
        why = f"failed to create manager for existing fields: failed to convert live object (/{NOT_CONVERTED}"
        raise status.raw(why)
    action = action.with_request_options("PatchOptions", apply=patching.is_apply(action))
    new = yield from action.compute(patching.patch_view, _as_scale(action), old)
    if guarded and new["spec"] != old["spec"]:
        raise status.raw(f"failed to convert new object ({action.namespace}/{action.name}{NOT_CONVERTED}")
    return (yield from _write(action, new))


def of(kind: Kind, obj: Json, *, silent: bool = False) -> Json:
    """Return an object as a Scale.

    Raises 500 when it does not say how many it wants, unless it may be `silent`.
    """
    paths = _paths(kind)
    replicas = _at(obj, paths.spec)
    if replicas is None and not silent:
        raise status.internal(f'the spec replicas field "{paths.spec}" does not exist')
    shown = {name: obj["metadata"][name] for name in METADATA_FIELDS if name in obj["metadata"]}
    selector = (
        (_at(obj, paths.selector) if paths.selector else "") or ""
        if kind.custom
        else ",".join(_selector(obj["spec"].get("selector") or {}))
    )
    observed: dict[str, Json] = {"replicas": _at(obj, paths.status) or 0}
    if selector:
        observed["selector"] = selector
    spec = {"replicas": replicas} if replicas else {}
    return {
        "apiVersion": VERSION,
        "kind": "Scale",
        "metadata": shown,
        "spec": spec,
        "status": observed,
    }


def _decode_scale(action: Action, view: Action) -> Json:
    """Return the Scale in the body; of a custom resource the real server has no words for what is none.

    Raises 400, 415.
    """
    try:
        return decoding.decode_body(view)
    except status.StatusError as error:
        if not action.kind.custom or error.code != 400:
            raise
        raise status.bad_request(UNDECODABLE) from error


def _write(action: Action, scale: Json) -> Steps[Result]:
    written_metadata.check_name(action, scale)
    scale = written_metadata.set_namespace(action, scale)
    current = action.existing()
    obj = yield from action.compute_with_conversions(to_served_version, action.kind, current)
    review = updating.review_of(action, scale, of(action.kind, obj, silent=True))
    scale = yield from action.admission.mutate(action.api, review)
    replicas = (scale.get("spec") or {}).get("replicas", 0)
    _check(action.kind, action.name, replicas)
    new = _with(obj, _paths(action.kind).spec, replicas)
    new = metadata.with_metadata(
        new, resourceVersion=scale["metadata"].get("resourceVersion") or str(current.revision)
    )
    scale_action, own = _answering_scales(action), _owner(managers.entries_of(scale))
    change = yield from action.compute_with_conversions(updating.with_owners, scale_action, current, new, own)
    return (yield from updating.commit(scale_action, change, review))


def _owner(entries: list[Json]) -> UpdateOwners:
    """Return what gives an object the owners of its number that the entries of its Scale say."""

    def own(action: Action, old: Json | None, new: Json) -> Json:
        owners = scale.object_entries(
            managers.entries_of(old or {}), entries, _paths(action.kind).spec, action.kind.api_version
        )
        return metadata.with_metadata(new, managedFields=owners or None)

    return own


def _scale_with_owners(action: Action) -> Steps[Json]:
    """Return the Scale of an object with the owners of the number it shows."""
    current = action.existing()
    obj = yield from action.compute_with_conversions(to_served_version, action.kind, current)
    entries = scale.scale_entries(managers.entries_of(obj), _paths(action.kind).spec, VERSION)
    return metadata.with_metadata(of(action.kind, obj, silent=True), managedFields=entries or None)


def _paths(kind: Kind) -> ScalePaths:
    return kind.schema.scale or BUILTIN_PATHS


def _check(kind: Kind, name: str, replicas: int) -> None:
    if replicas >= 0:
        return
    if kind.custom:
        path = _paths(kind).spec
        raise status.invalid_object(
            kind, name, [fields.invalid(path, replicas, "should be a non-negative integer")]
        )
    error = fields.invalid("spec.replicas", replicas, "must be greater than or equal to 0")
    raise status.invalid("Scale", "autoscaling", name, [error])


def _answering_scales(action: Action) -> Action:
    """Return the action whose answers are Scales."""
    return replace(action, shown_as=_kind(custom=action.kind.custom), show=lambda obj: of(action.kind, obj))


def _as_scale(action: Action) -> Action:
    """Return the action as one on Scales, for decoding."""
    return replace(action, kind=_kind(custom=False))


@cache
def _kind(*, custom: bool) -> Kind:
    columns = COLUMNS_OF_CUSTOM if custom else COLUMNS
    return Kind(
        group="autoscaling",
        version="v1",
        kind="Scale",
        plural="scales",
        singular="scale",
        schema=ObjectSchema(structural=structural("autoscaling.v1.Scale")),
        presentation=Presentation(columns=columns),
    )


def _at(obj: Json, path: str) -> Json:
    for name in filter(None, path.split(".")):
        obj = obj.get(name) if isinstance(obj, dict) else None
    return obj


def _with(obj: Json, path: str, value: Json) -> Json:
    name, _, rest = path.removeprefix(".").partition(".")
    below = obj.get(name) if isinstance(obj.get(name), dict) else {}
    return {**obj, name: _with(below, rest, value) if rest else value}


def _selector(selector: Json) -> Iterator[str]:
    """Yield the requirements of a label selector as a query has them."""
    yield from (f"{key}={value}" for key, value in sorted((selector.get("matchLabels") or {}).items()))
    for expression in selector.get("matchExpressions") or ():
        yield EXPRESSIONS[expression["operator"]].format(
            expression["key"], ",".join(sorted(expression.get("values") or ()))
        )
