"""What is allowed of provisioning checks, of ProvisioningRequests, and of their PodTemplates (pure)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from ....base.json_types import Json
from ....stage.workloads.view import WorkloadView
from ..pods import is_whole_enough
from ..state import Contradiction, State, active_of, is_deleted
from .provisioning_case import (
    ProvisioningCase,
    all_requests,
    attempt_of,
    is_provisioning,
    owns,
    requests_of,
)
from .provisioning_verdicts import failures, verdicts

_LONGEST_NAME = 247
"""Longer names end with a hash (PA-047), and are not modelled."""
_REFUSED = "Error creating "
_PARAMETERS = "provreq.kueue.x-k8s.io/"
"""The beginning of annotations that add a parameter to the requests of a Workload (PA-059, PA-060)."""


def provisioning(state: State) -> Iterator[Contradiction]:
    """Yield checks, requests and templates of Kueue's provisioning check that are not as they must be."""
    if not state.holds("0.19"):
        return
    yield from _active(state)
    for workload in state.snapshot.workloads():
        for case in _cases(state, workload):
            for statement, find in _STATEMENTS.items():
                for expected, observed in find(case):
                    yield Contradiction(
                        statement=f"provisioning-{statement}",
                        name=f"Workload {workload.object['metadata']['name']}, check {case.check}",
                        expected=expected,
                        observed=observed,
                    )


def _active(state: State) -> Iterator[Contradiction]:
    """A check is Active as long as its configuration is there (PA-020, PA-025)."""
    for name, check in sorted(state.snapshot.objects["AdmissionCheck"].items()):
        if not is_provisioning(check) or is_deleted(check):
            continue
        is_there = bool(_config_of(state, check))
        expected = ("True", "Active") if is_there else ("False", "BadParametersRef")
        condition = active_of(check)
        observed = condition.get("status"), condition.get("reason")
        if observed != expected:
            yield Contradiction(
                statement="provisioning-active",
                name=f"AdmissionCheck {name}",
                expected=f"Active is {expected}",
                observed=f"it is {observed}",
            )


def _config_of(state: State, check: Json) -> Json:
    parameters = check["spec"].get("parameters") or {}
    return state.snapshot.get("ProvisioningRequestConfig", parameters.get("name", ""))


def _cases(state: State, workload: WorkloadView) -> Iterator[ProvisioningCase]:
    """Yield the cases that are modelled: of what is not being deleted, with names that are not shortened, and
    with pods that the API server takes.
    """
    # Where several checks cannot make what pods need, Kueue's write of their entries is refused as well.
    pod_sets = workload.object["spec"]["podSets"]
    if not all(is_whole_enough(pod_set["template"]["spec"]) for pod_set in pod_sets):
        return
    name = workload.object["metadata"]["name"]
    if any(not owns(workload, request) for request in all_requests(state, workload)):
        return  # those of a former Workload of its name are there until they are collected
    stored = {check: state.snapshot.get("AdmissionCheck", check) for check in workload.checks}
    cases = [
        ProvisioningCase(
            state,
            workload,
            check,
            _config_of(state, stored[check]),
            sorted(requests_of(state.snapshot, name, check), key=attempt_of, reverse=True),
        )
        for check in workload.checks
        if is_provisioning(stored[check])
    ]
    # As long as one has no request, no entry of the Workload is written (PA-072).
    is_stalled = any(case.config and case.pod_sets and not case.requests for case in cases)
    for case in cases:
        is_short = len(name) + len(case.check) + 5 <= _LONGEST_NAME
        if is_short and not is_deleted(stored[case.check]):
            yield replace(case, is_stalled=is_stalled)


def _existence(case: ProvisioningCase) -> Iterator[tuple[str, str]]:
    """What waits for capacity has one request; what has ended, or needs none, has none (PA-032…PA-045)."""
    names = [request["metadata"]["name"] for request in case.requests]
    workload, state = case.workload, case.entry.get("state")
    has_ended = workload.is_true("Finished") or workload.is_true("Evicted")
    # What has lost its quota without an eviction keeps what it had (PA-031).
    if has_ended or (not case.config and workload.is_true("QuotaReserved")):
        if names:
            yield "it has no request: it has ended, was evicted, or no configuration is there", f"{names}"
        return
    if not case.config:
        return
    if not workload.is_true("QuotaReserved") or state in ("Retry", "Rejected"):
        return
    if not case.pod_sets:
        if names:
            yield "it has no request: no capacity is needed (PA-043)", f"{names}"
    elif case.entry.get("message", "").startswith(_REFUSED):
        return  # the API server refuses what the pods make of it (PA-122, PA-123)
    # With another state a request that was deleted is not made again.
    elif state == "Pending" and len(names) != 1:
        yield "it has one request (PA-036, PA-055)", f"{names}"
    elif state == "Pending" and attempt_of(case.request) <= case.entry.get("retryCount", 0):
        count = case.entry.get("retryCount", 0)
        yield f"the request is of an attempt behind {count} (PA-055, PA-115)", f"{names}"


