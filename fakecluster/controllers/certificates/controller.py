"""Approves what kubelets ask for themselves, signs what is approved, and deletes old requests (FK-495)."""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Iterable
from typing import Any

from ...api.steps import Steps
from ...base.json_types import Json
from ...base.numbers.timestamps import at, since_epoch
from ...kinds.validation import pem
from ...registry.machinery import Api
from ...store import Event, Store
from ..actor import Actor, service_account
from ..engine import Key
from ..signing_keys import SigningKeys
from .signers import KUBELET_CLIENT, SIGNERS, CertificateSubject, kubelet_client_problem, subject_of

REQUESTS = ("certificates.k8s.io", "certificatesigningrequests")
API_VERSION, KIND = "certificates.k8s.io/v1", "CertificateSigningRequest"
HOUR_SECONDS, DAY_SECONDS = 3600.0, 24 * 3600.0
APPROVAL_MESSAGE = "Auto approving {}kubelet client certificate after SubjectAccessReview."


class CertificateController:
    """Approver, signer and cleaner; without the authority's key nothing is signed."""

    resources = (REQUESTS,)

    def __init__(self, api: Api, keys: SigningKeys) -> None:
        self._api = api
        self._keys = keys
        self._actor = Actor(api, service_account("certificate-controller"), "kube-controller-manager")

    def initial(self, store: Store) -> Iterable[Key]:
        """Return every request."""
        return [stored.name for stored in store.list(REQUESTS)]

    def keys(self, event: Event) -> Iterable[Key]:
        """Return the request of an event."""
        return (event.after.name,) if event.type != "DELETED" else ()

    def work(self, key: Key) -> Steps[float | None]:
        """Bring one request a step further, or say when it has to go."""
        stored, row = self._api.store.get(REQUESTS, (key[0], key[1])), self._actor.kind(API_VERSION, KIND)
        if stored is None or row is None:
            return None
        seconds_left = deadline(stored.object) - self._api.clock.now()
        if seconds_left <= 0:
            yield from self._actor.delete(row, stored)
            return None
        types = _condition_types(stored.object)
        if not types:
            yield from self._approve(stored.object)
        elif "Approved" in types and "Failed" not in types and not stored.object["status"].get("certificate"):
            yield from self._sign(stored.object)
        return seconds_left if seconds_left != float("inf") else None

    def _approve(self, request: Json) -> Steps[None]:
        spec = request["spec"]
        if spec.get("signerName") != KUBELET_CLIENT:
            return
        subject = _subject(request)
        if kubelet_client_problem(subject, spec.get("usages") or ()):
            return
        is_self = spec.get("username") == subject.common_name
        for subresource, whose in (("selfnodeclient", "self "), ("nodeclient", "")):
            if (is_self or not whose) and (yield from self._may_ask(spec, subresource)):
                message = APPROVAL_MESSAGE.format(whose)
                yield from self._add_condition(request, "Approved", "AutoApproved", message, "approval")
                return

    def _may_ask(self, spec: Json, subresource: str) -> Steps[bool]:
        row = self._actor.kind("authorization.k8s.io/v1", "SubjectAccessReview")
        if row is None:
            return False
        attributes = {
            "group": REQUESTS[0],
            "resource": REQUESTS[1],
            "subresource": subresource,
            "verb": "create",
            "version": "*",
        }
        user = {
            "user": spec.get("username", ""),
            "uid": spec.get("uid", ""),
            "groups": spec.get("groups") or [],
        }
        review = {
            "apiVersion": "authorization.k8s.io/v1",
            "kind": "SubjectAccessReview",
            "metadata": {},
            "spec": {**user, "extra": spec.get("extra") or {}, "resourceAttributes": attributes},
        }
        answer = yield from self._actor.create(row, review)
        return bool(answer["status"].get("allowed"))

    def _sign(self, request: Json) -> Steps[None]:
        spec = request["spec"]
        check = SIGNERS.get(spec.get("signerName", ""))
        row = self._actor.kind(API_VERSION, KIND)
        if check is None or row is None:
            return
        problem = check(_subject(request), spec.get("usages") or ())
        if problem:
            yield from self._add_condition(request, "Failed", "SignerValidationFailure", problem, "status")
        elif authority := self._keys.authority:
            from .issuing import issue  # takes a while to load, and most clusters sign nothing

            lifetime = spec.get("expirationSeconds")
            certificate = issue(authority, _x509_request(request), spec.get("usages") or (), lifetime)
            status = {**(request.get("status") or {}), "certificate": b64encode(certificate).decode()}
            yield from self._actor.update_status(row, {**request, "status": status})

    def _add_condition(
        self, request: Json, kind: str, reason: str, message: str, subresource: str
    ) -> Steps[None]:
        row, status = self._actor.kind(API_VERSION, KIND), request.get("status") or {}
        if row is None:
            return
        condition = {"type": kind, "status": "True", "reason": reason, "message": message}
        if kind == "Failed":
            condition["lastUpdateTime"] = at(self._api.clock.now())
        conditions = [*(status.get("conditions") or ()), condition]
        yield from self._actor.update(
            row, {**request, "status": {**status, "conditions": conditions}}, subresource
        )


def _x509_request(request: Json) -> Any:
    return pem.signing_request(b64decode(request["spec"]["request"]))


def _subject(request: Json) -> CertificateSubject:
    return subject_of(_x509_request(request))


def _condition_types(request: Json) -> frozenset[str]:
    return frozenset(condition["type"] for condition in (request.get("status") or {}).get("conditions") or ())


def deadline(request: Json) -> float:
    """Return when a request is deleted, in seconds since the epoch."""
    conditions = (request.get("status") or {}).get("conditions") or ()
    if not conditions:
        return since_epoch(request["metadata"]["creationTimestamp"]) + DAY_SECONDS
    issued = bool((request.get("status") or {}).get("certificate"))
    waits = {
        "Denied": HOUR_SECONDS,
        "Failed": HOUR_SECONDS,
        "Approved": HOUR_SECONDS if issued else DAY_SECONDS,
    }
    return min(
        (
            since_epoch(condition["lastUpdateTime"]) + waits[condition["type"]]
            for condition in conditions
            if condition["type"] in waits
        ),
        default=float("inf"),
    )
