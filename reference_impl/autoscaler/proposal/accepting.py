"""Accepts requests by their ProvisioningClasses at the start of a loop (PR-271…274)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from reference_impl.api.resource import Key
from reference_impl.runtime.store import Store

from ..requests.request import ACCEPTED, ProvisioningRequest
from ..requests.request_cache import RequestCache
from .classes import judge
from .requests import FIELDS, is_answered


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptanceController:
    """Judges every request that waits for an answer."""

    requests: RequestCache
    is_class_required: bool
    """Whether a request needs a class that is there."""
    classes: Store
    namespaces: Store

    async def accept(self) -> None:
        """Write that requests are accepted, or why they are not."""
        waiting = [request for request in self.requests.all() if not is_answered(request)]
        pending = Counter(_group(request) for request in waiting if request.is_true(ACCEPTED))
        for request in waiting:
            namespace = self.namespaces.get(Key("", request.key.namespace))
            labels = (namespace or {}).get("metadata", {}).get("labels") or {}
            provisioning_class = self.classes.get(Key("", _class_of(request)))
            judged = judge(
                request, provisioning_class, labels, pending[_group(request)], enforced=self.is_class_required
            )
            if judged is None:
                continue
            await self.requests.put_status(request, judged.condition, details=judged.details)
            pending[_group(request)] += judged.condition.type == ACCEPTED and judged.condition.status


def _group(request: ProvisioningRequest) -> tuple[str, str]:
    return request.key.namespace, _class_of(request)


def _class_of(request: ProvisioningRequest) -> str:
    return str(request.object["spec"][FIELDS.class_name])
