"""A request's body as an object of the endpoint's kind (FK-041…FK-043, FK-233…FK-236, FK-502).

Built-in kinds are decoded as Go structs: the endpoint's kind is assumed when the body names none. Custom
resources name their kind; their metadata is typed, the rest is pruned by schema.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ....api import status
from ....api.kind import Kind
from ....api.versions import served
from ....codec import bodies, literals
from ....codec.bodies import Body
from ....codec.json import numbers
from ....codec.json.duplicates import REPEATED_KEYS
from ....codec.media import content_type as media_type
from ....gotypes import typed
from ...action import Action
from .earlier_kinds import EARLIER
from .unchanged_members import shared, unchanged

__all__ = ["Decoded", "Unfit", "as_kind", "media_type", "written"]

Json = Any
NO_API_VERSION = "Object 'apiVersion' is missing in 'object has no apiVersion field'"
STRICT_LIMIT = 100
META = "meta.v1.ObjectMeta"
TYPED = frozenset({"apiVersion", "kind", "metadata"})
MISMATCH = "the API version in the data ({}) does not match the expected API version ({})"
MOVED = ("extensions",)
"""Groups whose kinds have moved to others."""
INTERNAL_GROUPS = {"": "core", "events.k8s.io": "core"}


class Unfit(Exception):
    """A tree is no object of the kind; the text says why."""


class Undisciplined(Unfit):
    """A tree is an object of the kind it claims to be, and has what that kind does not know."""


class Decoded(Struct, frozen=True):
    """An object of the kind and what strict decoding has against it."""

    object: Json
    strict: tuple[str, ...] = ()


def written(action: Action) -> Json:
    """Return the object in the body of POST or PUT, in the version of the endpoint. Raises 400, 415, 422."""
    kind, request = action.kind, action.request
    body = bodies.of_kind(request, kind)
    tree = body.tree or {}
    if kind.custom:
        _check_kind(kind, tree, request.body)
    try:
        found = _read(action, tree)
        judge(action, _problems(kind, body, found.strict))
    except Unfit as error:
        claimed = kind.custom and isinstance(error, Undisciplined)
        if claimed and not tree.get("apiVersion"):
            raise status.bad_request(NO_API_VERSION) from error
        wanted = tree["kind"] if claimed else kind.kind
        raise status.bad_request(f"{_said(kind, tree)} cannot be handled as a {wanted}: {error}") from error
    said = found.object.get("apiVersion") or ""
    if kind.custom and said != kind.api_version:
        raise status.bad_request(MISMATCH.format(said, kind.api_version))
    return found.object


def judge(action: Action, problems: list[str]) -> None:
    """Warn of strict decoding errors, or raise Unfit where strictness was asked for (FK-233…FK-235)."""
    problems, validation = problems[:STRICT_LIMIT], action.options.validation
    if problems and validation == "Strict":
        raise Undisciplined("strict decoding error: " + ", ".join(problems))
    for problem in problems if validation == "Warn" else ():
        for line in problem.removeprefix(REPEATED_KEYS).split("\n  "):
            action.warn(line)


def _read(action: Action, tree: Json) -> Decoded:
    """Decode the tree of a body; what is said of a number quotes it as the client wrote it. Raises Unfit."""
    try:
        return as_kind(action, tree)
    except Unfit as error:
        if (quoted := literals.quoted(action.request, error)) is None:
            raise
        return as_kind(action, quoted)


def as_kind(action: Action, tree: Json) -> Decoded:
    """Decode a tree as an object of the action's kind. Raises Unfit."""
    return _custom(action, tree) if action.kind.custom else _builtin(action, tree)


def _builtin(action: Action, tree: Json) -> Decoded:
    kind = action.kind
    said = _member(tree, "apiVersion") or kind.api_version, _member(tree, "kind") or kind.kind
    if said != (kind.api_version, kind.kind):
        if _other_version(action, *said):
            raise status.bad_request(MISMATCH.format(said[0], kind.api_version))
        raise Unfit(_foreign(action, *said))
    try:
        found = typed.decode(kind, {**tree, "apiVersion": kind.api_version, "kind": kind.kind})
    except typed.GoTypeError as error:
        raise Unfit(str(error)) from error
    return Decoded(_with_metadata(found.object, tree), found.strict_errors if found.unknown else ())


def _member(tree: Json, name: str) -> str:
    """Return what a body says in a member, in whatever case it writes the name."""
    found = tree.get(name)
    if found is None:
        found = next((value for key, value in tree.items() if key.lower() == name.lower()), None)
    return found if isinstance(found, str) else ""


