"""The columns of the kinds of `apps`, some of which Jobs share (FK-425)."""

from __future__ import annotations

from collections.abc import Callable

from ...base.json_types import Json
from ...codec.cells import AGE, NONE, column, containers, member, pairs, selector


def _controller(revision: Json) -> str:
    owners = revision["metadata"].get("ownerReferences") or ()
    controller = next((owner for owner in owners if owner.get("controller")), None)
    if controller is None:
        return NONE
    group = controller["apiVersion"].rpartition("/")[0]
    return f"{'.'.join(filter(None, (controller['kind'], group))).lower()}/{controller['name']}"


REVISION = (
    column("Controller", _controller),
    column("Revision", member("revision", default=0)),
    AGE,
)
TEMPLATE = containers("spec", "template")
SELECTOR = column("Selector", lambda obj: selector(member("spec", "selector")(obj)), wide=True)


def count(*path: str) -> Callable[[Json], Json]:
    """Return what reads a number; 0 where there is none."""
    return member(*path, default=0)


def _fraction(job: Json) -> str:
    return f"{count('status', 'readyReplicas')(job)}/{count('spec', 'replicas')(job)}"


DEPLOYMENT = (
    column("Ready", _fraction),
    column("Up-to-date", count("status", "updatedReplicas")),
    column("Available", count("status", "availableReplicas")),
    AGE,
    *TEMPLATE,
    SELECTOR,
)
REPLICA_SET = (
    column("Desired", count("spec", "replicas"), "integer"),
    column("Current", count("status", "replicas"), "integer"),
    column("Ready", count("status", "readyReplicas"), "integer"),
    AGE,
    *TEMPLATE,
    SELECTOR,
)
STATEFUL_SET = (column("Ready", _fraction), AGE, *TEMPLATE)
DAEMON_SET = (
    column("Desired", count("status", "desiredNumberScheduled"), "integer"),
    column("Current", count("status", "currentNumberScheduled"), "integer"),
    column("Ready", count("status", "numberReady"), "integer"),
    column("Up-to-date", count("status", "updatedNumberScheduled"), "integer"),
    column("Available", count("status", "numberAvailable"), "integer"),
    column("Node Selector", lambda obj: pairs(member("spec", "template", "spec", "nodeSelector")(obj))),
    AGE,
    *TEMPLATE,
    SELECTOR,
)
