"""What is wrong with the field `workload` of a subject file, as far as no server has to be asked."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..base.errors import UsageError
from ..base.json_types import Json
from ..wire.resource import KUEUE
from .fields import Problems, are_texts, strange_places, strangers, wrong
from .manifests import read_manifests
from .placeholders import placeholders_in
from .workload_template import FIELDS, containers_of, mapping_of, requests_of

QUEUE_LABEL = f"{KUEUE}/queue-name"
RESERVED_LABEL = "example.com/team"
"""The key of labels, annotations and node selectors by which scenarios change pods."""
_METADATA = ("labels", "annotations")
_OF_THE_HARNESS = ("queueName", "active")
_EXAMPLE = "for example `workload: {metadata: {labels: {acme.io/tier: gold}}}`"
_OWNER = "for example `owner: {kind: Job}`, or `owner: {manifest: run.yaml}` with an object of another kind"
_PODS = "for example `template: {spec: {nodeSelector: {acme.io/pool: a}}}`"


def problems(field: Json, folder: Path) -> Problems:
    """Return everything that is wrong with the field."""
    yield from strangers("workload", field, FIELDS)
    yield from _of_metadata("workload.metadata", field.get("metadata", {}))
    yield from _of_spec(field.get("spec", {}))
    topology = field.get("topology", {})
    if not are_texts(topology):
        yield wrong("workload.topology", topology, "a mapping from level to value", _EXAMPLE)
    owner = field.get("owner", {"kind": "Job"})
    if not isinstance(owner, Mapping):
        yield wrong("workload.owner", owner, "a mapping with kind or manifest", _OWNER)
    else:
        yield from _of_owner(owner, folder)


def _of_metadata(where: str, metadata: Json) -> Problems:
    if not isinstance(metadata, Mapping):
        yield wrong(where, metadata, "a mapping with labels and annotations", _EXAMPLE)
        return
    yield from strangers(where, metadata, _METADATA)
    for name in _METADATA:
        texts = metadata.get(name, {})
        if not are_texts(texts):
            yield wrong(f"{where}.{name}", texts, "a mapping from name to text", _EXAMPLE)
        elif QUEUE_LABEL in texts:
            yield UsageError(
                f"{where}.{name} has {QUEUE_LABEL} {texts[QUEUE_LABEL]!r}, and each scenario has queues of its own",
                hint="leave it out: a Workload says its queue in spec.queueName",
                path=f"{where}.{name}.{QUEUE_LABEL}",
            )


def _of_spec(spec: Json) -> Problems:
    if not isinstance(spec, Mapping):
        yield wrong("workload.spec", spec, "a mapping with fields of a Workload's spec", _EXAMPLE)
        return
    for name in _OF_THE_HARNESS:
        if name in spec:
            yield UsageError(
                f"workload.spec.{name} is {spec[name]!r}, and the scenarios decide about it",
                hint="leave it out",
                path=f"workload.spec.{name}",
            )
    pod_sets = spec.get("podSets", [{}])
    if not isinstance(pod_sets, list) or not pod_sets or not all(isinstance(pods, dict) for pods in pod_sets):
        yield wrong("workload.spec.podSets", pod_sets, "a list of pod sets", _EXAMPLE)
        return
    for number, pod_set in enumerate(pod_sets):
        yield from _of_pods(f"workload.spec.podSets[{number}].template", pod_set.get("template", {}))
    reducible = [number for number, pod_set in enumerate(pod_sets) if "minCount" in pod_set]
    if len(reducible) > 1:
        yield UsageError(
            f"workload.spec.podSets has minCount in {len(reducible)} pod sets, expected at most one",
            hint="leave it out of the others: Kueue's webhook refuses such a Workload (AC-094)",
            path=f"workload.spec.podSets[{reducible[1]}].minCount",
        )


def _of_pods(where: str, template: Json) -> Problems:
    """Return where a pod template has a key by which scenarios change pods."""
    if not isinstance(template, Mapping):
        yield wrong(where, template, "a pod template", _PODS)
        return
    for name in ("metadata", "spec"):
        if not isinstance(template.get(name, {}), Mapping):
            yield wrong(f"{where}.{name}", template[name], "a mapping", _PODS)
    metadata, spec = mapping_of(template.get("metadata")), mapping_of(template.get("spec"))
    sections = {
        "metadata.labels": metadata.get("labels"),
        "metadata.annotations": metadata.get("annotations"),
        "spec.nodeSelector": spec.get("nodeSelector"),
    }
    for section, texts in sections.items():
        if RESERVED_LABEL in mapping_of(texts):
            yield UsageError(
                f"{where}.{section} has {RESERVED_LABEL}, by which scenarios tell changed pods",
                hint="take another key",
                path=f"{where}.{section}.{RESERVED_LABEL}",
            )
    yield from _of_requests(where, template)


def _of_requests(where: str, template: Mapping[str, Json]) -> Problems:
    """Return requests that Kueue's webhook refuses (AC-092)."""
    for number, container in enumerate(containers_of({"template": template})):
        for resource, amount in requests_of(container).items():
            path = f"{where}.spec.containers[{number}].resources.requests.{resource}"
            if resource == "pods":
                yield UsageError(
                    f"{path} is a resource that Kueue counts itself", hint="leave it out", path=path
                )
            elif str(amount).startswith("-"):
                yield wrong(path, amount, "an amount from 0 on", "for example `requests: {cpu: 100m}`")


def _of_owner(owner: Mapping[str, Json], folder: Path) -> Problems:
    if "manifest" in owner:
        yield from strangers("workload.owner", owner, ("manifest",))
        yield from _of_manifest(owner["manifest"], folder)
        return
    yield from strangers("workload.owner", owner, ("kind", "metadata"))
    if owner.get("kind") != "Job":
        yield wrong("workload.owner.kind", owner.get("kind"), "Job, which the harness can make", _OWNER)
    yield from _of_metadata("workload.owner.metadata", owner.get("metadata", {}))


def _of_manifest(path: Json, folder: Path) -> Problems:
    where = "workload.owner.manifest"
    if not isinstance(path, str) or not path:
        yield wrong(where, path, "the path of a manifest", _OWNER)
        return
    try:
        objects = read_manifests(folder / path)
    except UsageError as problem:
        problem.path = problem.path or where
        yield problem
        return
    if len(objects) != 1:
        yield wrong(where, path, f"a file with one object (it has {len(objects)})", _OWNER)
        return
    for stranger in strange_places(path, placeholders_in(objects[0]), ["name"]):
        stranger.path = where
        yield stranger
    metadata = objects[0]["metadata"]
    if "name" not in placeholders_in(metadata["name"]):
        yield UsageError(
            f"{path} has the name {metadata['name']!r}, expected ${{name}} in it",
            hint='each Workload gets an owner of its own: write `metadata: {name: "${name}"}`',
            path=where,
        )
    if QUEUE_LABEL in (metadata.get("labels") or {}):
        yield UsageError(
            f"{path} has the label {QUEUE_LABEL}, so that a Kueue makes a second Workload for it",
            hint="leave it out",
            path=where,
        )
