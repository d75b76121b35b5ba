"""The stand-in for kubelets over HTTP (FK-481, F-14)."""

from __future__ import annotations

from typing import Any

from .asking import Asked, Refusal
from .cluster import Cluster

Json = Any
PHASES = ("Running", "Succeeded", "Failed")


def pod(cluster: Cluster, asked: Asked) -> Json:
    """Let a pod reach {"phase": "Running"|"Succeeded"|"Failed", "exitCode": N}."""
    phase = asked.field("phase", str, default="")
    if phase not in PHASES:
        raise Refusal(400, f"phase is {phase!r}: expected one of {', '.join(PHASES)}")
    code = asked.field("exitCode", int, default=1 if phase == "Failed" else 0)
    where = asked.parts["namespace"], asked.parts["name"]
    try:
        pods = cluster.pods
        cluster.call(lambda: pods.reach(*where, phase, code))
    except RuntimeError as error:
        raise Refusal(409, str(error)) from error
    except LookupError as error:
        raise Refusal(404, str(error)) from error
    return {"namespace": where[0], "name": where[1], "phase": phase}


TABLE = {("POST", "pods/{namespace}/{name}"): pod}
