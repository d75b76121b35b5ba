"""What Kueue fills in when an object is created (AC-006, AC-007, AC-094, AC-330)."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Final

from ...api.kinds import RESOURCE_IN_USE
from ...api.releases import has_change
from ...api.resource import Json, Key
from ..features import Features
from ..jobs.families import parent_of
from ..jobs.job import PRIORITY_CLASS_LABEL, Job
from ..managed_namespaces import ManagedNamespaces
from ..workload.rules import MAX_TIMEOUT_SECONDS
from .priority_classes import DEFAULT_CLASS, GATE, NO_CLASSES


@dataclass(frozen=True, slots=True)
class DefaultingSettings:
    """The configured defaults, and a configured limit."""

    features: Features = field(default_factory=Features)
    manages_all_jobs: bool = False
    max_timeout_seconds: float = MAX_TIMEOUT_SECONDS
    """The longest time that a Job may give its pods (KV-61)."""
    priority_classes: Container[Key] = NO_CLASSES
    """The WorkloadPriorityClasses that exist."""
    namespaces: ManagedNamespaces = field(default_factory=ManagedNamespaces)
    """The namespaces in which Jobs are managed."""


CLASSES_WHERE_MANAGED: Final = ("0.19.6", "0.20.0")
"""Since when Jobs of other namespaces get no default class (KV-19, AC-339)."""
Default = Callable[[Json, DefaultingSettings], Json]


def in_use(obj: Json, settings: DefaultingSettings) -> Json:
    """Add the finalizer that keeps the object while it is in use."""
    del settings
    finalizers = obj["metadata"].get("finalizers") or []
    if RESOURCE_IN_USE in finalizers:
        return obj
    return {**obj, "metadata": {**obj["metadata"], "finalizers": [*finalizers, RESOURCE_IN_USE]}}


def workload(obj: Json, settings: DefaultingSettings) -> Json:
    """Without partial admission no group of pods may be smaller."""
    pod_sets = (obj.get("spec") or {}).get("podSets")
    if settings.features["PartialAdmission"] or not pod_sets:
        return obj
    pod_sets_ = [
        {name: value for name, value in pod_set.items() if name != "minCount"} for pod_set in pod_sets
    ]
    return {**obj, "spec": {**obj["spec"], "podSets": pod_sets_}}


def job(obj: Json, settings: DefaultingSettings) -> Json:
    """Give a Job a priority class, and hold it back until it is admitted; one that belongs to a Job gets
    neither.
    """
    if parent_of(obj):
        return obj
    return _suspend(add_priority_class(obj, settings), settings)


def _suspend(obj: Json, settings: DefaultingSettings) -> Json:
    """Suspend a Job that Kueue manages."""
    is_managed = Job(obj).queue_name or (
        settings.manages_all_jobs and _is_in_managed_namespace(obj, settings)
    )
    if not is_managed or obj["spec"].get("suspend"):
        return obj
    return {**obj, "spec": {**obj["spec"], "suspend": True}}


def add_priority_class(obj: Json, settings: DefaultingSettings) -> Json:
    """Label a Job that names no priority class with the default one, where that exists; whether Kueue manages
    the Job does not matter, but for its namespace (KV-19).
    """
    labels = Job(obj).labels
    if labels.get(PRIORITY_CLASS_LABEL) or not settings.features[GATE]:
        return obj
    if DEFAULT_CLASS not in settings.priority_classes:
        return obj
    heeds_namespaces = has_change(settings.features.version, CLASSES_WHERE_MANAGED)
    if heeds_namespaces and not _is_in_managed_namespace(obj, settings):
        return obj
    labels = {**labels, PRIORITY_CLASS_LABEL: DEFAULT_CLASS.name}
    return {**obj, "metadata": {**obj["metadata"], "labels": labels}}


def _is_in_managed_namespace(obj: Json, settings: DefaultingSettings) -> bool:
    return settings.namespaces.include(obj["metadata"].get("namespace", ""))
