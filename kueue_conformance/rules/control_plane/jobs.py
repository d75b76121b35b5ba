"""When a Job runs, and the fields of its pods (AC-332, AC-333, AC-361…363, AC-367)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...base.json_types import Json
from ...history.story import Change
from ..story import Finding, SafetyRule, Story
from ..workload import admission, entries, is_true, owner
from .progress import runs_unadmitted
from .rests import rests
from .writes import Known, World, is_kueues

_KINDS = ("Workload", "ResourceFlavor")


def _starts(story: Story) -> Iterator[Change]:
    """Yield Kueue's writes that let a Job run."""
    for change in story.changes:
        is_write = change.kind == "Job" and change.before and change.after and is_kueues(change)
        if is_write and _suspended(change.before) and not _suspended(change.after):
            yield change


def _suspended(job: Json) -> bool:
    return bool((job.get("spec") or {}).get("suspend"))


def _workload_of(world: World, job: Json) -> Json:
    """Return the admitted Workload of a Job in a world, None where there is none."""
    uid = job["metadata"].get("uid", "")
    found = (
        one for (kind, _, _), one in world.items() if kind == "Workload" and owner(one).get("uid") == uid
    )
    return next((one for one in found if is_true(one, "Admitted") and not is_true(one, "Finished")), None)


def _unadmitted(story: Story) -> Iterator[Finding]:
    known = Known(story, *_KINDS)
    for change in _starts(story):
        if not any(_workload_of(world, change.after) for world in known.worlds(change)):
            yield change, "is let run, and none of its Workloads is Admitted"
    yield from runs_unadmitted(story)


def _wrong_pods(story: Story) -> Iterator[Finding]:
    known = Known(story, *_KINDS)
    for change in _starts(story):
        worlds = [
            (world, one) for world in known.worlds(change) if (one := _workload_of(world, change.after))
        ]
        lacking = [_lacking(change.before, change.after, world, one) for world, one in worlds]
        if lacking and all(lacking):
            yield change, f"is let run, and {lacking[-1]}"


def _lacking(job: Json, started: Json, world: World, workload: Json) -> str:
    """Say what the pods of a Job were to be given by flavors and checks and are not, or what else they have;
    empty where all is right.
    """
    before, after = _given(job["spec"]["template"]), _given(started["spec"]["template"])
    assigned = (admission(workload).get("podSetAssignments") or [{}])[0]
    count, runs = assigned.get("count"), started["spec"].get("parallelism")
    if runs not in (count, job["spec"].get("parallelism")):
        return f"it runs {runs} pods, and {count} are admitted"
    flavors = [world.get(("ResourceFlavor", "", name)) for name in (assigned.get("flavors") or {}).values()]
    if None in flavors:
        return ""
    specs = [(one or {}).get("spec") or {} for one in flavors]
    updates = [
        one
        for entry in entries(workload).values()
        for one in entry.get("podSetUpdates") or ()
        if one["name"] == assigned.get("name")
    ]
    selectors = [
        before["nodeSelector"],
        *(one.get("nodeLabels") or {} for one in specs),
        *(one.get("nodeSelector") or {} for one in updates),
    ]
    if after["nodeSelector"] != (wanted := _together(selectors)):
        return f"its pods have the nodeSelector {after['nodeSelector']}, not {wanted}"
    for name in ("labels", "annotations"):
        wanted = _together([before[name], *(one.get(name) or {} for one in updates)])
        if not wanted.items() <= after[name].items():
            return f"its pods have the {name} {after[name]}, and {wanted} are wanted"
    tolerations = [
        *before["tolerations"],
        *(each for one in (*specs, *updates) for each in one.get("tolerations") or ()),
    ]
    missing = [one for one in tolerations if _known_by(one) not in map(_known_by, after["tolerations"])]
    return f"its pods do not have the toleration {missing[0]}" if missing else ""


def _given(template: Json) -> Json:
    """Return what Kueue may change of a pod template."""
    metadata, spec = template.get("metadata") or {}, template.get("spec") or {}
    return {
        **{name: metadata.get(name) or {} for name in ("labels", "annotations")},
        "nodeSelector": spec.get("nodeSelector") or {},
        "tolerations": spec.get("tolerations") or [],
    }


def _together(parts: list[Mapping[str, str]]) -> Mapping[str, str]:
    return {key: value for part in parts for key, value in part.items()}


def _known_by(toleration: Json) -> tuple[str, ...]:
    """Return what tells a toleration from others; its seconds do not (AC-362)."""
    return (
        toleration.get("operator") or "Equal",
        *(toleration.get(name) or "" for name in ("key", "value", "effect")),
    )


def _not_restored(story: Story) -> Iterator[Finding]:
    """Tell of each Job that waits again, has no pods,
    and has not got the pod template back that its Workload has.
    """
    started = {(change.namespace, change.name) for change in _starts(story)}
    told: set[tuple[str, str]] = set()
    for rest in rests(story):
        for change, workload in rest.all("Workload"):
            job = rest.job(workload)
            key = (change.namespace, owner(workload).get("name", ""))
            if (
                job is None
                or key not in started
                or key in told
                or is_true(workload, "Admitted")
                or is_true(workload, "Finished")
            ):
                continue
            have, wanted = (
                _given(one) for one in (job["spec"]["template"], workload["spec"]["podSets"][0]["template"])
            )
            names = [
                name for name in ("nodeSelector", "annotations", "tolerations") if have[name] != wanted[name]
            ]
            if _suspended(job) and not (job.get("status") or {}).get("active") and names:
                told.add(key)
                yield (
                    rest.newest["Job", *key],
                    f"waits, and its pods have {names[0]} {have[names[0]]}, not {wanted[names[0]]}",
                )


def _released_early(story: Story) -> Iterator[Finding]:
    """Tell of quota that is given back while the Job of the
    Workload has pods, as all who were to know of them did.
    """
    known = Known(story, "Job")
    for change in story.changes:
        if change.kind != "Workload" or not change.before or not change.after or not is_kueues(change):
            continue
        job = owner(change.after)
        gives_back = is_true(change.before, "QuotaReserved") and not is_true(change.after, "QuotaReserved")
        if gives_back and is_true(change.before, "Admitted") and job.get("kind") == "Job":
            states = list(known.of(change, "Job", job["name"], change.namespace))
            if states and all(((one or {}).get("status") or {}).get("active") for one in states):
                yield change, f"gives quota back, and its Job has {states[-1]['status']['active']} pods"


JOBS = (
    SafetyRule(
        "AC-332", "keeps quota as long as the Job of a Workload has pods", _released_early, since="0.9"
    ),
    SafetyRule("AC-335", "lets a Job run only while its Workload is Admitted", _unadmitted),
    SafetyRule(
        "AC-363",
        "gives the pods of a Job what flavors and checks bring, and nothing else to select nodes by",
        _wrong_pods,
    ),
    SafetyRule("AC-367", "gives a Job that waits again the pod template back that it had", _not_restored),
)
