"""The plugins in the order in which kube-apiserver v1.36 asks them (FK-300)."""

from __future__ import annotations

from . import (
    certificate_subject_restriction,
    default_toleration_seconds,
    limit_ranger,
    namespace_lifecycle,
    pod_security,
    priority,
    runtime_class,
    storage_steps,
    taint_nodes_by_condition,
)
from .plugin import Plugin

PLUGINS: tuple[Plugin, ...] = (
    namespace_lifecycle.PLUGIN,
    storage_steps.PLUGIN,
    limit_ranger.PLUGIN,
    taint_nodes_by_condition.PLUGIN,
    pod_security.PLUGIN,
    priority.PLUGIN,
    default_toleration_seconds.PLUGIN,
    runtime_class.PLUGIN,
    certificate_subject_restriction.PLUGIN,
)
