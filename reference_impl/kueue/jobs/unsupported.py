"""Warnings of Jobs that ask for what is not simulated, and of other kinds with a queue (docs/scope.md)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from reference_impl.api.kinds import DEPLOYMENTS, JOBS, PODS, STATEFUL_SETS
from reference_impl.api.resource import Json, Key, Resource, key_of
from reference_impl.runtime.controller import Controller
from reference_impl.runtime.log import Logger
from reference_impl.runtime.part import Runnable, Runtime
from reference_impl.runtime.recorder import Recorder
from reference_impl.runtime.store import Store

from .job import QUEUE_LABEL

NAME: Final = "unsupported-features"
REASON: Final = "NotSimulated"
PAGE: Final = "docs/scope.md, What is not simulated"
TOPOLOGY_PREFIXES: Final = (
    "kueue.x-k8s.io/podset-required-topology",
    "kueue.x-k8s.io/podset-preferred-topology",
    "kueue.x-k8s.io/podset-unconstrained-topology",
    "kueue.x-k8s.io/podset-slice-",
)
ELASTIC_ANNOTATION: Final = "kueue.x-k8s.io/elastic-job"
MULTI_KUEUE: Final = "kueue.x-k8s.io/multikueue"
OTHER_KINDS: Final = (DEPLOYMENTS, STATEFUL_SETS, PODS)
"""Kinds that integrations of Kueue manage and this control plane does not."""
Subject = tuple[Resource, Key]


def find_unsupported_features(resource: Resource, obj: Json) -> Iterator[str]:
    """Say of an object with a queue what of it has no effect here."""
    if QUEUE_LABEL not in (obj["metadata"].get("labels") or {}):
        return
    if resource == JOBS:
        yield from _features_of_job(obj["metadata"].get("annotations") or {}, obj["spec"])
    elif resource != PODS or not _controller(obj):
        yield f"integrations other than batch/v1 Job: the label {QUEUE_LABEL} of this {resource.kind} has no effect"


def _features_of_job(annotations: Json, spec: Json) -> Iterator[str]:
    template = spec["template"]
    if any(
        name.startswith(TOPOLOGY_PREFIXES)
        for name in (template.get("metadata") or {}).get("annotations") or {}
    ):
        yield "topology-aware scheduling: pods get quota, and no topology domain"
    if annotations.get(ELASTIC_ANNOTATION) == "true":
        yield "elastic Jobs: a change of parallelism makes no slice of the Workload"
    if template["spec"].get("resourceClaims"):
        yield "dynamic resource allocation: resource claims get no quota and no devices"
    if spec.get("managedBy") == MULTI_KUEUE:
        yield "MultiKueue: the Job goes to no other cluster"


def _controller(obj: Json) -> bool:
    """Tell whether another object controls this one, and hears of it."""
    return any(owner.get("controller") for owner in obj["metadata"].get("ownerReferences") or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsupportedFeatures:
    """Warns once of each feature of an object."""

    stores: dict[Resource, Store]
    recorder: Recorder
    log: Logger
    warned: dict[Subject, tuple[str, frozenset[str]]] = field(default_factory=dict)
    """The uid of an object, and what was said of it."""

    async def reconcile(self, subject: Subject) -> None:
        """Warn of what was not said of an object yet; one that is gone is forgotten."""
        resource, key = subject
        obj = self.stores[resource].get(key)
        if obj is None:
            self.warned.pop(subject, None)
            return
        uid = obj["metadata"]["uid"]
        previous_uid, notes = self.warned.get(subject, (uid, frozenset()))
        notes = notes if previous_uid == uid else frozenset()
        features = [feature for feature in find_unsupported_features(resource, obj) if feature not in notes]
        if not features:
            return
        for feature in features:
            self.recorder.warning(obj, REASON, f"Not simulated: {feature} ({PAGE})")
            self.log.warning("not simulated", kind=resource.kind, key=key, feature=feature, page=PAGE)
        self.warned[subject] = uid, notes.union(features)


@dataclass(frozen=True, slots=True)
class UnsupportedFeaturesPart:
    """The warnings as a part of the program; no decision depends on it."""

    def assemble(self, runtime: Runtime) -> Sequence[Runnable]:
        """Follow Jobs and the other kinds that may have a queue."""
        informers = {resource: runtime.informer(resource) for resource in (JOBS, *OTHER_KINDS)}
        warnings = UnsupportedFeatures(
            stores={resource: informer.store for resource, informer in informers.items()},
            recorder=runtime.recorder(NAME),
            log=runtime.log.with_name(NAME),
        )
        controller = Controller(NAME, warnings.reconcile, runtime.clock, runtime.log)
        for resource, informer in informers.items():
            informer.add_handler(partial(_enqueue, controller, resource))
        return [controller]


def _enqueue(controller: Controller[Subject], resource: Resource, old: Json | None, new: Json | None) -> None:
    controller.queue.add((resource, key_of(new or old)))
