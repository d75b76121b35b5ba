"""A request's body as an object of the endpoint's kind (FK-041…FK-043, FK-233…FK-236, FK-502).

Built-in kinds are decoded as Go structs: the endpoint's kind is assumed when the body names none. Custom
resources name their kind; their metadata is typed, the rest is pruned by schema.
"""

from __future__ import annotations

from msgspec import Struct

from ....api import status
from ....api.kind import Kind
from ....api.outcome import EMPTY
from ....base.json_types import Json
from ....codec import bodies, literals
from ....codec.bodies import Body
from ....codec.json.reader import REPEATED_KEYS
from ....gotypes import typed
from ...action import Action
from . import custom_resources
from .earlier_kinds import EARLIER_KINDS

NO_API_VERSION = "Object 'apiVersion' is missing in 'object has no apiVersion field'"
STRICT_LIMIT = 100
VERSION_MISMATCH = "the API version in the data ({}) does not match the expected API version ({})"
OF_EVERY_VERSION = frozenset(
    {"List", "Status", "WatchEvent"}
    | {f"{verb}Options" for verb in ("Create", "Delete", "Get", "List", "Patch", "Update")}
)
"""Kinds that are known in each group and version beside its own."""
POSTED_BELOW = {
    "autoscaling/v1": ("Scale",),
    "policy/v1": ("Eviction",),
    "authentication.k8s.io/v1": ("TokenRequest",),
}
"""Kinds that have no path of their own, by group and version."""
MOVED_GROUPS = ("extensions",)
"""Groups whose kinds have moved to others."""
INTERNAL_GROUPS = {"": "core", "events.k8s.io": "core"}


class DecodeError(Exception):
    """A body does not decode as an object of the kind; the text is Go's message."""


class StrictDecodeError(DecodeError):
    """A tree is an object of the kind it claims to be, and has what that kind does not know."""


class DecodedBody(Struct, frozen=True):
    """An object of the kind and what strict decoding has against it."""

    object: Json
    strict: tuple[str, ...] = ()


def decode_body(action: Action, stored: Json = EMPTY) -> Json:
    """Return the object in the body of POST or PUT, in the version of the endpoint. Raises 400, 415, 422.

    stored: the stored custom resource, whose members are not decoded again where the body repeats them.
    """
    kind, request = action.kind, action.request
    body = bodies.read_as(request, kind)
    tree = body.tree or {}
    try:
        decoded = _read(action, body, stored)
        judge(action, _problems(kind, body, decoded.strict))
    except DecodeError as error:
        claimed = kind.custom and isinstance(error, StrictDecodeError)
        if claimed and not tree.get("apiVersion"):
            raise status.bad_request(NO_API_VERSION) from error
        kind_name = tree["kind"] if claimed else kind.kind
        raise status.bad_request(
            f"{_describe(kind, tree)} cannot be handled as a {kind_name}: {error}"
        ) from error
    api_version = decoded.object.get("apiVersion") or ""
    if kind.custom and api_version != kind.api_version:
        raise status.bad_request(VERSION_MISMATCH.format(api_version, kind.api_version))
    return decoded.object


def judge(action: Action, problems: list[str]) -> None:
    """Warn of strict decoding errors, or raise DecodeError where strictness was asked for (FK-233…FK-235)."""
    problems, validation = problems[:STRICT_LIMIT], action.options.validation
    if problems and validation == "Strict":
        raise StrictDecodeError("strict decoding error: " + ", ".join(problems))
    for problem in problems if validation == "Warn" else ():
        for line in problem.removeprefix(REPEATED_KEYS).split("\n  "):
            action.warn(line)


def _read(action: Action, body: Body, stored: Json) -> DecodedBody:
    """Decode the tree of a body; a refusal quotes a number as the client wrote it. Raises DecodeError."""
    try:
        return as_kind(action, body.tree or {}, stored)
    except DecodeError as error:
        if not (body.json and literals.quotes_number(error)):
            raise
        return as_kind(action, literals.tree(action.request.body), stored)


def as_kind(action: Action, tree: Json, stored: Json) -> DecodedBody:
    """Decode a tree as the action's kind; `stored` is the current custom resource. Raises DecodeError."""
    try:
        if not action.kind.custom:
            return _builtin(action, tree)
        obj, strict = custom_resources.decode(action, tree, stored)
    except typed.GoTypeError as error:
        raise DecodeError(str(error)) from error
    return DecodedBody(obj, tuple(strict))


def _builtin(action: Action, tree: Json) -> DecodedBody:
    kind = action.kind
    type_meta = _member(tree, "apiVersion") or kind.api_version, _member(tree, "kind") or kind.kind
    accepted = {kind.api_version, *kind.schema.accepted_versions}
    if type_meta[0] not in accepted or type_meta[1] != kind.kind:
        if not _other_version(action, *type_meta):
            raise DecodeError(_foreign(action, *type_meta))
        raise status.bad_request(VERSION_MISMATCH.format(type_meta[0], kind.api_version))
    decoded = typed.decode(kind, {**tree, "apiVersion": kind.api_version, "kind": kind.kind})
    obj, metadata = decoded.object, decoded.object.get("metadata") or {}
    if (tree.get("metadata") or {}).get("managedFields") == []:  # which clears the owners (FK-172)
        metadata = {**metadata, "managedFields": []}
    return DecodedBody({**obj, "metadata": metadata}, decoded.strict_errors if decoded.unknown else ())


def _member(tree: Json, name: str) -> str:
    """Return the text of a member, whose name the body may write in another case."""
    text = tree.get(name)
    if text is None:
        text = next((value for key, value in tree.items() if key.lower() == name.lower()), None)
    return text if isinstance(text, str) else ""


def _describe(kind: Kind, tree: Json) -> str:
    version = _version(_member(tree, "apiVersion") or ("" if kind.custom else kind.api_version))
    return f'{_member(tree, "kind") or kind.kind} in version "{version}"'


def _other_version(action: Action, api_version: str, name: str) -> bool:
    """Tell whether a body is the endpoint's kind in another version that the server decodes."""
    row = action.api.registry.of_kind(api_version, name)
    is_known = name in EARLIER_KINDS.get(api_version, ()) or (row is not None and not row.custom)
    return is_known and name == action.kind.kind and _group(api_version) in {action.kind.group, *MOVED_GROUPS}


def _version(api_version: str) -> str:
    return api_version.rpartition("/")[2]


def _group(api_version: str) -> str:
    return api_version.rpartition("/")[0]


def _foreign(action: Action, api_version: str, name: str) -> str:
    """Word a kind that is not the endpoint's: known to the server, or not."""
    kind, registry = action.kind, action.api.registry
    singular = name.removesuffix("List") or name
    row = registry.of_kind(api_version, singular) or registry.of_kind(api_version, name)
    served = api_version in {
        registered.api_version for registered in registry.kinds() if not registered.custom
    }
    there = (row is not None and not row.custom) or name in OF_EVERY_VERSION
    there = there or name in POSTED_BELOW.get(api_version, ())
    if singular in EARLIER_KINDS.get(api_version, ()) or (served and there):
        version = api_version.rpartition("/")[2]
        internal = INTERNAL_GROUPS.get(kind.group, kind.group.partition(".")[0])
        return f"converting ({version}.{name}) to ({internal}.{kind.kind}): unknown conversion"
    return bodies.kind_not_registered(name, api_version)


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