def _custom(action: Action, tree: Json) -> Decoded:
    if numbers.suspected(action.request.body):
        if literal := numbers.beyond(tree, action.request.body):
            raise Unfit(f"json: cannot unmarshal number {literal} into Go value of type float64")
        tree = numbers.with_whole_numbers(tree, action.kind.schema.fractions)
    stored = _stored(action)
    try:
        metadata, unknown = _metadata(tree.get("metadata"), stored.get("metadata") or {})
        pruned, dropped = _pruned(
            action, {**shared({**tree, "metadata": None}, stored), "metadata": metadata}
        )
    except typed.GoTypeError as error:
        raise Unfit(str(error)) from error
    strict = (*unknown, *(f'unknown field "{path}"' for path in dropped))
    return Decoded({**pruned, "metadata": metadata}, strict)


def _metadata(said: Json, stored: Json) -> tuple[Json, list[str]]:
    """Decode the metadata of a custom resource and return what no type has; members that are as they are
    stored were decoded before.

    Raises GoTypeError.
    """
    if type(said) is not dict:
        return typed.decode_message(META, {} if said is None else said).object, []
    kept = unchanged(said, stored)
    found = typed.decode_message(META, {name: value for name, value in said.items() if name not in kept})
    return {**kept, **found.object}, [f'unknown field "metadata.{path}"' for path in found.unknown]


def _stored(action: Action) -> Json:
    """Return what is stored under the name on the URL as its version shows it; empty where that is nothing,
    or needs a conversion.
    """
    current = action.current if action.name else None
    if current is None or current.object["apiVersion"] != action.kind.api_version:
        return {}
    return served(action.kind, current)


def _pruned(action: Action, tree: Json) -> tuple[Json, list[str]]:
    """Return a custom resource without the fields that its version does not know, and the paths of these;
    another kind is left alone.
    """
    kind, (group, _, version) = action.kind, str(tree.get("apiVersion") or "").rpartition("/")
    if (group, tree.get("kind")) != (kind.group, kind.kind):
        return tree, []
    found = kind if version == kind.version else action.api.registry.find(group, version, kind.plural)
    if found is None:
        return {name: value for name, value in tree.items() if name in TYPED}, sorted(set(tree) - TYPED)
    return found.schema.prune(tree) if found.schema.prune else (tree, [])


def _with_metadata(obj: Json, tree: Json) -> Json:
    """Return the object with metadata, and with an explicitly empty list of owners, which clears them
    (FK-172).
    """
    metadata = obj.get("metadata") or {}
    if (tree.get("metadata") or {}).get("managedFields") == []:
        metadata = {**metadata, "managedFields": []}
    return {**obj, "metadata": metadata}


def _check_kind(kind: Kind, tree: Json, body: bytes) -> None:
    if not tree.get("kind"):
        text = body.decode("utf-8", "replace")
        raise bodies.unrecognized(kind, f"Object 'Kind' is missing in '{text}'", body)


def _said(kind: Kind, tree: Json) -> str:
    version = _version(_member(tree, "apiVersion") or ("" if kind.custom else kind.api_version))
    return f'{_member(tree, "kind") or kind.kind} in version "{version}"'


def _other_version(action: Action, api_version: str, name: str) -> bool:
    """Tell whether it is the endpoint's kind in another version that the server can read."""
    row = action.api.registry.of_kind(api_version, name)
    known = name in EARLIER.get(api_version, ()) or (row is not None and not row.custom)
    return known and name == action.kind.kind and _group(api_version) in {action.kind.group, *MOVED}


def _version(api_version: str) -> str:
    return api_version.rpartition("/")[2]


def _group(api_version: str) -> str:
    return api_version.rpartition("/")[0]


def _foreign(action: Action, api_version: str, name: str) -> str:
    """Word a kind that is not the endpoint's: known to the server, or not."""
    kind, registry = action.kind, action.api.registry
    known = name.removesuffix("List") or name
    row = registry.of_kind(api_version, known) or registry.of_kind(api_version, name)
    served = api_version in {one.api_version for one in registry.kinds() if not one.custom}
    there = (row is not None and not row.custom) or name in {"List", "Status"}
    if known in EARLIER.get(api_version, ()) or (served and there):
        version = api_version.rpartition("/")[2]
        internal = INTERNAL_GROUPS.get(kind.group, kind.group.partition(".")[0])
        return f"converting ({version}.{name}) to ({internal}.{kind.kind}): unknown conversion"
    return bodies.unregistered(name, api_version)


def _problems(kind: Kind, body: Body, unknown: tuple[str, ...]) -> list[str]:
    """Order strict errors: repeated fields first, but for built-in kinds all as they stand in the body."""
    if kind.custom:
        return [*body.repeated, *unknown]
    if not body.position:
        # What was YAML has been written as JSON in between, which sorts it.
        return [*body.repeated, *(unknown if body.plain else sorted(unknown))]
    last, places = len(body.position), body.position
    return sorted(
        (*body.repeated, *unknown), key=lambda text: places.get(text, places.get(text.split('"')[1], last))
    )
