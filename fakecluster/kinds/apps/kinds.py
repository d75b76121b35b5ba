"""The kinds of `apps` (FK-465, FK-500)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...api.kind import Kind
from ...base.lazy_modules import LazyModule
from ..row import CATEGORY_ALL, STATUS, STATUS_AND_SCALE, row
from ..statuses import chain, initial_status
from . import columns

if TYPE_CHECKING:
    from . import status, template_generation, validation, warnings
else:
    status = LazyModule(".status", __package__)
    template_generation = LazyModule(".template_generation", __package__)
    validation = LazyModule(".validation", __package__)
    warnings = LazyModule(".warnings", __package__)

KINDS: tuple[Kind, ...] = (
    row(
        "apps.v1.ControllerRevision",
        "controllerrevisions",
        validate=validation.revision,
        judge_update=validation.judge_revision_update,
        columns=columns.REVISION,
    ),
    row(
        "apps.v1.DaemonSet",
        "daemonsets",
        short="ds",
        categories=CATEGORY_ALL,
        subresources=STATUS,
        generation="spec",
        prepare=chain(initial_status("apps.v1.DaemonSet"), template_generation.prepare),
        prepare_update=template_generation.prepare_update,
        prepare_status=template_generation.prepare_status,
        validate=validation.daemon_set,
        judge_update=validation.judge_daemon_set_update,
        validate_status=status.daemon_set,
        warnings=warnings.daemon_set,
        columns=columns.DAEMON_SET,
    ),
    row(
        "apps.v1.Deployment",
        "deployments",
        status_resets=(("spec",), ("metadata", "labels")),
        short="deploy",
        categories=CATEGORY_ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        generation_of="annotations",
        validate=validation.deployment,
        validate_update=validation.same_selector,
        validate_status=status.deployment,
        warnings=warnings.deployment,
        columns=columns.DEPLOYMENT,
    ),
    row(
        "apps.v1.ReplicaSet",
        "replicasets",
        short="rs",
        categories=CATEGORY_ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=validation.replica_set,
        validate_update=validation.same_selector,
        validate_status=status.replica_set,
        warnings=warnings.replica_set,
        columns=columns.REPLICA_SET,
    ),
    row(
        "apps.v1.StatefulSet",
        "statefulsets",
        short="sts",
        name_rule="label",
        categories=CATEGORY_ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=validation.stateful_set,
        judge_update=validation.judge_stateful_set_update,
        validate_status=status.stateful_set,
        warnings=warnings.stateful_set,
        columns=columns.STATEFUL_SET,
    ),
)
