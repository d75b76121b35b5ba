"""What a report says about where its scenarios were seen: the stamps that `provenance record` writes down."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..catalogue.provenance import FAKE, Provenance, Stamp
from ..errors import UsageError

Json: TypeAlias = Any
PLACES: Mapping[str, str] = {"fake": FAKE, "envtest": "kube-apiserver", "kind": "kind"}
"""What the server of a backend is; a cluster of somebody's may be anything."""
_SEEN = ("passed", "failed")
_REAL, _PROGRAMS = "upstream", "envtest"


def stamps(report: Json) -> Provenance:
    """Return the stamps of a report. Raises UsageError for one that does not say on what it ran."""
    places = {name: _stamp(report) for name in _places(report["environment"])}
    return {
        one["id"]: {place: Stamp(**{**said, "revision": one["revision"], "outcome": one["outcome"]}) for place, said in places.items()}
        for one in report["scenarios"]
        if one["outcome"] in _SEEN
    }  # fmt: skip


def _stamp(report: Json) -> Mapping[str, Any]:
    environment = report["environment"]
    # Which manager it was is the place; its files are those of one machine.
    said = environment["controlPlane"]
    plane = _REAL if said.partition(":")[0] == _REAL else said
    judged = report["implementation"].get("controllerName", "")
    return {
        "date": report["date"][:10],
        "dialects": " ".join(environment["dialects"]) if plane != "none" else "",
        "beside": "" if plane == "none" else f"{plane} and {judged}" if judged else plane,
        "version": environment.get("kubernetes", ""),
    }


def _places(environment: Json) -> list[str]:
    kueue = environment.get("kueue", {}).get("observed", "")
    proven = environment.get("proven", {})
    found = [PLACES[environment["backend"]]] if environment["backend"] in PLACES else []
    if environment["backend"] == _PROGRAMS and "kubernetes" not in proven:
        found = []
    if environment["controlPlane"].partition(":")[0] == _REAL and kueue and "kueue" in proven:
        found.append(f"Kueue v{kueue.removeprefix('v')}")
    if not found:
        raise UsageError(
            f"a report of backend {environment['backend']} with control plane {environment['controlPlane']} does not tell what was seen there: proven are {[*proven] or 'none'} of kubernetes and kueue",
            hint=f"record reports of the backends {', '.join(PLACES)} with the real programs, or of a Kueue that is proven to be real (docs/upstream.md)",
        )
    return found
