"""What the pods of a job have when it is started (JI-020 to JI-022, JI-031)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...base.json_types import Json
from ...history.story import Change
from ..control_plane.writes import World
from ..story import Finding
from ..workload import admission, entries
from .writes import Writes, integration_rule, lets_run, workloads_of

_OWN = ("kueue.x-k8s.io/", "batch.kubernetes.io/", "controller-uid", "job-name")
"""Beginnings of labels and annotations that Kueue's integrations or the operator of the kind set."""
Judge = Callable[[Json, Json, Sequence[Json]], str]
"""Says what is wrong of a template, by that of the Workload, and what is added to it; empty where it is
right.
"""


def _wrong_pods(judge: Judge) -> Callable[[Writes], Iterator[Finding]]:
    def wrong(writes: Writes) -> Iterator[Finding]:
        for change in writes.starts():
            texts = [
                _wrong(judge, writes.fields.templates(change.after), world, workload)
                for world, workload in _admitted(writes, change)
            ]
            # One world in which the pods are right is enough: the writer may have seen that.
            if texts and all(texts):
                yield change, f"is started, and {texts[-1]}"

    return wrong


def _admitted(writes: Writes, change: Change) -> Iterator[tuple[World, Json]]:
    """Yield the Workload by which a job may be started, in each world that its writer may have seen."""
    for world in writes.worlds(change):
        for workload in filter(lets_run, workloads_of(world, change.after)):
            yield world, workload


def _wrong(judge: Judge, templates: Sequence[Json], world: World, workload: Json) -> str:
    """Return what is wrong of the first pod set of which something is."""
    pod_sets = workload["spec"].get("podSets") or ()
    for pod_set, template in zip(pod_sets, templates, strict=False):
        additions = _additions(world, workload, pod_set.get("name", ""))
        # A flavor that is not known has labels that are not known.
        text = judge(template, pod_set.get("template"), additions) if additions is not None else ""
        if text:
            return f"pods of {pod_set.get('name')} have {text}"
    return ""


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
    """Return labels, annotations or the nodeSelector of a template, without those of the operator."""
    holder = (template or {}).get("spec" if name == "nodeSelector" else "metadata") or {}
    return {key: value for key, value in (holder.get(name) or {}).items() if not key.startswith(_OWN)}


def _tolerations(template: Json) -> list[tuple[str, ...]]:
    return [*map(_identity, ((template or {}).get("spec") or {}).get("tolerations") or ())]


def _identity(toleration: Json) -> tuple[str, ...]:
    """Return what tells a toleration from others; its seconds do not."""
    operator = toleration.get("operator") or "Equal"
    return (operator, *(toleration.get(name) or "" for name in ("key", "value", "effect")))


def _judge_section(name: str) -> Judge:
    def judge(template: Json, own: Json, additions: Sequence[Json]) -> str:
        sources = [_section(own, name), *(addition.get(name) or {} for addition in additions)]
        expected = {
            key: value for source in sources for key, value in source.items() if not key.startswith(_OWN)
        }
        observed = _section(template, name)
        # Of two sources with other values of one key, which is taken is not documented.
        is_right = observed.keys() == expected.keys() and all(
            any(source.get(key) == value for source in sources) for key, value in observed.items()
        )
        return "" if is_right else f"{name} {dict(observed)}, not {expected}"

    return judge


def _judge_tolerations(template: Json, own: Json, additions: Sequence[Json]) -> str:
    added = [toleration for addition in additions for toleration in addition.get("tolerations") or ()]
    expected, observed = {*_tolerations(own), *map(_identity, added)}, {*_tolerations(template)}
    return "" if expected == observed else f"tolerations {sorted(observed)}, not {sorted(expected)}"


def _judge_labels(template: Json, own: Json, additions: Sequence[Json]) -> str:
    texts = (_judge_section(name)(template, own, additions) for name in ("labels", "annotations"))
    return next(filter(None, texts), "")


def _unrestored(writes: Writes) -> Iterator[Finding]:
    """Yield each start of a job that the integration has stopped before, and that did not have the templates
    of its Workload then.
    """
    for change in filter(writes.has_stopped_before, writes.starts()):
        texts = [
            _difference(writes.fields.templates(change.before), workload)
            for _, workload in _admitted(writes, change)
        ]
        if texts and all(texts):
            yield change, f"is started, and before {texts[-1]}"


def _difference(templates: Sequence[Json], workload: Json) -> str:
    return describe_difference(
        templates, [pod_set.get("template") for pod_set in workload["spec"].get("podSets") or ()]
    )


def describe_difference(templates: Sequence[Json], expected: Sequence[Json]) -> str:
    """Return which section of pod templates is another one than in those expected; empty where all are the
    same.
    """
    for number, (template, own) in enumerate(zip(templates, expected, strict=False), 1):
        if text := next(filter(None, (judge(template, own, ()) for judge in _judges())), ""):
            return f"pods of pod set {number} had {text}"
    return ""


def describe_wrong_pods(templates: Sequence[Json], world: World, workload: Json) -> str:
    """Return what pod templates of a job that runs have beside what its Workload says, or lack; empty
    where all is right.
    """
    return next(filter(None, (_wrong(judge, templates, world, workload) for judge in _judges())), "")


def _judges() -> Iterator[Judge]:
    yield from (_judge_section("nodeSelector"), _judge_labels, _judge_tolerations)


PODS = (
    integration_rule(
        "JI-020",
        "starts pods with the node labels of their flavors, those of checks and of their user as nodeSelector, and no others",
        _wrong_pods(_judge_section("nodeSelector")),
    ),
    integration_rule(
        "JI-021",
        "starts pods with the tolerations of their flavors, of checks and of their user, and no others",
        _wrong_pods(_judge_tolerations),
    ),
    integration_rule(
        "JI-022",
        "starts pods with the labels and annotations of checks and of their user, and no others",
        _wrong_pods(_judge_labels),
    ),
    integration_rule(
        "JI-031", "restores the pod templates of an evicted job before it is started again", _unrestored
    ),
)
