"""What the admission plugins of a stock server do: priority and tolerations of pods, the taint of new nodes
(FK-317, FK-496).

Each plugin is a function of the write and of what is stored; it returns the object, or refuses with 403.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from ..api import status
from ..api.admission import Review
from ..kinds.core.service import allocation
from ..kinds.validation import pem
from ..schema.fields import go_quote
from ..store import Store
from . import namespace_lifecycle
from .quotas import limits

Json = Any
Plugin = Callable[[Store, Review, Json], Json]
Judge = Callable[[Store, Review], None]
Function = TypeVar("Function", bound=Callable[..., Any])
CLASSES = ("scheduling.k8s.io", "priorityclasses")
RUNTIME_CLASSES = ("node.k8s.io", "runtimeclasses")
UNFOUNDED_OVERHEAD = "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead"
OTHER_OVERHEAD = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead"
TOLERATED = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
TOLERATION_SECONDS = 300
NEW_NODE_TAINT = {"key": "node.kubernetes.io/not-ready", "effect": "NoSchedule"}
CLIENT_SIGNER, MASTERS = "kubernetes.io/kube-apiserver-client", "system:masters"
REQUESTER = ("username", "uid", "groups", "extra")
PREEMPT = "PreemptLowerPriority"


class Plugins:
    """The plugins by resource; a subresource passes untouched.

    disabled: names of plugins as in `--disable-admission-plugins`; they are passed over.
    """

    def __init__(self, disabled: Collection[str] = ()) -> None:
        self._disabled = frozenset(disabled)

    def mutated(self, store: Store, review: Review) -> Json:
        """Return what the plugins of the resource make of the object. Raises 403, 404."""
        new = review.new
        if new is None or review.subresource:
            return new
        if "NamespaceLifecycle" not in self._disabled:
            namespace_lifecycle.check(store, review)
        for plugin in self._enabled(PLUGINS.get((review.kind.group, review.kind.plural), ())):
            new = plugin(store, review, new)
        return new

    def validate(self, store: Store, review: Review) -> None:
        """Check what the plugins of the resource have against a write. Raises 403."""
        if review.subresource in {"", "resize"}:
            for judge in self._enabled(JUDGES.get((review.kind.group, review.kind.plural), ())):
                judge(store, review)

    def _enabled(self, functions: Iterable[Function]) -> Iterable[Function]:
        return (each for each in functions if PLUGIN_NAMES.get(each) not in self._disabled)


def priority(store: Store, review: Review, pod: Json) -> Json:
    """Compute a new pod's priority from its class; an update keeps what was computed."""
    spec = pod["spec"]
    if review.operation == "UPDATE":
        kept = ("priority", "preemptionPolicy")
        missing = {
            name: review.old["spec"][name] for name in kept if name in review.old["spec"] and name not in spec
        }
        return {**pod, "spec": {**spec, **missing}}
    found = _class_of(store, review, spec.get("priorityClassName", ""))
    value, policy = (found["value"], found.get("preemptionPolicy", PREEMPT)) if found else (0, PREEMPT)
    _check_given(review, spec, value, policy)
    computed = {"priority": value, "preemptionPolicy": policy}
    if found:
        computed["priorityClassName"] = found["metadata"]["name"]
    return {**pod, "spec": {**spec, **computed}}


def _class_of(store: Store, review: Review, name: str) -> Json:
    """Return the class of that name, or the default one; None when there is no default. Raises 403."""
    classes = [one.object for one in store.list(CLASSES)]
    if name:
        found = next((one for one in classes if one["metadata"]["name"] == name), None)
        if found is None:
            raise _refused(review, f"no PriorityClass with name {name} was found")
        return found
    defaults = [one for one in classes if one.get("globalDefault")]
    return min(defaults, key=lambda one: one["value"], default=None)


def _check_given(review: Review, spec: Json, value: int, policy: str) -> None:
    given, said = spec.get("priority"), spec.get("preemptionPolicy")
    if given is not None and given != value:
        raise _refused(
            review,
            f"the integer value of priority ({given}) must not be provided in pod spec;"
            f" priority admission controller computed {value} from the given PriorityClass name",
        )
    if said is not None and said != policy:
        raise _refused(
            review,
            f"the string value of PreemptionPolicy ({said}) must not be provided in pod spec;"
            f" priority admission controller computed {policy} from the given PriorityClass name",
        )


