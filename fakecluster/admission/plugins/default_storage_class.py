"""DefaultStorageClass: a claim that names no class gets the default one (FK-504)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from .default_class import default_class
from .plugin import CREATE, Plugin

CLASSES = ("storage.k8s.io", "storageclasses")
DEFAULT = ("storageclass.kubernetes.io/is-default-class", "storageclass.beta.kubernetes.io/is-default-class")
NAMED_BEFORE = "volume.beta.kubernetes.io/storage-class"


def choose_class(api: Context, review: Review, claim: Json) -> Json:
    """Return a new claim with the default class, unless it names one; an empty name is one as well."""
    del review
    # An empty name is a choice: no class at all, hence no default.
    if NAMED_BEFORE in (claim["metadata"].get("annotations") or {}) or "storageClassName" in claim["spec"]:
        return claim
    name = default_class(api.store, CLASSES, DEFAULT)
    return {**claim, "spec": {**claim["spec"], "storageClassName": name}} if name else claim


PLUGIN = Plugin(
    name="DefaultStorageClass", operations=CREATE, mutates={("", "persistentvolumeclaims", ""): choose_class}
)
