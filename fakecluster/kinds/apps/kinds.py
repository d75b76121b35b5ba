"""The kinds of `apps` (FK-465, FK-500)."""

from __future__ import annotations

from ...api.kind import Kind
from ..core.pod.warnings import template
from ..row import ALL, STATUS, STATUS_AND_SCALE, row
from ..statuses import chain, wiped
from . import columns, template_generation, validation

KINDS: tuple[Kind, ...] = (
    row(
        "apps.v1.ControllerRevision",
        "controllerrevisions",
        validate=validation.revision,
        validate_update=validation.same_data,
        columns=columns.REVISION,
    ),
    row(
        "apps.v1.DaemonSet",
        "daemonsets",
        short="ds",
        categories=ALL,
        subresources=STATUS,
        generation="spec",
        prepare=chain(wiped("apps.v1.DaemonSet"), template_generation.prepare),
        prepare_update=template_generation.prepare_update,
        validate=validation.daemon_set,
        validate_update=validation.same_selector,
        validate_status=validation.daemon_status,
        warnings=template(),
        columns=columns.DAEMON_SET,
    ),
    row(
        "apps.v1.Deployment",
        "deployments",
        status_resets=(("spec",), ("metadata", "labels")),
        short="deploy",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=validation.deployment,
        validate_update=validation.same_selector,
        validate_status=validation.status(
            "readyReplicas", ("updatedReplicas", "readyReplicas", "availableReplicas")
        ),
        warnings=template(),
        columns=columns.DEPLOYMENT,
    ),
    row(
        "apps.v1.ReplicaSet",
        "replicasets",
        short="rs",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=validation.replica_set,
        validate_update=validation.same_selector,
        validate_status=validation.status(
            "readyReplicas", ("fullyLabeledReplicas", "readyReplicas", "availableReplicas")
        ),
        warnings=template(),
        columns=columns.REPLICA_SET,
    ),
    row(
        "apps.v1.StatefulSet",
        "statefulsets",
        short="sts",
        name_rule="label",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=validation.stateful_set,
        validate_update=validation.stateful_change,
        validate_status=validation.status(
            "status.readyReplicas",
            ("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
        ),
        warnings=template(),
        columns=columns.STATEFUL_SET,
    ),
)
