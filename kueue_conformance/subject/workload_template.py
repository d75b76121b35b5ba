"""The field `workload` of a subject file: what the Workloads have that scenarios submit (harness §10.2).

    workload:
      owner: {kind: Job, metadata: {labels: {acme.io/team: a}}}   # or {manifest: run.yaml}
      metadata:
        labels: {acme.io/tier: gold}
      spec:
        priority: 100
        podSets: [{name: workers, count: 2, topologyRequest: {required: acme.io/rack}}]
      topology: {acme.io/rack: rack-1}

For a controller that answers only Workloads with certain owners, labels, pod sets or topologies (TP-03,
TP-06, TP-07, TP-11). What is not there is the scenario's, and a scenario that needs it otherwise is
unsupported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType

from ..base.json_types import Json
from ..wire.resource import KUEUE
from .manifests import read_manifests
from .placeholders import replace_words

FIELDS = ("owner", "metadata", "spec", "topology")
_JOB: Json = {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "${name}"}}
_PLAIN: Json = {
    "spec": {
        "restartPolicy": "Never",
        "containers": [{"name": "main", "image": "registry.k8s.io/pause:3.10"}],
    }
}
_NOTHING: Mapping[str, Json] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadTemplate:
    """What a Workload has unless a scenario needs it otherwise."""

    owner: Json = None
    """The object that controls it, with a place for its name; None for a Workload that nothing owns."""
    labels: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    annotations: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    spec: Mapping[str, Json] = field(default_factory=lambda: _NOTHING)
    """Its spec without pod sets."""
    pod_sets: Sequence[Json] = ()
    topology: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """The domain of pod sets that request a topology: a value for each level, the widest first."""

    @property
    def requests(self) -> Mapping[str, str]:
        """What its pods request, by resource."""
        return {
            resource: amount
            for pod_set in self.pod_sets
            for container in containers_of(pod_set)
            for resource, amount in requests_of(container).items()
        }

    @property
    def has_topology_request(self) -> bool:
        """Whether some of its pod sets request a topology."""
        return any("topologyRequest" in pod_set for pod_set in self.pod_sets)

    def example(self) -> Json:
        """Return a Workload by which an API server can judge the template."""
        plain = {"name": "main", "count": 1, "template": _PLAIN}
        pod_sets = [{**plain, **pod_set, "template": _complete(pod_set)} for pod_set in self.pod_sets]
        return {
            "apiVersion": f"{KUEUE}/v1beta2",
            "kind": "Workload",
            "metadata": {"name": "example", "namespace": "default", **self._metadata},
            "spec": {"queueName": "example", "podSets": pod_sets or [plain], **self.spec},
        }

    def example_pods(self) -> Json:
        """Return the template of its first pod set."""
        pods: Json = self.example()["spec"]["podSets"][0]["template"]
        return pods

    @property
    def _metadata(self) -> Json:
        return {"labels": dict(self.labels), "annotations": dict(self.annotations)}

    def new_owner(self, name: str, namespace: str, pods: Json) -> Json:
        """Return the owner of one Workload; a Job that has no spec gets these pods, and is suspended."""
        filled = replace_words(self.owner, {"name": name})
        job = {"suspend": True, "template": pods}
        spec = {"spec": job} if self.owner["kind"] == "Job" and "spec" not in self.owner else {}
        return {**filled, **spec, "metadata": {**filled["metadata"], "namespace": namespace}}


def _complete(pod_set: Json) -> Json:
    """Return the template of a pod set with what a pod must have."""
    template = pod_set.get("template", {})
    return {**template, "spec": {**_PLAIN["spec"], **template.get("spec", {})}}


def containers_of(pod_set: Json) -> Sequence[Json]:
    """Return the containers of a pod set, none where its template leaves them out."""
    containers = mapping_of(mapping_of(pod_set.get("template")).get("spec")).get("containers")
    listed = containers if isinstance(containers, list) else ()
    return [container for container in listed if isinstance(container, Mapping)]


def requests_of(container: Json) -> Mapping[str, Json]:
    """Return what a container requests, by resource."""
    return mapping_of(mapping_of(container.get("resources")).get("requests"))


def mapping_of(value: Json) -> Mapping[str, Json]:
    """Return a mapping; of anything else the API server says what is wrong with it."""
    return value if isinstance(value, Mapping) else _NOTHING


def workload_template(field: Mapping[str, Json] | None, folder: Path) -> WorkloadTemplate | None:
    """Return the template of a field that has no problems, None where the field is absent."""
    if not field:
        return None
    metadata, spec = field.get("metadata", _NOTHING), field.get("spec", _NOTHING)
    return WorkloadTemplate(
        owner=_owner(field["owner"], folder) if "owner" in field else None,
        labels=metadata.get("labels", {}),
        annotations=metadata.get("annotations", {}),
        spec={name: value for name, value in spec.items() if name != "podSets"},
        pod_sets=spec.get("podSets", ()),
        topology=field.get("topology", {}),
    )


def _owner(field: Mapping[str, Json], folder: Path) -> Json:
    if "manifest" in field:
        return read_manifests(folder / field["manifest"])[0]
    return {**_JOB, "metadata": {**_JOB["metadata"], **field.get("metadata", {})}}
