"""The selector of a workload and the template of its pods, which have to fit (FK-500, FK-504)."""

from __future__ import annotations

from msgspec import Struct

from ...base.json_types import Json
from ...schema import fields
from ..core.pod.validation import pod_spec
from ..core.templates import LABELS, RESTART, SELECTOR_MISMATCH
from ..validation import basics
from ..validation.basics import Errors

DEADLINE_PATH = "spec.template.spec.activeDeadlineSeconds"


class SelectorMessages(Struct, frozen=True):
    """What messages about a kind of workload say: the nouns of its empty selector and of its deadline, and
    the detail of a selector that cannot be read.
    """

    selector: str
    deadline: str
    unreadable: str = "invalid label selector"


OF_DEPLOYMENT = SelectorMessages(selector="deployment", deadline="ReplicaSet")
OF_STATEFUL_SET = SelectorMessages(selector="statefulset", deadline="StatefulSet", unreadable="")
OF_DAEMON_SET = SelectorMessages(selector="daemonset", deadline="DaemonSet")


def judge_selector_and_template(spec: Json, words: SelectorMessages) -> Errors:
    """Judge a selector that there must be, and the template, if the selector can be read."""
    selector = spec.get("selector")
    wrong = list(basics.label_selector(selector, "spec.selector"))
    if selector is None:
        yield fields.required("spec.selector")
    yield from wrong
    yield from _not_empty(selector, words)
    if wrong:
        yield fields.invalid("spec.selector", selector, words.unreadable)
    else:
        yield from judge_match(spec)
        yield from pod_spec.template(template_of(spec), "spec.template")


def optionally_selected(spec: Json, words: SelectorMessages) -> Errors:
    """Judge a selector whose absence only fails to match, and the template."""
    wrong = list(basics.label_selector(spec.get("selector"), "spec.selector"))
    yield from wrong
    yield from () if wrong else judge_match(spec)
    yield from _not_empty(spec.get("selector"), words)
    yield from pod_spec.template(template_of(spec), "spec.template")


def _not_empty(selector: Json, words: SelectorMessages) -> Errors:
    if selector == {}:
        yield fields.invalid("spec.selector", {}, f"empty selector is invalid for {words.selector}")


def judge_match(spec: Json) -> Errors:
    """Judge that the selector selects the pods of the template."""
    selector, labels = spec.get("selector"), (template_of(spec).get("metadata") or {}).get("labels")
    if selector != {} and not basics.matches(selector, labels or {}):
        yield fields.invalid(LABELS, labels, SELECTOR_MISMATCH)


def always_running(spec: Json, words: SelectorMessages) -> Errors:
    """Judge that pods are restarted for ever."""
    pod = template_of(spec)["spec"]
    if pod.get("restartPolicy", "Always") != "Always":
        yield fields.not_supported(RESTART, pod["restartPolicy"], ["Always"])
    if pod.get("activeDeadlineSeconds") is not None:
        yield fields.forbidden(DEADLINE_PATH, f"activeDeadlineSeconds in {words.deadline} is not Supported")


def template_of(spec: Json) -> Json:
    """Return the template, which a ReplicaSet may lack."""
    return spec.get("template") or {"spec": {}}
