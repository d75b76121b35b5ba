"""Hints for a subject that does not work, by the requests that it has sent (harness/H-03)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..history.footprint import forbidden, how_to_grant
from ..history.story import Recorder, Request
from ..wire.resource import KUEUE

if TYPE_CHECKING:
    from .declaration import Declaration

_SHOWN = 3
# Deleted meanwhile, and written meanwhile by another client.
_NOT_FOUND = 404
_EXPECTED = (_NOT_FOUND, 409)
"""Error codes that a correct controller gets from time to time."""


BOUND = "A controller that is bound to the name of one AdmissionCheck needs `checkName: NAME` in its subject file."
"""For a subject that answers for no check under another name (TP-04, TP-12)."""
MARKS_NONE = "One that marks no check Active is judged with `start: {ready: {active: false}}`."
"""For a subject that answers all the same (TP-12)."""
CHOOSY = "One that answers only Workloads with certain owners, labels or pod sets needs `workload` in it."
"""For a subject that leaves other Workloads alone (TP-03, TP-07, TP-11)."""


OLDER_RELEASE: Mapping[str, str] = MappingProxyType(
    {"v1beta1": "Kueue 0.20 does not serve v1beta1 any more: `--dialect v0.19` judges what speaks it"}
)
"""What judges a subject that speaks a version of Kueue's API which newer releases do not serve (KV-31)."""


def of_silence(declaration: Declaration) -> str:
    """Return what a subject file may lack whose subject gives no verdict; empty where it lacks neither, and
    for a job integration, which gives none.
    """
    if declaration.job_kind is not None:
        return ""
    fields = {BOUND: declaration.check_name, CHOOSY: declaration.workload_template}
    return " ".join(text for text, value in fields.items() if not value)


def how_far(recorder: Recorder, controller: str, served: Sequence[str], check_name: str = "") -> str:
    """Return why no AdmissionCheck of the subject became Active, judged by its requests; `served` are the
    versions of Kueue's API, `check_name` is the name that its subject file binds it to.
    """
    # A watch shows no requests, so nothing can be said about what the subject has asked for.
    if not recorder.knows_users:
        return "does it read KUBECONFIG, and is --controller-name the name it acts for?"
    requests = recorder.requests()
    about_checks = [request for request in requests if request.resource == "admissionchecks"]
    if not requests:
        return "it sent no request to the API server: does it use the file that KUBECONFIG names?"
    # Before the refusals: a version that is not served answers 404, which counts as expected
    # there.
    if unserved := [version for version in _versions(requests) if version not in served]:
        return _describe_unserved(unserved[0], served)
    if denied := denial(requests):
        return f"the API server refused what it did: {denied}"
    if not check_name and (name := _name_that_is_asked_for(about_checks)):
        return f"it asks for AdmissionCheck {name!r}, which is not there. {BOUND.replace('NAME', name)}"
    bound = f" {MARKS_NONE}" if check_name else f" {BOUND} {MARKS_NONE}"
    if not about_checks:
        return f"it reads no AdmissionChecks: does it list and watch kueue.x-k8s.io/v1beta2 admissionchecks?{bound}"
    if not any(request.writes for request in about_checks) and _reads_once(about_checks):
        return "it listed AdmissionChecks once, and neither watches them nor lists them again: does its watch begin, or does its client wait for an upgrade of the connection?"
    if not any(request.writes for request in about_checks):
        return f"it reads AdmissionChecks and sets no Active condition: does it act for {controller!r}, the name in KUEUE_CONFORMANCE_CONTROLLER_NAME?{bound}"
    return (
        "it writes AdmissionChecks and Active did not become True: does it write to the status subresource?"
    )


def _describe_unserved(version: str, served: Sequence[str]) -> str:
    there = f"there {'are' if len(served) > 1 else 'is'} {' and '.join(served)}"
    text = f"it speaks {KUEUE}/{version}, which is not served: {there}"
    return f"{text}. {OLDER_RELEASE[version]}" if version in OLDER_RELEASE else text


def _name_that_is_asked_for(requests: Sequence[Request]) -> str:
    """Return the name of an AdmissionCheck that the subject reads alone, and that does not exist; empty where
    there is none.
    """
    read = [request for request in requests if not request.writes]
    missing = [request.name for request in read if request.name and request.code == _NOT_FOUND]
    selected = [
        term.rpartition("=")[2]
        for request in read
        for term in request.query.get("fieldSelector", "").split(",")
        if term.startswith("metadata.name=")
    ]
    return next(iter([*missing, *selected]), "")


def _reads_once(requests: Sequence[Request]) -> bool:
    """Tell whether a resource was read, and what became of it since was not."""
    return [request.verb for request in requests] in (["list"], ["get"])


def _versions(requests: Sequence[Request]) -> Sequence[str]:
    """Return the versions of Kueue's API that were asked for."""
    return list(
        dict.fromkeys(request.version for request in requests if request.group == KUEUE and request.version)
    )


def denial(requests: Sequence[Request]) -> str:
    """Return the first requests that were refused, each with what the server said, and the rights that were
    missing; empty for none.
    """
    return "; ".join(refusals(requests))


def refusals(requests: Sequence[Request]) -> list[str]:
    """Return the first refused requests, each once with what the server said, and how the subject gets the
    rights that it lacked; none where nothing was refused.
    """
    refused = Counter(
        f"{request}: {request.message}"
        for request in requests
        if request.is_refused and request.code not in _EXPECTED
    )
    lines = [f"{line} ({amount} times)" if amount > 1 else line for line, amount in refused.items()]
    rest = [f"and {len(lines) - _SHOWN} others"] if len(lines) > _SHOWN else []
    lacked = forbidden(requests)
    return [*lines[:_SHOWN], *rest, *([how_to_grant(lacked)] if lacked else [])]
