"""Owner references: which are allowed, and repeated ones taken out (FK-070)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ..base.json_types import Json
from ..patch.json.equality import hashed
from ..schema import fields
from ..schema.fields import FieldError
from . import metadata

PATH = "metadata.ownerReferences"
NAMED = ("kind", "name", "uid")
ADMITTED = " after mutating admission happens"
"""When repetitions are seen that the client did not write."""
MEMBERS = ("apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion")
REPEATED = (
    ".metadata.ownerReferences contains duplicate entries{}; API server dedups owner references in 1.20+, and may reject such "
    "requests as early as 1.24; please fix your requests; duplicate UID(s) observed: {}"
)


def unrepeated(references: list[Json], when: str = "") -> tuple[list[Json], str]:
    """Return the references without exact repetitions, and the warning about them; empty when there were
    none.
    """
    names = [hashed(one) for one in references]
    counts = Counter(names)
    if len(counts) == len(names):
        return references, ""
    last_first = reversed([*zip(names, references, strict=True)])
    repeated = (
        str(one.get("uid", "")) for name, one in zip(names, references, strict=True) if counts[name] > 1
    )
    first = dict(last_first)
    return [first[name] for name in counts], REPEATED.format(when, ", ".join(dict.fromkeys(repeated)))


def deduplicated(obj: Json, warn: Callable[[str], None], when: str = "") -> Json:
    """Return the object with each owner once, warning when there were repetitions."""
    references = obj["metadata"].get("ownerReferences")
    if not references:
        return obj
    kept, warning = unrepeated(references, when)
    if not warning:
        return obj
    warn(warning)
    return metadata.changed(obj, ownerReferences=kept)


def errors(references: list[Json]) -> list[FieldError]:
    """Judge owner references."""
    found = [problem for one in references for problem in _of_one(one)]
    controllers = [one for one in references if one.get("controller")]
    if len(controllers) > 1:
        first, second = (f"{one.get('kind', '')}/{one.get('name', '')}" for one in controllers[:2])
        detail = f'Only one reference can have Controller set to true. Found "true" in references for {first} and {second}'
        found.append(fields.invalid(PATH, [_ordered(one) for one in references], detail))
    return found


def _of_one(one: Json) -> list[FieldError]:
    version = one.get("apiVersion", "")
    usable = version.count("/") <= 1 and bool(version.rpartition("/")[2])
    found = [] if usable else [fields.invalid(f"{PATH}.apiVersion", version, "version must not be empty")]
    found += [
        fields.invalid(f"{PATH}.{name}", one.get(name, ""), "must not be empty")
        for name in NAMED
        if not one.get(name)
    ]
    if version == "v1" and one.get("kind") == "Event":
        found.append(fields.invalid(PATH, _ordered(one), "/v1, Kind=Event is disallowed from being an owner"))
    return found


def _ordered(one: Json) -> Json:
    """Return a reference as messages print it: in the order of its declaration, what must be there always
    there.
    """
    return {name: one.get(name, "") for name in MEMBERS if name in one or name in {"apiVersion", *NAMED}}
