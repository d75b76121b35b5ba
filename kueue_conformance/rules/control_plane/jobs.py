"""When a Job runs, and the fields of its pods (AC-332, AC-333, AC-361…363, AC-367)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, Literal

from ...base.json_types import Json
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import admission, entries, is_true, job_status, owner
from .progress import runs_unadmitted
from .quiet_states import rests
from .writes import World, WriterCache, is_kueues

_KINDS = ("Workload", "ResourceFlavor")
_METADATA: Final[tuple[Literal["labels", "annotations"], ...]] = ("labels", "annotations")


def _starts(story: Story) -> Iterator[Change]:
    """Yield Kueue's writes that let a Job run."""
    for change in story.changes:
        # A Job that is created running was let run by its user.
        is_write = change.kind == "Job" and change.before and change.after and is_kueues(change)
        if is_write and _is_suspended(change.before) and not _is_suspended(change.after):
            yield change


def _is_suspended(job: Json) -> bool:
    return bool((job.get("spec") or {}).get("suspend"))


def _workload_of(world: World, job: Json) -> Json:
    """Return the admitted Workload of a Job in a world, None where there is none."""
    uid = job["metadata"].get("uid", "")
    workloads = (
        workload
        for (kind, _, _), workload in world.items()
        if kind == "Workload" and owner(workload).get("uid") == uid
    )
    return next(
        (
            workload
            for workload in workloads
            if is_true(workload, "Admitted") and not is_true(workload, "Finished")
        ),
        None,
    )


def _starts_without_admission(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, *_KINDS)
    for change in _starts(story):
        if not any(_workload_of(world, change.after) for world in cache.worlds(change)):
            yield change, "is unsuspended, and none of its Workloads is Admitted"
    yield from runs_unadmitted(story)


def _wrong_pods(story: Story) -> Iterator[Finding]:
    cache = WriterCache(story, *_KINDS)
    for change in _starts(story):
        worlds = [
            (world, workload)
            for world in cache.worlds(change)
            if (workload := _workload_of(world, change.after))
        ]
        lacking = [_lacking(change.before, change.after, world, workload) for world, workload in worlds]
        # One world in which the pods are right is enough: the writer may have seen that one.
        if lacking and all(lacking):
            yield change, f"is unsuspended, and {lacking[-1]}"


def _lacking(job: Json, started: Json, world: World, workload: Json) -> str:
    """Say what the pods of a Job were to be given by flavors and checks and are not, or what else they have;
    empty where all is right.
    """
    before, after = _injected_fields(job["spec"]["template"]), _injected_fields(started["spec"]["template"])
    assigned = (admission(workload).get("podSetAssignments") or [{}])[0]
    count, runs = assigned.get("count"), started["spec"].get("parallelism")
    # With partial admission fewer pods run than the Job asks for.
    if runs not in (count, job["spec"].get("parallelism")):
        return f"it runs {runs} pods, and {count} are admitted"
    flavors = [world.get(("ResourceFlavor", "", name)) for name in (assigned.get("flavors") or {}).values()]
    # A flavor that is not known has labels that are not known.
    if None in flavors:
        return ""
    specs = [(flavor or {}).get("spec") or {} for flavor in flavors]
    updates = [
        pod_set_update
        for entry in entries(workload).values()
        for pod_set_update in entry.get("podSetUpdates") or ()
        if pod_set_update["name"] == assigned.get("name")
    ]
    selectors = [
        before["nodeSelector"],
        *(spec.get("nodeLabels") or {} for spec in specs),
        *(update.get("nodeSelector") or {} for update in updates),
    ]
    # Exactly these: a selector too many keeps pods from nodes that they may use. Of two flavors with other
    # values of one label, which is taken is not documented.
    if not _is_merged(after["nodeSelector"], selectors, expected := _merge(selectors)):
        return f"its pods have the nodeSelector {after['nodeSelector']}, not {expected}"
    for name in _METADATA:
        expected = _merge([before[name], *(update.get(name) or {} for update in updates)])
        # At least these: other labels do not select nodes.
        if not expected.items() <= after[name].items():
            return f"its pods have the {name} {after[name]}, and {expected} are expected"
    tolerations = [
        *before["tolerations"],
        *(toleration for source in (*specs, *updates) for toleration in source.get("tolerations") or ()),
    ]
    missing = [
        toleration
        for toleration in tolerations
        if _toleration_identity(toleration) not in map(_toleration_identity, after["tolerations"])
    ]
    return f"its pods do not have the toleration {missing[0]}" if missing else ""


