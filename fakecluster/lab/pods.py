"""The stand-in for kubelets over HTTP (FK-481, F-14)."""

from __future__ import annotations

from ..base.json_types import Json
from .cluster import Cluster
from .routing import LabError, LabRequest, Route

HIGHEST_EXIT_CODE = 255
PHASES = ("Running", "Succeeded", "Failed")


def pod(cluster: Cluster, request: LabRequest) -> Json:
    """Let a pod reach {"phase": "Running"|"Succeeded"|"Failed", "exitCode": N}."""
    phase = request.field("phase", str, default="")
    if phase not in PHASES:
        raise LabError(400, f"phase is {phase!r}: expected one of {', '.join(PHASES)}")
    # A container that failed has another exit code than 0.
    code = request.field("exitCode", int, default=1 if phase == "Failed" else 0)
    if not 0 <= code <= HIGHEST_EXIT_CODE:
        raise LabError(400, f"exitCode is {code!r}: expected a number from 0 to {HIGHEST_EXIT_CODE}")
    where = request.parameters["namespace"], request.parameters["name"]
    try:
        cluster.pods.reach(*where, phase, code)
    except RuntimeError as error:
        raise LabError(409, str(error)) from error
    except LookupError as error:
        raise LabError(404, str(error)) from error
    return {"namespace": where[0], "name": where[1], "phase": phase}


TABLE = {("POST", "pods/{namespace}/{name}"): Route(pod, ("phase", "exitCode"))}
