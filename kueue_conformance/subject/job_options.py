"""Options of a job integration: `capabilities` of the field `job` of a subject file, and the fields by which
a scenario makes use of them (JI-090, JI-091, JI-092, JI-094).

    job:
      capabilities: [PartialAdmission, PodsReady]
      minCount: {spec: {workers: {minCount: "${minCount}"}}}
      status:
        starting: {phase: Running, ready: 0}

A scenario that needs a capability which is not declared is unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from ..base.errors import UsageError, unknown
from ..base.json_types import Json
from .fields import Problems, strange_places, wrong
from .placeholders import placeholders_in, replace_values

STARTING, RECLAIMABLE = "starting", "reclaimable"
OPTIONAL_STATES = (STARTING, RECLAIMABLE)
FIELDS = ("capabilities", "minCount", "managedBy")
MEANINGS: Mapping[str, str] = MappingProxyType(
    {
        "PartialAdmission": "a job may run with fewer pods than it asks for",
        "ReclaimablePods": "pods that will not run again give their quota back",
        "PodsReady": "it tells whether all pods are ready",
        "PrebuiltWorkloads": "a job may name a Workload that is there already",
        "ChildJobs": "a job that another one of the kind controls runs by the Workload of that one",
        "MultiKueue": "a job may say that another cluster runs it",
        "Events": "it tells Events about jobs",
        "Replicas": "several replicas may run at once",
    }
)
_NEEDED = {
    "PartialAdmission": "minCount",
    "ReclaimablePods": "status.reclaimable",
    "PodsReady": "status.starting",
    "MultiKueue": "managedBy",
}
"""The field without which a scenario cannot bring it about."""
_MIN_COUNT = 'for example `minCount: {metadata: {annotations: {example.com/min: "${minCount}"}}}`'
_CAPABILITIES = "for example `capabilities: [PodsReady, Events]`"
_NO_PATCH: Mapping[str, Json] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """The declared capabilities, and how a job makes use of them."""

    capabilities: frozenset[str] = frozenset()
    min_count: Mapping[str, Json] = field(default_factory=lambda: _NO_PATCH)
    """A merge patch of a job, with a place for `${minCount}`."""
    managed_by: Sequence[str] = ()
    """The path of the field that says which controller runs a job."""

    @property
    def features(self) -> frozenset[str]:
        """The capabilities by the words in which scenarios ask for them."""
        return frozenset(f"job.capabilities: {name}" for name in self.capabilities)

    def with_min_count(self, job: Json, pods: int) -> Json:
        """Return a job that may run with so few pods."""
        # Labels and annotations are texts, and a field of a spec is a number.
        patch = replace_values(self.min_count, {"minCount": pods})
        return _merge(job, {**patch, **_with_texts(patch)})


def _with_texts(patch: Json) -> Json:
    metadata = patch.get("metadata", {})
    texts = {name: {key: str(value) for key, value in section.items()} for name, section in metadata.items()}
    return {"metadata": texts} if texts else {}


def _merge(document: Json, patch: Json) -> Json:
    """Return an object with the fields of a merge patch that removes nothing."""
    merged = {
        name: _merge(document.get(name, {}), value) if isinstance(value, Mapping) else value
        for name, value in patch.items()
    }
    return {**document, **merged}


def job_options(field: Mapping[str, Json]) -> JobOptions:
    """Return the options of a field `job` that has no problems."""
    path = field.get("managedBy", "")
    return JobOptions(
        capabilities=frozenset(field.get("capabilities", ())),
        min_count=field.get("minCount", _NO_PATCH),
        managed_by=tuple(path.split(".")) if path else (),
    )


def problems(field: Mapping[str, Json]) -> Problems:
    """Return everything that is wrong with the options of a field `job`."""
    capabilities = field.get("capabilities", [])
    if not isinstance(capabilities, list):
        yield wrong("job.capabilities", capabilities, "a list of capabilities", _CAPABILITIES)
        capabilities = []
    for number, name in enumerate(capabilities):
        if name not in MEANINGS:
            yield unknown("capability of job", str(name), MEANINGS, path=f"job.capabilities[{number}]")
    yield from _of_min_count(field.get("minCount", _NO_PATCH))
    if not isinstance(field.get("managedBy", ""), str):
        yield wrong(
            "job.managedBy",
            field["managedBy"],
            "the path of a field",
            "for example `managedBy: spec.managedBy`",
        )
    yield from _of_needed_fields(field, capabilities)


def _of_min_count(value: Json) -> Problems:
    if not isinstance(value, Mapping):
        yield wrong("job.minCount", value, "fields of a job", _MIN_COUNT)
        return
    yield from strange_places("job.minCount", placeholders_in(value), ("minCount",))


def _of_needed_fields(field: Mapping[str, Json], capabilities: Sequence[str]) -> Problems:
    status = field.get("status")
    present = {*field, *(f"status.{state}" for state in (status if isinstance(status, Mapping) else ()))}
    for name in capabilities:
        needed = _NEEDED.get(str(name))
        if needed is not None and needed not in present:
            yield UsageError(
                f"job.capabilities has {name}, and job.{needed} is missing",
                hint=f"add {needed}, by which scenarios bring it about, or leave {name} out",
                path="job.capabilities",
            )
