"""The server's share of an object's metadata: what it fills in, keeps and throws away,
the owner references and finalizers that it allows
(FK-061, FK-062, FK-070, FK-071, FK-104, FK-105, FK-108, FK-109, FK-114).
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache

from ..api.kind import Kind
from ..base.json_types import Json
from ..patch.json.equality import to_hashable
from ..schema import fields
from ..schema.fields import FieldError
from .labels import key_problems

SERVER_FIELDS = ("uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink")
"""What only the server sets; only a POST is not heard about it (FK-061)."""
OWNERS_PATH = "metadata.ownerReferences"
REQUIRED_OF_OWNER = ("kind", "name", "uid")
AFTER_ADMISSION = " after mutating admission happens"
"""When repetitions are seen that the client did not write."""
MEMBERS_OF_OWNER = ("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion")
REPEATED_OWNERS = (
    ".metadata.ownerReferences contains duplicate entries{}; API server dedups owner references in 1.20+, and may reject such "
    "requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}"
)
FINALIZERS_PATH = "metadata.finalizers"
ORPHAN_FINALIZER = "orphan"
FOREGROUND_FINALIZER = "foregroundDeletion"
STANDARD_FINALIZERS = frozenset({"kubernetes", ORPHAN_FINALIZER, FOREGROUND_FINALIZER})
UNQUALIFIED_FINALIZER = (
    "metadata.finalizers: {}: prefer a domain-qualified finalizer name{} to avoid accidental conflicts with other "
    "finalizer writers"
)


def timestamp(current_time: float) -> str:
    """Format an instant as Kubernetes does."""
    return _second(int(current_time))


# Many writes fall into one second, and strftime is slow.
@lru_cache(maxsize=64)
def _second(number: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(number))


def with_metadata(obj: Json, **members: Json) -> Json:
    """Return the object with members of its metadata set, or removed where the value is None."""
    merged = {**obj.get("metadata", {}), **members}
    return {**obj, "metadata": {key: value for key, value in merged.items() if value is not None}}


def for_create(obj: Json, kind: Kind, *, uid: str, current_time: float) -> Json:
    """Return a new object with the fields that only the server sets."""
    generation = obj["metadata"].get("generation") if kind.strategy.generation == "none" else 1
    return with_metadata(
        obj, uid=uid, creationTimestamp=timestamp(current_time), generation=generation or None
    )


def for_update(new: Json, old: Json) -> Json:
    """Return the new object with what the server keeps:
    a client may leave it out, or is not heard (FK-104).
    """
    before = old["metadata"]
    server_fields = {key: before.get(key) for key in ("creationTimestamp", "generation")}
    # A client may send the uid it expects; the update is then refused with 409 where the object is another
    # one.
    server_fields["uid"] = new["metadata"].get("uid") or before.get("uid")
    server_fields |= {
        key: before[key] for key in ("deletionTimestamp", "deletionGracePeriodSeconds") if key in before
    }
    return with_metadata(new, **server_fields)


def with_generation(new: Json, old: Json, kind: Kind) -> Json:
    """Return the new object with its generation raised when what the kind tracks has changed (FK-105)."""
    if kind.strategy.generation == "none":
        return new
    tracked_member = kind.strategy.generation_of
    # Compared, not counted: an update that changes nothing must not raise the generation.
    same = tracked_content(new, kind) == tracked_content(old, kind) and (
        not tracked_member or _member(new, tracked_member) == _member(old, tracked_member)
    )
    if same:
        return new
    return with_metadata(new, generation=int(old["metadata"].get("generation") or 0) + 1)


def _member(obj: Mapping[str, Json], name: str) -> Json:
    return obj["metadata"].get(name) or {}


def tracked_content(obj: Mapping[str, Json], kind: Kind) -> Json:
    """Return the part of an object whose change raises its generation."""
    if kind.strategy.generation == "spec":
        return obj.get("spec")
    ignored = {"metadata", "apiVersion", "kind"} | ({"status"} if "status" in kind.subresources else set())
    return {key: value for key, value in obj.items() if key not in ignored}


def remove_repeated_owners(references: list[Json], when: str = "") -> tuple[list[Json], str]:
    """Return the references without exact repetitions,
    and the warning about them; empty when there were none.
    """
    names = [to_hashable(reference) for reference in references]
    counts = Counter(names)
    if len(counts) == len(names):
        return references, ""
    # dict() keeps the last of equal keys; read backwards that is the first.
    last_first = reversed([*zip(names, references, strict=True)])
    repeated = (
        str(reference.get("uid", ""))
        for name, reference in zip(names, references, strict=True)
        if counts[name] > 1
    )
    first = dict(last_first)
    return [first[name] for name in counts], REPEATED_OWNERS.format(when, ", ".join(dict.fromkeys(repeated)))


def deduplicate_owners(obj: Json, warn: Callable[[str], None], when: str = "") -> Json:
    """Return the object with each owner once, warning when there were repetitions."""
    references = obj["metadata"].get("ownerReferences")
    if not references:
        return obj
    unique, warning = remove_repeated_owners(references, when)
    if not warning:
        return obj
    warn(warning)
    return with_metadata(obj, ownerReferences=unique)


def owner_errors(references: list[Json]) -> list[FieldError]:
    """Judge owner references."""
    problems = [problem for reference in references for problem in _errors_of_owner(reference)]
    controllers = [reference for reference in references if reference.get("controller")]
    if len(controllers) > 1:
        first, second = (
            f"{reference.get('kind', '')}/{reference.get('name', '')}" for reference in controllers[:2]
        )
        detail = f'Only one reference can have Controller set to true. Found "true" in references for {first} and {second}'
        problems.append(
            fields.invalid(OWNERS_PATH, [_in_declared_order(reference) for reference in references], detail)
        )
    return problems


def _errors_of_owner(reference: Json) -> list[FieldError]:
    version = reference.get("apiVersion", "")
    usable = version.count("/") <= 1 and bool(version.rpartition("/")[2])
    problems = (
        [] if usable else [fields.invalid(f"{OWNERS_PATH}.apiVersion", version, "version must not be empty")]
    )
    problems += [
        fields.invalid(f"{OWNERS_PATH}.{name}", reference.get(name, ""), "must not be empty")
        for name in REQUIRED_OF_OWNER
        if not reference.get(name)
    ]
    if version == "v1" and reference.get("kind") == "Event":
        problems.append(
            fields.invalid(
                OWNERS_PATH,
                _in_declared_order(reference),
                "/v1, Kind=Event is disallowed from being an owner",
            )
        )
    return problems


def _in_declared_order(reference: Json) -> Json:
    """Return a reference as messages print it:
    in the order of its declaration, what must be there always there.
    """
    return {
        name: reference.get(name, "")
        for name in MEMBERS_OF_OWNER
        if name in reference or name in {"apiVersion", *REQUIRED_OF_OWNER}
    }


def finalizers_of(obj: Json) -> list[str]:
    """Return an object's finalizers."""
    return list(obj["metadata"].get("finalizers") or ())


