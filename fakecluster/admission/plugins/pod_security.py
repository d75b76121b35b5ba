"""PodSecurity: pods and templates against the standards that their namespace has in its labels (FK-317).

The standards are loaded when the first namespace has such a label.
"""

from __future__ import annotations

from collections.abc import Callable

from ...api.admission import NAMESPACES, Review
from ...api.context import Context
from ...base.json_types import Json
from .plugin import PODS, Plugin, Target, Validate

PREFIX = "pod-security.kubernetes.io/"
Extract = Callable[[Json], Json]


def check_namespace(api: Context, review: Review) -> None:
    """Check the labels of a namespace, and its pods when the level is raised. Raises 422."""
    if _is_labelled(review.new):
        from ..pod_security import namespaces

        namespaces.check(api.store, review)


def check_pod(api: Context, review: Review) -> None:
    """Check a pod against what its namespace enforces. Raises 403."""
    namespace = api.store.get(NAMESPACES, ("", review.namespace))
    # Namespaces without labels have the privileged level, which allows everything.
    if namespace is not None and _is_labelled(namespace.object):
        from ..pod_security import levels, pods

        policy, errors = levels.policy(namespace.object["metadata"]["labels"])
        # A wrong label is told even where the levels allow everything.
        if errors or not policy.is_privileged:
            pods.check_pod(review, policy, errors)


def _checking(template_of: Extract) -> Validate:
    """Return the check of a kind that makes pods of a template; it warns only."""

    def check(api: Context, review: Review) -> None:
        namespace = api.store.get(NAMESPACES, ("", review.namespace))
        if namespace is None or not _is_labelled(namespace.object):
            return
        from ..pod_security import levels, pods

        policy, errors = levels.policy(namespace.object["metadata"]["labels"])
        template = template_of(review.new)
        # Only warn and audit look at templates; enforcement waits for the pods.
        if template and (errors or {policy.warn.level, policy.audit.level} != {"privileged"}):
            pods.check_template(review, policy, errors, template)

    return check


def _is_labelled(namespace: Json) -> bool:
    labels = namespace["metadata"].get("labels") or {}
    return any(label.startswith(PREFIX) for label in labels)


_template = _checking(lambda obj: obj["spec"].get("template"))
TEMPLATES: dict[Target, Validate] = {
    ("", "podtemplates", ""): _checking(lambda obj: obj.get("template")),
    ("", "replicationcontrollers", ""): _template,
    ("apps", "daemonsets", ""): _template,
    ("apps", "deployments", ""): _template,
    ("apps", "replicasets", ""): _template,
    ("apps", "statefulsets", ""): _template,
    ("batch", "jobs", ""): _template,
    ("batch", "cronjobs", ""): _checking(lambda obj: obj["spec"]["jobTemplate"]["spec"]["template"]),
}
PLUGIN = Plugin(
    name="PodSecurity",
    validates={
        ("", "namespaces", ""): check_namespace,
        PODS: check_pod,
        ("", "pods", "ephemeralcontainers"): check_pod,
        ("", "pods", "resize"): check_pod,
        **TEMPLATES,
    },
)
