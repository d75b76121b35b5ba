"""DefaultIngressClass: an Ingress that names no class gets the default one (FK-504)."""

from __future__ import annotations

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...kinds.networking.ingresses import CLASS
from .default_class import default_class
from .plugin import CREATE, Plugin

CLASSES = ("networking.k8s.io", "ingressclasses")
DEFAULT = ("ingressclass.kubernetes.io/is-default-class",)


def choose_class(api: Context, review: Review, ingress: Json) -> Json:
    """Return a new Ingress with the default class, unless it names one."""
    del review
    # The old annotation counts as a class as well.
    if CLASS in (ingress["metadata"].get("annotations") or {}) or "ingressClassName" in ingress["spec"]:
        return ingress
    name = default_class(api.store, CLASSES, DEFAULT)
    return {**ingress, "spec": {**ingress["spec"], "ingressClassName": name}} if name else ingress


PLUGIN = Plugin(
    name="DefaultIngressClass",
    operations=CREATE,
    mutates={("networking.k8s.io", "ingresses", ""): choose_class},
)