def finalizer_errors(names: list[str]) -> list[FieldError]:
    """Judge the names and which of them go together."""
    problems = [
        fields.invalid(FINALIZERS_PATH, name, problem) for name in names for problem in key_problems(name)
    ]
    # They demand opposites of the garbage collector.
    if ORPHAN_FINALIZER in names and FOREGROUND_FINALIZER in names:
        detail = f"finalizer {ORPHAN_FINALIZER} and {FOREGROUND_FINALIZER} cannot be both set"
        problems.append(fields.invalid(FINALIZERS_PATH, names, detail))
    return problems


def unqualified_finalizer_errors(names: list[str]) -> list[FieldError]:
    """Judge names that are not qualified, as strict kinds do."""
    detail = "name is neither a standard finalizer name nor is it fully qualified"
    return [
        fields.invalid(f"{FINALIZERS_PATH}[{at}]", name, detail)
        for at, name in enumerate(names)
        if "/" not in name and name not in STANDARD_FINALIZERS
    ]


def finalizer_warnings(names: list[str], before: list[str]) -> list[str]:
    """Word what should be named better among new finalizers of a custom resource."""
    accepted = {*STANDARD_FINALIZERS, *before}
    return [
        UNQUALIFIED_FINALIZER.format(fields.go_quote(name), " including a path (/)" if "." in name else "")
        for name in sorted(names)
        if "/" not in name and name not in accepted and not key_problems(name)
    ]


def late_finalizer_errors(new: Json, old: Json) -> list[FieldError]:
    """Judge finalizers that come when the object is going already (FK-108)."""
    # While an object is being deleted finalizers may only go, or it might never end.
    if "deletionTimestamp" not in old["metadata"]:
        return []
    late = sorted(set(finalizers_of(new)) - set(finalizers_of(old)))
    if not late:
        return []
    listed = ", ".join(fields.go_quote(name) for name in late)
    detail = f"no new finalizers can be added if the object is being deleted, found new finalizers []string{{{listed}}}"
    return [fields.forbidden(FINALIZERS_PATH, detail)]
