"""Stamps from a report: where its scenarios ran; `provenance record` writes them to a file."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...autoscalers.release import OURS
from ...base.errors import UsageError
from ...base.json_types import Json
from ...catalogue.inventory import inventory
from ...catalogue.provenance import FAKE, Provenance, Stamp

PLACES: Mapping[str, str] = {"fake": FAKE, "envtest": "kube-apiserver", "kind": "kind"}
"""The server of each backend; an existing cluster may have any."""
_SEEN = ("passed", "failed")
_REAL, _PROGRAMS = "upstream", "envtest"


def stamps(report: Json) -> Provenance:
    """Return the stamps of a report. Raises UsageError for a report without its environment."""
    with_results = [scenario for scenario in report["scenarios"] if scenario["outcome"] in _SEEN]
    stamped = {
        judged: _common_fields(report, of_autoscaler=judged)
        for judged in {_judges_autoscaler(scenario) for scenario in with_results}
    }
    return {
        scenario["id"]: {
            place_name: Stamp(**{**fields, "revision": scenario["revision"], "outcome": scenario["outcome"]})
            for place_name, fields in stamped[_judges_autoscaler(scenario)].items()
        }
        for scenario in with_results
    }


def _judges_autoscaler(scenario: Json) -> bool:
    scenario_record = inventory().get(scenario["id"])
    return scenario_record is not None and scenario_record.profile.judges_autoscaler


def _common_fields(report: Json, *, of_autoscaler: bool) -> Mapping[str, Mapping[str, Any]]:
    """Return by place what the stamps of a report have in common."""
    environment = report["environment"]
    common = {"date": report["date"][:10], "version": environment.get("kubernetes", "")}
    if of_autoscaler:
        beside = {"dialects": " ".join(environment["dialects"]), "beside": _autoscaler_beside(environment)}
        return {place_name: {**common, **beside} for place_name in _places_of_autoscaler(environment)}
    return {place_name: {**common, **_kueue_beside(report)} for place_name in _places(environment)}


def _autoscaler_beside(environment: Json) -> str:
    autoscaler = environment["autoscaler"]
    return " ".join(filter(None, ["autoscaler", autoscaler["chosen"], autoscaler["observed"]]))


def _kueue_beside(report: Json) -> Mapping[str, Any]:
    environment = report["environment"]
    # The place names the manager; its file paths belong to one machine.
    control_plane = environment["controlPlane"]
    plane = _REAL if control_plane.partition(":")[0] == _REAL else control_plane
    judged = report["implementation"].get("controllerName", "")
    return {
        "dialects": " ".join(environment["dialects"]) if plane != "none" else "",
        "beside": "" if plane == "none" else f"{plane} and {judged}" if judged else plane,
    }


def _places_of_autoscaler(environment: Json) -> list[str]:
    """Return the place where an autoscaler was judged: the reference on a server, ours as a program, or a
    real one that is proven.
    """
    autoscaler = environment.get("autoscaler", {})
    chosen, observed = autoscaler.get("chosen", ""), autoscaler.get("observed", "")
    if chosen == "reference" and (servers := _servers(environment)):
        return servers
    program = observed.partition(" ")[0]
    if chosen == "process" and "autoscaler" in environment.get("proven", {}):
        return [observed]
    if chosen == "process" and program == OURS:
        return [OURS]
    raise UsageError(
        f"a report of autoscaler {chosen or 'none'} does not name the one that was judged: it reports {observed or 'no version'}, without proof",
        hint="record reports of --autoscaler reference, or of process:FILE with kueue-autoscaler or a cluster-autoscaler that was built from its sources",
    )


def _servers(environment: Json) -> list[str]:
    """Return the server of a backend, where it is known."""
    backend = environment["backend"]
    # envtest starts whatever programs it is given: only proven ones are a kube-apiserver.
    is_known = backend in PLACES and (backend != _PROGRAMS or "kubernetes" in environment.get("proven", {}))
    return [PLACES[backend]] if is_known else []


def _places(environment: Json) -> list[str]:
    kueue = environment.get("kueue", {}).get("observed", "")
    proven = environment.get("proven", {})
    servers = _servers(environment)
    if environment["controlPlane"].partition(":")[0] == _REAL and kueue and "kueue" in proven:
        servers.append(f"Kueue v{kueue.removeprefix('v')}")
    if not servers:
        raise UsageError(
            f"a report of backend {environment['backend']} with control plane {environment['controlPlane']} does not prove its programs: proven are {[*proven] or 'none'} of kubernetes and kueue",
            hint=f"record reports of the backends {', '.join(PLACES)} with the real programs, or of a Kueue that is proven to be real (docs/upstream.md)",
        )
    return servers
