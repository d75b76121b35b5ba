"""Kinds that run pods: groups `apps` and `batch` (FK-465…470, FK-500)."""

from __future__ import annotations

from ..api.kind import Kind
from . import daemons, jobs
from .default_rules import labelled
from .rows import STATUS, STATUS_AND_SCALE, row
from .rules import jobs as job_rules
from .rules import jobstatus
from .rules import workloads as rules
from .rules.warnings import template
from .statuses import chain, wiped

ALL = ("all",)
ORPHAN_WARNING = (
    "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them"
    " or set propagationPolicy=Orphan to suppress this warning"
)
KINDS: tuple[Kind, ...] = (
    row(
        "apps.v1.ControllerRevision",
        "controllerrevisions",
        validate=rules.revision,
        validate_update=rules.same_data,
    ),
    row(
        "apps.v1.DaemonSet",
        "daemonsets",
        short="ds",
        categories=ALL,
        subresources=STATUS,
        generation="spec",
        prepare=chain(wiped("apps.v1.DaemonSet"), daemons.prepare),
        prepare_update=daemons.prepare_update,
        validate=rules.daemon_set,
        validate_update=rules.same_selector,
        validate_status=rules.daemon_status,
        warnings=template(),
    ),
    row(
        "apps.v1.Deployment",
        "deployments",
        status_resets=(("spec",), ("metadata", "labels")),
        short="deploy",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=rules.deployment,
        validate_update=rules.same_selector,
        validate_status=rules.status(
            "readyReplicas", ("updatedReplicas", "readyReplicas", "availableReplicas")
        ),
        warnings=template(),
    ),
    row(
        "apps.v1.ReplicaSet",
        "replicasets",
        short="rs",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=rules.replica_set,
        validate_update=rules.same_selector,
        validate_status=rules.status(
            "readyReplicas", ("fullyLabeledReplicas", "readyReplicas", "availableReplicas")
        ),
        warnings=template(),
    ),
    row(
        "apps.v1.StatefulSet",
        "statefulsets",
        short="sts",
        name_rule="label",
        categories=ALL,
        subresources=STATUS_AND_SCALE,
        generation="spec",
        validate=rules.stateful_set,
        validate_update=rules.stateful_change,
        validate_status=rules.status(
            "status.readyReplicas",
            ("readyReplicas", "currentReplicas", "updatedReplicas", "availableReplicas"),
        ),
        warnings=template(),
    ),
    row(
        "batch.v1.CronJob",
        "cronjobs",
        short="cj",
        categories=ALL,
        subresources=STATUS,
        generation="spec",
        validate=job_rules.cron,
    ),
    row(
        "batch.v1.Job",
        "jobs",
        prepare=chain(wiped("batch.v1.Job"), jobs.select_by_uid),
        from_stored=labelled,
        selectable={"status.successful": jobs.succeeded},
        validate=job_rules.judged,
        validate_update=job_rules.changed,
        warnings=template("Pod names and hostnames"),
        validate_status=jobstatus.judged,
        categories=ALL,
        subresources=STATUS,
        generation="spec",
        default_propagation="Orphan",
        delete_warning=ORPHAN_WARNING,
    ),
)
