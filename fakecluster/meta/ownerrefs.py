"""Owner references: which are allowed, and repeated ones taken out (FK-070)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ..base.json_types import Json
from ..patch.json.equality import to_hashable
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


def remove_repetitions(references: list[Json], when: str = "") -> tuple[list[Json], str]:
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
    return [first[name] for name in counts], REPEATED.format(when, ", ".join(dict.fromkeys(repeated)))


def deduplicate(obj: Json, warn: Callable[[str], None], when: str = "") -> Json:
    """Return the object with each owner once, warning when there were repetitions."""
    references = obj["metadata"].get("ownerReferences")
    if not references:
        return obj
    unique, warning = remove_repetitions(references, when)
    if not warning:
        return obj
    warn(warning)
    return metadata.with_metadata(obj, ownerReferences=unique)


def errors(references: list[Json]) -> list[FieldError]:
    """Judge owner references."""
    problems = [problem for reference in references for problem in _of_one(reference)]
    controllers = [reference for reference in references if reference.get("controller")]
    if len(controllers) > 1:
        first, second = (
            f"{reference.get('kind', '')}/{reference.get('name', '')}" for reference in controllers[:2]
        )
        detail = f'Only one reference can have Controller set to true. Found "true" in references for {first} and {second}'
        problems.append(
            fields.invalid(PATH, [_in_declared_order(reference) for reference in references], detail)
        )
    return problems


def _of_one(reference: Json) -> list[FieldError]:
    version = reference.get("apiVersion", "")
    usable = version.count("/") <= 1 and bool(version.rpartition("/")[2])
    problems = [] if usable else [fields.invalid(f"{PATH}.apiVersion", version, "version must not be empty")]
    problems += [
        fields.invalid(f"{PATH}.{name}", reference.get(name, ""), "must not be empty")
        for name in NAMED
        if not reference.get(name)
    ]
    if version == "v1" and reference.get("kind") == "Event":
        problems.append(
            fields.invalid(
                PATH, _in_declared_order(reference), "/v1, Kind=Event is disallowed from being an owner"
            )
        )
    return problems


def _in_declared_order(reference: Json) -> Json:
    """Return a reference as messages print it:
    in the order of its declaration, what must be there always there.
    """
    return {
        name: reference.get(name, "")
        for name in MEMBERS
        if name in reference or name in {"apiVersion", *NAMED}
    }