def tolerations(store: Store, review: Review, pod: Json) -> Json:
    """Let a pod stay on a failing node for five minutes, unless it says otherwise."""
    del store, review
    given = pod["spec"].get("tolerations", [])
    added = [
        {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": TOLERATION_SECONDS}
        for key in TOLERATED
        if not any(_tolerates(one, key) for one in given)
    ]
    return {**pod, "spec": {**pod["spec"], "tolerations": [*given, *added]}} if added else pod


def runtime_class(store: Store, review: Review, pod: Json) -> Json:
    """Give a new pod what its RuntimeClass costs and where that runs. Raises 403."""
    name = pod["spec"].get("runtimeClassName")
    if review.operation != "CREATE":
        return pod
    found = store.get(RUNTIME_CLASSES, ("", name)) if name else None
    if name and found is None:
        raise _refused(review, f"pod rejected: RuntimeClass {go_quote(name)} not found")
    said = found.object if found is not None else {}
    overhead: Json = (said.get("overhead") or {}).get("podFixed") or {}
    scheduling: Json = said.get("scheduling") or {}
    given = pod["spec"].get("overhead")
    if given and not overhead:
        raise _refused(review, UNFOUNDED_OVERHEAD)
    if given and given != overhead:
        raise _refused(review, OTHER_OVERHEAD)
    more = {"overhead": overhead} if overhead else {}
    return {**pod, "spec": {**pod["spec"], **more, **_placed(review, pod["spec"], scheduling)}}


def _placed(review: Review, spec: Json, scheduling: Json) -> Json:
    """Return the selector and the tolerations of a pod together with those of its class. Raises 403."""
    selector, wanted = spec.get("nodeSelector") or {}, scheduling.get("nodeSelector") or {}
    for key, value in sorted(wanted.items()):
        if selector.get(key, value) != value:
            both = f"runtimeClass.scheduling.nodeSelector[{key}] = {value}; pod.spec.nodeSelector[{key}] = {selector[key]}"
            raise _refused(review, f"conflict: {both}")
    tolerations_ = spec.get("tolerations") or []
    added = [one for one in scheduling.get("tolerations") or () if one not in tolerations_]
    return {
        **({"nodeSelector": {**selector, **wanted}} if wanted else {}),
        **({"tolerations": [*tolerations_, *added]} if added else {}),
    }


def _tolerates(toleration: Json, key: str) -> bool:
    return toleration.get("key") in {None, "", key} and toleration.get("effect") in {None, "", "NoExecute"}


def tainted(store: Store, review: Review, node: Json) -> Json:
    """Keep pods off a new node until it is ready."""
    del store
    if review.operation != "CREATE":
        return node
    taints = node.get("spec", {}).get("taints", [])
    if any((one["key"], one["effect"]) == tuple(NEW_NODE_TAINT.values()) for one in taints):
        return node
    return {**node, "spec": {**node.get("spec", {}), "taints": [*taints, NEW_NODE_TAINT]}}


def one_default(store: Store, review: Review, priority_class: Json) -> Json:
    """Allow one PriorityClass to be the default. Raises 403."""
    if priority_class.get("globalDefault"):
        for other in store.list(CLASSES):
            if other.object.get("globalDefault") and other.name[1] != review.name:
                raise _refused(
                    review,
                    f"PriorityClass {other.name[1]} is already marked as default. Only one default can exist",
                )
    return priority_class


def requested_by(store: Store, review: Review, request: Json) -> Json:
    """Say who asks for a certificate, whatever the request says; an update keeps it (FK-495)."""
    del store
    if review.operation != "CREATE":
        return {**request, "spec": review.old["spec"]}
    user = review.user
    own = {name: value for name, value in request.get("spec", {}).items() if name not in REQUESTER}
    who = {
        "username": user.name,
        "uid": user.uid,
        "groups": list(user.groups),
        "extra": {key: list(values) for key, values in user.extra.items()},
    }
    return {**request, "spec": {**own, **{name: value for name, value in who.items() if value}}}


def no_masters(store: Store, review: Review) -> None:
    """Refuse a request for a client certificate of the group that may do everything (FK-495). Raises 403."""
    del store
    spec = (review.new or {}).get("spec") or {}
    if review.operation != "CREATE" or spec.get("signerName") != CLIENT_SIGNER:
        return
    asked = pem.signing_request(b64decode(spec["request"])).subject
    if any(one.rfc4514_attribute_name == "O" and one.value == MASTERS for one in asked):
        why = f"use of {CLIENT_SIGNER} signer with {MASTERS} group is not allowed"
        raise status.forbidden(review.kind.group, review.kind.plural, review.called, why)


def _refused(review: Review, why: str) -> status.StatusError:
    return status.forbidden(review.kind.group, review.kind.plural, review.called, why)


PLUGINS: Mapping[tuple[str, str], tuple[Plugin, ...]] = {
    ("", "nodes"): (tainted,),
    ("certificates.k8s.io", "certificatesigningrequests"): (requested_by,),
    ("", "pods"): (limits.filled, priority, tolerations, runtime_class),
    ("scheduling.k8s.io", "priorityclasses"): (one_default,),
}
JUDGES: Mapping[tuple[str, str], tuple[Judge, ...]] = {
    ("certificates.k8s.io", "certificatesigningrequests"): (no_masters,),
    ("", "pods"): (limits.judge,),
    ("", "services"): (allocation.taken,),
    ("", "persistentvolumeclaims"): (limits.judge,),
}
PLUGIN_NAMES: Mapping[Callable[..., Any], str] = {
    tainted: "TaintNodesByCondition",
    limits.filled: "LimitRanger",
    limits.judge: "LimitRanger",
    priority: "Priority",
    one_default: "Priority",
    tolerations: "DefaultTolerationSeconds",
    runtime_class: "RuntimeClass",
    no_masters: "CertificateSubjectRestriction",
}
"""What kube-apiserver calls a plugin.

The other functions stand for steps of its storage, which no flag disables.
"""
