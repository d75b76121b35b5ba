"""The ReplicaSets of a Deployment: which one is of the present template,
what a new one looks like, their revisions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import orjson
from msgspec import Struct

from ...base.json_types import Json
from ...base.numbers.integers import short
from ...base.numbers.timestamps import since_epoch
from ..owners import reference_to

HASH_LABEL = "pod-template-hash"
ANNOTATION_PREFIX = "deployment.kubernetes.io/"
REVISION, REVISION_HISTORY = f"{ANNOTATION_PREFIX}revision", f"{ANNOTATION_PREFIX}revision-history"
DESIRED, MAX_REPLICAS = f"{ANNOTATION_PREFIX}desired-replicas", f"{ANNOTATION_PREFIX}max-replicas"
LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
ROLLBACK_TO = "deprecated.deployment.rollback.to"
ANNOTATIONS_NOT_COPIED = frozenset(
    {REVISION, REVISION_HISTORY, DESIRED, MAX_REPLICAS, LAST_APPLIED, ROLLBACK_TO}
)
"""Annotations that a ReplicaSet does not take over from its Deployment."""
# Without vowels, and without 0, 1 and 3, so that a hash spells no word.
HASH_LETTERS = "bcdfghjklmnpqrstvwxz2456789"
HISTORY_LENGTH = 2000
LONGEST_NAME = 253


class ReplicaSets(Struct, frozen=True):
    """The ReplicaSets of a Deployment: the one of its present template,
    None when there is none yet, and the others.
    """

    new: Json | None
    old: tuple[Json, ...]

    @property
    def every(self) -> tuple[Json, ...]:
        """All of them."""
        return self.old if self.new is None else (*self.old, self.new)

    @property
    def active(self) -> tuple[Json, ...]:
        """Those that want pods."""
        return tuple(replica_set for replica_set in self.every if replicas(replica_set) > 0)


def family(deployment: Json, owned_sets: Sequence[Json]) -> ReplicaSets:
    """Return which of the ReplicaSets is the one of the present template: the oldest that has it."""
    template = deployment["spec"]["template"]
    # The oldest, so that two of one template (made by hand or by a collision) do not take turns.
    new = next(
        (replica_set for replica_set in sorted(owned_sets, key=age) if has_template(replica_set, template)),
        None,
    )
    return ReplicaSets(new, tuple(replica_set for replica_set in owned_sets if replica_set is not new))


def has_template(replica_set: Json, template: Json) -> bool:
    """Tell whether a ReplicaSet has a template, but for the hash."""
    return bool(_plain(replica_set["spec"]["template"]) == _plain(template))


# A ReplicaSet that was written has a new resourceVersion, which the next write needs.
def replace(family: ReplicaSets, updated: Mapping[str, Json]) -> ReplicaSets:
    """Return the family with later states of some of its ReplicaSets, by uid."""
    if not updated:
        return family
    new, *old = (
        replica_set and updated.get(replica_set["metadata"]["uid"], replica_set)
        for replica_set in (family.new, *family.old)
    )
    return ReplicaSets(new, tuple(old))


def active_or_latest(family: ReplicaSets) -> tuple[Json, ...]:
    """Return the ReplicaSets that want pods; when none does the present one, or else the newest."""
    if family.active or family.new is None:
        return family.active or tuple(sorted(family.old, key=age)[-1:])
    return (family.new,)


def new_one(deployment: Json) -> Json:
    """Return a ReplicaSet of the present template, without replicas and annotations."""
    template, metadata = deployment["spec"]["template"], deployment["metadata"]
    digest = _digest(template, deployment.get("status", {}).get("collisionCount", 0))
    labels = {**(template["metadata"].get("labels") or {}), HASH_LABEL: digest}
    selector = deployment["spec"]["selector"]
    return {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            # Cut so that the hash, which tells revisions apart, stays whole.
            "name": f"{metadata['name'][: LONGEST_NAME - len(digest) - 1]}-{digest}",
            "namespace": metadata["namespace"],
            "labels": labels,
            "annotations": {},
            "ownerReferences": [reference_to(deployment)],
        },
        "spec": {
            # Zero, and then a size: the Deployment knows how many may run beside the old ones.
            "replicas": 0,
            "minReadySeconds": deployment["spec"].get("minReadySeconds", 0),
            "selector": {
                **selector,
                "matchLabels": {**(selector.get("matchLabels") or {}), HASH_LABEL: digest},
            },
            "template": {**template, "metadata": {**template["metadata"], "labels": labels}},
        },
    }


def annotate(deployment: Json, replica_set: Json, revision: int) -> Json:
    """Return the ReplicaSet of the present template with the Deployment's annotations and this revision, if
    it is a newer one.
    """
    own = replica_set["metadata"].get("annotations") or {}
    taken = deployment["metadata"].get("annotations") or {}
    annotations = {
        **own,
        **{name: value for name, value in taken.items() if name not in ANNOTATIONS_NOT_COPIED},
    }
    before = own.get(REVISION, "")
    # An annotation that is no number is left alone, as the real controller cannot parse it.
    if before and short(before) is None:
        return replica_set
    if (short(before) or 0) < revision:
        annotations[REVISION] = str(revision)
        if before:
            annotations[REVISION_HISTORY] = _history(own.get(REVISION_HISTORY, ""), before)
    return _with_annotations(replica_set, annotations)


def resize(replica_set: Json, size: int, desired: int, most: int) -> Json:
    """Return a ReplicaSet of another size, which remembers how many its Deployment wants and allows."""
    noted = {DESIRED: str(desired), MAX_REPLICAS: str(most)}
    annotations = {**(replica_set["metadata"].get("annotations") or {}), **noted}
    return {**_with_annotations(replica_set, annotations), "spec": {**replica_set["spec"], "replicas": size}}


def next_revision(old: Sequence[Json]) -> int:
    """Return the revision that follows those of the older ReplicaSets."""
    # Only older ones count: the new one may have the number already.
    return max(map(revision, old), default=0) + 1


def revision(replica_set: Json) -> int:
    """Return the revision of a ReplicaSet, 0 when it has none."""
    return number(replica_set, REVISION) or 0


def number(replica_set: Json, annotation: str) -> int | None:
    """Return an annotation as a number, None when it is none."""
    return short((replica_set["metadata"].get("annotations") or {}).get(annotation, ""))


def replicas(owner: Json) -> int:
    """Return how many pods a Deployment or ReplicaSet wants."""
    return int(owner["spec"]["replicas"])


def age(replica_set: Json) -> tuple[float, str]:
    """Return what sorts objects from the oldest to the newest."""
    return since_epoch(replica_set["metadata"]["creationTimestamp"]), replica_set["metadata"]["name"]


def expendable(old: Sequence[Json], limit: int) -> list[Json]:
    """Return the older ReplicaSets beyond the history's limit that
    have no pods and are at rest, the oldest revisions first.
    """
    # Those that go count for nothing: they would be deleted twice.
    staying = [replica_set for replica_set in old if "deletionTimestamp" not in replica_set["metadata"]]
    beyond = sorted(staying, key=lambda replica_set: (revision(replica_set), age(replica_set)))[
        : max(0, len(staying) - limit)
    ]
    return [replica_set for replica_set in beyond if not replicas(replica_set) and _is_at_rest(replica_set)]


def _is_at_rest(replica_set: Json) -> bool:
    status = replica_set.get("status", {})
    # A status of an earlier generation may still say that there are no pods.
    is_observed = status.get("observedGeneration", 0) >= replica_set["metadata"].get("generation", 0)
    return is_observed and not status.get("replicas", 0)


def _plain(template: Json) -> Json:
    """Return a template for comparison: without the hash and without empty members."""
    metadata = template.get("metadata") or {}
    labels = {name: value for name, value in (metadata.get("labels") or {}).items() if name != HASH_LABEL}
    # Empty members and absent ones are the same template once it has been stored.
    nonempty = {name: value for name, value in {**metadata, "labels": labels}.items() if value}
    return {**template, "metadata": nonempty}


def _digest(template: Json, collisions: int) -> str:
    """Return a word for a template, in letters that spell nothing;
    which word is no promise, in a real cluster either.
    """
    encoded = orjson.dumps([_plain(template), collisions], option=orjson.OPT_SORT_KEYS)
    decimal = str(int.from_bytes(hashlib.sha256(encoded).digest()[:4]))
    return "".join(HASH_LETTERS[ord(digit) % len(HASH_LETTERS)] for digit in decimal)


def _history(history: str, before: str) -> str:
    revisions = [*filter(None, history.split(",")), before]
    # The oldest revisions are dropped first; the last one always stays.
    while len(",".join(revisions)) > HISTORY_LENGTH and len(revisions) > 1:
        revisions.pop(0)
    return ",".join(revisions)


def _with_annotations(replica_set: Json, annotations: Json) -> Json:
    return {**replica_set, "metadata": {**replica_set["metadata"], "annotations": annotations}}