def _injected_fields(template: Json) -> Json:
    """Return what Kueue may change of a pod template."""
    metadata, spec = template.get("metadata") or {}, template.get("spec") or {}
    return {
        **{name: metadata.get(name) or {} for name in ("labels", "annotations")},
        "nodeSelector": spec.get("nodeSelector") or {},
        "tolerations": spec.get("tolerations") or [],
    }


def _merge(maps: list[Mapping[str, str]]) -> Mapping[str, str]:
    return {key: value for map_ in maps for key, value in map_.items()}


def _is_merged(labels: Mapping[str, str], maps: list[Mapping[str, str]], expected: Mapping[str, str]) -> bool:
    """Tell whether labels have the keys of all maps, each with a value of one of them."""
    return labels.keys() == expected.keys() and all(
        any(map_.get(key) == value for map_ in maps) for key, value in labels.items()
    )


def _toleration_identity(toleration: Json) -> tuple[str, ...]:
    """Return what tells a toleration from others; its seconds do not (AC-362)."""
    return (
        toleration.get("operator") or "Equal",
        *(toleration.get(name) or "" for name in ("key", "value", "effect")),
    )


def _unrestored_templates(story: Story) -> Iterator[Finding]:
    """Yield each Job that waits again, has no pods,
    and has not got the pod template back that its Workload has.
    """
    # What a user makes of pods while they wait is no remainder of their flavors.
    started = {(change.namespace, change.name) for change in _starts(story)} - _jobs_of_user_changes(story)
    reported: set[tuple[str, str]] = set()
    for rest in rests(story):
        for change, workload in rest.all("Workload"):
            job = rest.job(workload)
            key = (change.namespace, owner(workload).get("name", ""))
            if (
                job is None
                or key not in started
                or key in reported
                or is_true(workload, "Admitted")
                or is_true(workload, "Finished")
            ):
                continue
            have, expected = (
                _injected_fields(template)
                for template in (job["spec"]["template"], workload["spec"]["podSets"][0]["template"])
            )
            names = [
                name
                for name in ("nodeSelector", "annotations", "tolerations")
                if have[name] != expected[name]
            ]
            if _is_suspended(job) and not job_status(job).get("active") and names:
                reported.add(key)
                yield (
                    rest.newest["Job", *key],
                    f"is suspended, and its pods have {names[0]} {have[names[0]]}, not {expected[names[0]]}",
                )


def _jobs_of_user_changes(story: Story) -> set[tuple[str, str]]:
    """Return the Jobs whose pods another client than Kueue has changed while they were suspended."""
    return {
        (change.namespace, change.name)
        for change in story.changes
        if change.kind == "Job" and change.before and change.after and not is_kueues(change)
        if _is_suspended(change.before) and _is_suspended(change.after)
        if change.before["spec"]["template"] != change.after["spec"]["template"]
    }


def _early_releases(story: Story) -> Iterator[Finding]:
    """Yield each release of quota while the Job of the
    Workload has pods, as all who were to know of them did.
    """
    cache = WriterCache(story, "Job")
    for change in story.changes:
        if change.kind != "Workload" or not change.before or not change.after or not is_kueues(change):
            continue
        job = owner(change.after)
        gives_back = is_true(change.before, "QuotaReserved") and not is_true(change.after, "QuotaReserved")
        if gives_back and is_true(change.before, "Admitted") and job.get("kind") == "Job":
            states = list(cache.states_of(change, "Job", job["name"], change.namespace))
            # One state without pods excuses the release.
            if states and all(job_status(state).get("active") for state in states):
                yield change, f"releases quota, and its Job has {states[-1]['status']['active']} pods"


JOBS = (
    SafetyRule(
        "AC-332", "keeps quota as long as the Job of a Workload has pods", _early_releases, since="0.9"
    ),
    SafetyRule("AC-335", "lets a Job run only while its Workload is Admitted", _starts_without_admission),
    SafetyRule(
        "AC-363",
        "injects into the pods of a Job the podSetUpdates of flavors and checks, and no other node selectors",
        _wrong_pods,
    ),
    SafetyRule("AC-367", "restores the pod template of a Job that is suspended again", _unrestored_templates),
)
