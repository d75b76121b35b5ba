"""What the pods of a job have when it is started (JI-020 to JI-022, JI-031)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...base.json_types import Json
from ...history.story import Change
from ..story import Finding
from ..workload import admission, entries
from ..writes import World
from .writes import Writes, integration_rule, lets_run, workloads_of

_OF_OPERATORS = ("batch.kubernetes.io/", "controller-uid", "job-name")
"""Beginnings of labels and annotations that the operator of a kind sets."""
_OF_STARTS = ("kueue.x-k8s.io/", *_OF_OPERATORS)
"""Those that are beside what flavors and checks add in the pods of a job that runs."""
Judge = Callable[[Json, Json, Sequence[Json]], str]
"""Says what is wrong of a template, by that of the Workload, and what is added to it; empty where it is
right.
"""


def wrong_pods(writes: Writes) -> Iterator[Finding]:
    """Yield each start of a job whose pods have something else than their admission and user say."""
    return _wrong_starts(writes, _judge_pods)


def _wrong_starts(writes: Writes, judge: Judge) -> Iterator[Finding]:
    for change in writes.starts():
        observed, by_user = writes.fields.templates(change.after), writes.templates_of_user(change)
        texts = [
            _wrong(judge, observed, templates, world, workload)
            for world, workload in admitted_workloads(writes, change)
            for templates in (by_user, _templates_of(workload))
        ]
        # One world in which the pods are right is enough: the writer may have seen that.
        # Kueue compares no node selectors and labels of a job with its Workload, so that what its user has
        # changed of them stands in the job alone.
        if texts and all(texts):
            yield change, f"is started, and {texts[-1]}"


def _wrong_by(judge: Judge) -> Callable[[Writes], Iterator[Finding]]:
    return lambda writes: _wrong_starts(writes, judge)


def admitted_workloads(writes: Writes, change: Change) -> Iterator[tuple[World, Json]]:
    """Yield the Workload by which a job may be started, in each world that its writer may have seen."""
    for world in writes.worlds(change):
        for workload in filter(lets_run, workloads_of(world, change.after)):
            yield world, workload


def _wrong(
    judge: Judge, observed: Sequence[Json], templates: Sequence[Json], world: World, workload: Json
) -> str:
    """Return what is wrong of the first pod set of which something is, where additions come to templates."""
    names = [pod_set.get("name", "") for pod_set in workload["spec"].get("podSets") or ()]
    for name, template, own in zip(names, observed, templates, strict=False):
        additions = _additions(world, workload, name)
        # A flavor that is not known has labels that are not known.
        text = judge(template, own, additions) if additions is not None else ""
        if text:
            return f"pods of {name} have {text}"
    return ""


def _templates_of(workload: Json) -> list[Json]:
    return [pod_set.get("template") for pod_set in workload["spec"].get("podSets") or ()]


def _additions(world: World, workload: Json, name: str) -> Sequence[Json] | None:
    """Return what flavors and checks add to a pod set; None where a flavor is not known."""
    assignments = admission(workload).get("podSetAssignments") or ()
    names = {
        flavor
        for assignment in assignments
        if assignment.get("name") == name
        for flavor in (assignment.get("flavors") or {}).values()
    }
    flavors = [world.get(("ResourceFlavor", "", flavor)) for flavor in sorted(names)]
    if None in flavors:
        return None
    specs = [(flavor or {}).get("spec") or {} for flavor in flavors]
    updates = [
        update
        for entry in entries(workload).values()
        for update in entry.get("podSetUpdates") or ()
        if update.get("name") == name
    ]
    return [
        *({"nodeSelector": spec.get("nodeLabels"), "tolerations": spec.get("tolerations")} for spec in specs),
        *updates,
    ]


def _section(template: Json, name: str) -> Mapping[str, str]:
    """Return labels, annotations or the nodeSelector of a template."""
    holder = (template or {}).get("spec" if name == "nodeSelector" else "metadata") or {}
    return holder.get(name) or {}


def _tolerations(template: Json) -> list[tuple[str, ...]]:
    return [*map(_identity, ((template or {}).get("spec") or {}).get("tolerations") or ())]


def _identity(toleration: Json) -> tuple[str, ...]:
    """Return what tells a toleration from others; its seconds do not."""
    operator = toleration.get("operator") or "Equal"
    return (operator, *(toleration.get(name) or "" for name in ("key", "value", "effect")))


def _judge_section(name: str, ignored: tuple[str, ...]) -> Judge:
    """Return a judge of labels, annotations or the nodeSelector, but of no key with such a beginning."""

    def judge(template: Json, own: Json, additions: Sequence[Json]) -> str:
        sources = [_section(own, name), *(addition.get(name) or {} for addition in additions)]
        observed, expected = (
            {key: value for map_ in maps for key, value in map_.items() if not key.startswith(ignored)}
            for maps in ([_section(template, name)], sources)
        )
        # Of two sources with other values of one key, which is taken is not documented.
        is_right = observed.keys() == expected.keys() and all(
            any(source.get(key) == value for source in sources) for key, value in observed.items()
        )
        return "" if is_right else f"{name} {observed}, not {expected}"

    return judge


def _judge_tolerations(template: Json, own: Json, additions: Sequence[Json]) -> str:
    added = [toleration for addition in additions for toleration in addition.get("tolerations") or ()]
    expected, observed = {*_tolerations(own), *map(_identity, added)}, {*_tolerations(template)}
    return "" if expected == observed else f"tolerations {sorted(observed)}, not {sorted(expected)}"


def _first_of(*judges: Judge) -> Judge:
    """Return a judge that says the first thing that one of some says."""
    return lambda *pods: next(filter(None, (judge(*pods) for judge in judges)), "")


def _judge_sections(ignored: tuple[str, ...], *names: str) -> Judge:
    return _first_of(*(_judge_section(name, ignored) for name in names))


_judge_selector = _judge_sections(_OF_STARTS, "nodeSelector")
_judge_labels = _judge_sections(_OF_STARTS, "labels", "annotations")
_judge_pods = _first_of(_judge_selector, _judge_labels, _judge_tolerations)
_judge_stopped_pods = _first_of(
    _judge_sections(_OF_OPERATORS, "nodeSelector", "labels", "annotations"), _judge_tolerations
)


def starts_with_remainders(writes: Writes) -> Iterator[Finding]:
    """Yield each start of a job that the integration has stopped before, and that had neither the templates
    of its Workload then nor those of its user.
    """
    for change in filter(writes.has_stopped_before, writes.starts()):
        texts = [
            describe_remainder(writes, change, change.before, workload)
            for _, workload in admitted_workloads(writes, change)
        ]
        if texts and all(texts):
            yield change, f"is started, and before {texts[-1]}"


def describe_remainder(writes: Writes, change: Change, job: Json, workload: Json) -> str:
    """Return what pods of a suspended job have, at a change of it, that neither its Workload nor its user
    says; empty where there is nothing.
    """
    observed = writes.fields.templates(job)
    # The Workload first: it mostly agrees, and to look for the user's last write takes the whole story.
    text = describe_difference(observed, _templates_of(workload))
    return text if text and describe_difference(observed, writes.templates_of_user(change)) else ""


def describe_difference(templates: Sequence[Json], expected: Sequence[Json]) -> str:
    """Return which section of pod templates is another one than in those expected; empty where all are the
    same.
    """
    for number, (template, own) in enumerate(zip(templates, expected, strict=False), 1):
        if text := _judge_stopped_pods(template, own, ()):
            return f"pods of pod set {number} had {text}"
    return ""


def describe_wrong_pods(templates: Sequence[Json], world: World, workload: Json) -> str:
    """Return what pod templates of a job that runs have beside what its Workload says, or lack; empty
    where all is right.
    """
    return _wrong(_judge_pods, templates, _templates_of(workload), world, workload)


PODS = (
    integration_rule(
        "JI-020",
        "starts pods with the node labels of their flavors, those of checks and of their user as nodeSelector, and no others",
        _wrong_by(_judge_selector),
    ),
    integration_rule(
        "JI-021",
        "starts pods with the tolerations of their flavors, of checks and of their user, and no others",
        _wrong_by(_judge_tolerations),
    ),
    integration_rule(
        "JI-022",
        "starts pods with the labels and annotations of checks and of their user, and no others",
        _wrong_by(_judge_labels),
    ),
    integration_rule(
        "JI-031",
        "restores the pod templates of an evicted job before it is started again",
        starts_with_remainders,
    ),
)