def _content(case: ProvisioningCase) -> Iterator[tuple[str, str]]:
    """A request has the class and parameters of the configuration, and the pod sets that need capacity
    (PA-058, PA-059, PA-062).
    """
    # Without quota, and with another state, a request stays as it was made.
    is_open = case.workload.is_true("QuotaReserved") and case.entry.get("state") == "Pending"
    if not case.request or not case.config or not is_open:
        return
    spec, metadata, expected = case.request["spec"], case.request["metadata"], case.config["spec"]
    parameters = {**(expected.get("parameters") or {}), **_own_parameters(case)}
    observed = {key: (spec.get("parameters") or {}).get(key) for key in parameters}
    pod_sets = [(f"ppt-{metadata['name']}-{merged.pod_set['name']}", merged.count) for merged in case.merged]
    values: Mapping[str, tuple[object, object]] = {
        "class": (expected["provisioningClassName"], spec.get("provisioningClassName")),
        "parameters": (parameters, observed),
        "owner": (
            [("Workload", case.workload.object["metadata"]["name"], True)],
            [
                (owner["kind"], owner["name"], owner.get("controller"))
                for owner in metadata.get("ownerReferences", ())
            ],
        ),
        "label": ("true", metadata.get("labels", {}).get("kueue.x-k8s.io/managed")),
    }
    if _is_new(case) and not case.is_merging_open:
        shown = [(item["podTemplateRef"]["name"], item["count"]) for item in spec["podSets"]]
        values = {**values, "pod sets": (pod_sets, shown)}
    for field, (right, shown_value) in values.items():
        if right != shown_value:
            yield f"the {field} of its request is {right} (PA-058, PA-059, PA-062)", f"it is {shown_value}"


def _own_parameters(case: ProvisioningCase) -> Mapping[str, str]:
    """Return the parameters that users ask for, by annotations of a Workload or its Job, of a new request."""
    submitted = [case.workload.object, *case.state.jobs_of(case.workload)] if _is_new(case) else []
    return {
        key.removeprefix(_PARAMETERS): value
        for stored in submitted
        for key, value in (stored.get("metadata", {}).get("annotations") or {}).items()
        if key.startswith(_PARAMETERS)
    }


def _is_new(case: ProvisioningCase) -> bool:
    """Tell whether the request was made since the rest before: later nothing of its pods follows."""
    name = case.request["metadata"]["name"]
    return not case.state.before.get("ProvisioningRequest", name) and case.state.acts <= 1


def _templates(case: ProvisioningCase) -> Iterator[tuple[str, str]]:
    """A template has the pods of its pod set, and what their flavors add (PA-065, PA-066)."""
    if not case.request or not _is_new(case) or not case.config or case.is_merging_open:
        return
    assignments = {
        item["name"]: dict.fromkeys(item.get("flavors", {}).values())
        for item in (case.workload.admission or {}).get("podSetAssignments", ())
    }
    for pod_set in (merged.pod_set for merged in case.merged):
        name = f"ppt-{case.request['metadata']['name']}-{pod_set['name']}"
        template = case.state.snapshot.get("PodTemplate", name)
        if not template:
            yield f"the PodTemplate {name} is there (PA-057)", "it is not"
            continue
        # That of a former Workload of the same name is used again until it is collected.
        if case.state.before.get("PodTemplate", name):
            continue
        flavors = [
            case.state.snapshot.get("ResourceFlavor", flavor).get("spec") or {}
            for flavor in assignments.get(pod_set["name"], ())
        ]
        expected = _pods(pod_set["template"]["spec"], flavors)
        observed = _pods(template["template"]["spec"], ())
        for field, value in expected.items():
            # Of flavors with other values of one label, which value pods get is open.
            if observed[field] != value and not (field == "node selector" and _disagree(flavors)):
                yield f"{field} of its PodTemplate is {value} (PA-065)", f"it is {observed[field]}"


def _disagree(flavors: Sequence[Json]) -> bool:
    """Tell whether flavors have other values of one label."""
    pairs = {pair for flavor in flavors for pair in (flavor.get("nodeLabels") or {}).items()}
    return len(pairs) > len({key for key, _ in pairs})


def _pods(spec: Json, flavors: Sequence[Json]) -> Mapping[str, object]:
    """Return what counts of pods, with what flavors add."""
    selector, tolerations = dict(spec.get("nodeSelector") or {}), list(spec.get("tolerations") or ())
    for flavor in flavors:
        selector |= flavor.get("nodeLabels") or {}
        tolerations += flavor.get("tolerations") or ()
    return {
        "node selector": selector,
        "tolerations": sorted({json.dumps(item, sort_keys=True) for item in tolerations}),
        "requests": [_amounts(container) for container in spec["containers"]],
        "initial requests": [_amounts(container) for container in spec.get("initContainers") or ()],
    }


def _amounts(container: Json) -> Mapping[str, object]:
    resources = container.get("resources") or {}
    return {**resources.get("limits", {}), **resources.get("requests", {})}


_STATEMENTS: Mapping[str, Callable[[ProvisioningCase], Iterator[tuple[str, str]]]] = {
    "requests": _existence,
    "content": _content,
    "templates": _templates,
    "verdicts": verdicts,
    "failures": failures,
}
"""The statements about a Workload and one of its checks, by name."""
