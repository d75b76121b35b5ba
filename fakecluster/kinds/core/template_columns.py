"""Columns of kinds of the core group with a pod template (FK-420)."""

from __future__ import annotations

from ...api.kind import Column
from ...codec.cells import AGE, column, containers, member, pairs

POD_TEMPLATE = (
    *(
        Column(name=container.name, cell=container.cell)  # shown without -o wide here
        for container in containers("template")
    ),
    column("Pod Labels", lambda obj: pairs(member("template", "metadata", "labels")(obj))),
)
REPLICATION = (
    column("Desired", member("spec", "replicas", default=0), "integer"),
    column("Current", member("status", "replicas", default=0), "integer"),
    column("Ready", member("status", "readyReplicas", default=0), "integer"),
    AGE,
    *containers("spec", "template"),
    column("Selector", lambda obj: pairs(member("spec", "selector", default=None)(obj)), wide=True),
)
