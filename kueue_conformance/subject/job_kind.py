"""The field `job` of a subject file: the kind of jobs that a job integration brings to Kueue (JI-001).

    job:
      manifest: job.yaml   # one job, with ${name} ${namespace} ${queue} ${parallelism} ${cpu}
      crds: [trainings-crd.yaml]
      suspend: spec.suspend         # the field that holds it back
      podSets:                      # where its pods are described, in the order of the Workload's pod sets
      - {template: spec.template, count: spec.parallelism}
      status:                       # what its operator writes into its status
        running: {active: "${parallelism}"}
        stopped: {active: 0}
        succeeded: {phase: Succeeded}
        failed: {phase: Failed}

What it may do beyond that is said by `capabilities` ([job_options](job_options.py)).
The harness plays the operator of the kind: pods are what these statuses say. Where the operator is a program,
`drivers` say how it brings a state about ([job_drivers](job_drivers.py)).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..base.errors import UsageError
from ..base.job_fields import (
    BATCH_JOBS,
    FAILED,
    RUNNING,
    STOPPED,
    SUCCEEDED,
    FieldPath,
    JobFields,
    PodSetPaths,
)
from ..base.json_types import Json
from . import job_drivers, job_options
from .fields import Problems, strange_places, strangers, wrong
from .job_drivers import NO_DRIVERS, JobDriver
from .job_options import OPTIONAL_STATES, JobOptions
from .manifests import read_manifests
from .placeholders import placeholders_in, replace_values

STATES = (RUNNING, STOPPED, SUCCEEDED, FAILED)
WORDS = ("name", "namespace", "queue", "parallelism", "cpu")
STATUS_WORDS = ("parallelism", "time", "startTime", "ended", "left")
_FIELDS = ("manifest", "crds", "suspend", "podSets", "status", "drivers", *job_options.FIELDS)
_EXAMPLE = "for example `job: {manifest: job.yaml, status: {running: {active: 1}, stopped: {active: 0}, …}}`"
_SUSPEND = ".".join(BATCH_JOBS.suspend)
_POD_SETS: Json = [
    {"template": ".".join(pod_set.template), "count": ".".join(pod_set.count)}
    for pod_set in BATCH_JOBS.pod_sets
]
"""Both where the file does not name them: as batch/v1 has them."""
_NO_STATUSES: Mapping[str, Json] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class JobKind:
    """How a job of the kind is written, held back, and read."""

    manifest: Json
    suspend: FieldPath
    pod_sets: Sequence[PodSetPaths]
    crds: Sequence[Json] = ()
    statuses: Mapping[str, Json] = field(default_factory=lambda: _NO_STATUSES)
    drivers: Mapping[str, JobDriver] = field(default_factory=lambda: NO_DRIVERS)
    """What brings a state about; of the others the harness writes the status."""
    options: JobOptions = field(default_factory=JobOptions)

    @property
    def kind(self) -> str:
        """The kind."""
        return str(self.manifest["kind"])

    @property
    def group(self) -> str:
        """The API group."""
        return str(self.manifest["apiVersion"].rpartition("/")[0])

    def new_job(self, **words: str | int) -> Json:
        """Return a job, with a value for each place of the manifest."""
        return replace_values(self.manifest, words)

    def status(self, state: str, **words: str | int) -> Json:
        """Return what the operator of the kind writes of a job in a state, as a merge patch of the status."""
        return replace_values(self.statuses[state], words)

    @property
    def fields(self) -> JobFields:
        """By which fields a job of the kind is read."""
        return JobFields(
            kind=self.kind,
            suspend=self.suspend,
            pod_sets=self.pod_sets,
            statuses=self.statuses,
            managed_by=tuple(self.options.managed_by),
        )

    def is_suspended(self, job: Json) -> bool:
        """Tell whether a job is held back; one that does not say so runs."""
        return self.fields.is_suspended(job)

    @property
    def main(self) -> PodSetPaths:
        """The pod set that can grow: the first one whose count is a field, else the first."""
        return next((pod_set for pod_set in self.pod_sets if pod_set.count), self.pod_sets[0])

    def templates(self, job: Json) -> list[Json]:
        """Return the pod templates of a job, in the order of its pod sets."""
        return self.fields.templates(job)

    def counts(self, job: Json) -> list[int]:
        """Return how many pods each pod set of a job has."""
        return self.fields.counts(job)


def patch_at(path: FieldPath, value: Any) -> Json:
    """Return a merge patch that sets one field of an object."""
    return reduce(lambda inner, name: {name: inner}, reversed(path), value)


def with_value_at(document: Json, path: FieldPath, value: Any) -> Json:
    """Return an object with another value of one field."""
    if not path:
        return value
    name, *rest = path
    return {**(document or {}), name: with_value_at((document or {}).get(name), tuple(rest), value)}


def job_kind(field: Mapping[str, Json] | None, folder: Path) -> JobKind | None:
    """Return the kind of a field that has no problems, None where the field is absent."""
    if not field:
        return None
    return JobKind(
        manifest=read_manifests(folder / field["manifest"])[0],
        crds=[manifest for path in field.get("crds", ()) for manifest in read_manifests(folder / path)],
        suspend=_path(field.get("suspend", _SUSPEND)),
        pod_sets=[
            PodSetPaths(_path(pod_set["template"]), _path(pod_set.get("count", "")))
            for pod_set in field.get("podSets", _POD_SETS)
        ],
        statuses=field["status"],
        drivers=job_drivers.job_drivers(field, folder),
        options=job_options.job_options(field),
    )


def _path(text: str) -> FieldPath:
    return tuple(text.split(".")) if text else ()


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    yield from strangers("job", field, _FIELDS)
    yield from _of_manifest(field.get("manifest"), folder)
    crds = field.get("crds", [])
    if not isinstance(crds, list) or not all(isinstance(path, str) for path in crds):
        yield wrong("job.crds", crds, "a list of paths", _EXAMPLE)
    if not isinstance(field.get("suspend", _SUSPEND), str):
        yield wrong(
            "job.suspend", field["suspend"], "the path of a field", "for example `suspend: spec.suspend`"
        )
    yield from _of_pod_sets(field.get("podSets", _POD_SETS))
    yield from _of_statuses(field.get("status"))
    yield from job_drivers.problems(field, (*STATES, *OPTIONAL_STATES), folder)
    yield from job_options.problems(field)


def _of_manifest(path: Json, folder: Path) -> Problems:
    if not isinstance(path, str) or not path:
        yield wrong("job.manifest", path, "the path of a manifest", _EXAMPLE)
        return
    try:
        jobs = read_manifests(folder / path)
    except UsageError as problem:
        yield problem
        return
    if len(jobs) != 1:
        yield wrong("job.manifest", path, f"a manifest of one job, not of {len(jobs)} objects", _EXAMPLE)
    places = placeholders_in(jobs)
    yield from strange_places(path, places, WORDS)
    for word in ("name", "queue"):
        if word not in places:
            yield UsageError(
                f"{path} has no place for its {word}, expected ${{{word}}}",
                hint='write `metadata: {name: "${name}", namespace: "${namespace}", labels: {kueue.x-k8s.io/queue-name: "${queue}"}}`',
                path="job.manifest",
            )


def _of_pod_sets(value: Json) -> Problems:
    example = "for example `podSets: [{template: spec.template, count: spec.parallelism}]`"
    if not isinstance(value, list) or not value:
        yield wrong("job.podSets", value, "a list of pod sets", example)
        return
    for number, pod_set in enumerate(value):
        where = f"job.podSets[{number}]"
        if not isinstance(pod_set, Mapping) or not isinstance(pod_set.get("template"), str):
            yield wrong(
                where, pod_set, "a mapping with template and count, each the path of a field", example
            )
            continue
        yield from strangers(where, pod_set, ("template", "count"))


def _of_statuses(value: Json) -> Problems:
    if not isinstance(value, Mapping):
        yield wrong("job.status", value, f"a mapping with {', '.join(STATES)}", _EXAMPLE)
        return
    yield from strangers("job.status", value, (*STATES, *OPTIONAL_STATES))
    yield from _of_each_status(value)


def _of_each_status(value: Mapping[str, Json]) -> Iterator[UsageError]:
    for state in (*STATES, *(state for state in OPTIONAL_STATES if state in value)):
        if not isinstance(value.get(state), Mapping):
            yield wrong(f"job.status.{state}", value.get(state), "fields of the job's status", _EXAMPLE)
    yield from strange_places("job.status", placeholders_in(value), STATUS_WORDS)
