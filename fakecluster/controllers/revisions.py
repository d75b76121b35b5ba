"""The history of a template as ControllerRevisions:
which one is of the present template, and which ones go (FK-464).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import orjson
from msgspec import Struct

from ..api.status import StatusError
from ..api.steps import Steps
from ..base.json_types import Json
from ..base.numbers.timestamps import since_epoch
from ..store import Stored
from .actor import Actor
from .owners import reference_to

REVISIONS = ("apps", "controllerrevisions")
HASH_LABEL, REVISION_HASH = "controller.kubernetes.io/hash", "controller-revision-hash"
"""The label of a ControllerRevision, and that of a pod, which has the name or the hash of its revision."""
HASH_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
LONGEST_PREFIX = 223
FNV_START, FNV_PRIME = 2166136261, 16777619
# Go escapes these in JSON, and a hash of a template is one of its JSON.
GO_JSON_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}


class RevisionHistory(Struct, frozen=True):
    """The revision of the present template, all revisions in order, and how often a name was taken."""

    revision: Json
    every: tuple[Json, ...]
    collisions: int


class Revisions:
    """Writes the ControllerRevisions of one kind of owner."""

    def __init__(self, actor: Actor, label: str = HASH_LABEL) -> None:
        self._actor = actor
        self._label = label
        """The label of a revision that has its hash."""

    def present(self, owner: Json, claimed: Sequence[Json], new: Json) -> Steps[RevisionHistory]:
        """Return the history with the revision of the present template, which is created when there is none
        like `new`, and becomes the newest one when it was an earlier one. Raises StatusError.
        """
        every = sorted(claimed, key=age)
        collisions = int(owner.get("status", {}).get("collisionCount") or 0)
        equal = [revision for revision in every if revision.get("data") == new["data"]]
        row = self._actor.kind("apps/v1", "ControllerRevision")
        number = next_number(every)
        if row is None or (equal and equal[-1] is every[-1]):
            return RevisionHistory(equal[-1] if equal else new, tuple(every), collisions)
        if equal:
            renewed = yield from self._actor.update(row, {**equal[-1], "revision": number})
            earlier = [revision for revision in every if revision is not equal[-1]]
            return RevisionHistory(renewed, (*earlier, renewed), collisions)
        return (yield from self._create(owner, {**new, "revision": number}, every, collisions))

    def delete(self, revisions: Iterable[Json]) -> Steps[None]:
        """Delete revisions. Raises StatusError."""
        row = self._actor.kind("apps/v1", "ControllerRevision")
        for revision in revisions:
            stored = self._revision(revision["metadata"]["namespace"], revision["metadata"]["name"])
            if row and stored is not None:
                yield from self._actor.delete(row, stored)

    def _create(
        self, owner: Json, new: Json, every: Sequence[Json], collisions: int
    ) -> Steps[RevisionHistory]:
        """Create a revision; another one of its name makes the next try choose another name."""
        row = self._actor.kind("apps/v1", "ControllerRevision")
        metadata = owner["metadata"]
        while row is not None:
            digest = hash_of(new["data"], collisions)
            name = f"{metadata['name'][:LONGEST_PREFIX]}-{digest}"
            own = {
                **new["metadata"],
                "name": name,
                "namespace": metadata["namespace"],
                "labels": {**new["metadata"]["labels"], self._label: digest},
                "ownerReferences": [reference_to(owner)],
            }
            try:
                created = yield from self._actor.create(row, {**new, "metadata": own})
            except StatusError as error:
                taken = self._revision(metadata["namespace"], name)
                if error.reason != "AlreadyExists" or taken is None:
                    raise
                if taken.object.get("data") == new["data"]:
                    return RevisionHistory(taken.object, (*every, taken.object), collisions)
                collisions += 1
            else:
                return RevisionHistory(created, (*every, created), collisions)
        return RevisionHistory(new, tuple(every), collisions)

    def _revision(self, namespace: str, name: str) -> Stored | None:
        return self._actor.api.store.get(REVISIONS, (namespace, name))


def new_revision(owner: Json) -> Json:
    """Return a revision of an owner's template,
    without name and number: a patch that brings the template back.
    """
    template = owner["spec"]["template"]
    metadata = {
        "labels": dict((template.get("metadata") or {}).get("labels") or {}),
        "annotations": dict(owner["metadata"].get("annotations") or {}),
    }
    data = {"spec": {"template": {**template, "$patch": "replace"}}}
    return {"apiVersion": "apps/v1", "kind": "ControllerRevision", "metadata": metadata, "data": data}


def with_template_of(owner: Json, revision: Json) -> Json:
    """Return an owner with the template of a revision; a revision of another shape changes nothing."""
    data = revision.get("data")
    spec = data.get("spec") if isinstance(data, dict) else None
    template = spec.get("template") if isinstance(spec, dict) else None
    if not isinstance(template, dict) or not isinstance(template.get("spec"), dict):
        return owner
    plain = {name: value for name, value in template.items() if name != "$patch"}
    return {**owner, "spec": {**owner["spec"], "template": plain}}


def next_number(every: Sequence[Json]) -> int:
    """Return the number that follows those of revisions in order."""
    return int(every[-1]["revision"]) + 1 if every else 1


def age(revision: Json) -> tuple[int, float, str]:
    """Return what sorts revisions from the oldest to the newest."""
    metadata = revision["metadata"]
    return int(revision["revision"]), since_epoch(metadata["creationTimestamp"]), metadata["name"]


def hash_of(data: Json, collisions: int) -> str:
    """Return the hash of a revision as upstream spells it:
    FNV-1 of its JSON, in letters that make no word.
    """
    text = orjson.dumps(data, option=orjson.OPT_SORT_KEYS).decode()
    for character, escaped in GO_JSON_ESCAPES.items():
        text = text.replace(character, escaped)
    number = FNV_START
    for byte in f"{text}{collisions}".encode():
        number = (number * FNV_PRIME & 0xFFFFFFFF) ^ byte
    return safe_encode(str(number))


def safe_encode(digits: str) -> str:
    """Write digits in letters that spell nothing."""
    return "".join(HASH_LETTERS[ord(digit) % len(HASH_LETTERS)] for digit in digits)
