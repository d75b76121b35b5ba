"""Steps of the real server's storage that need the store or the user of a write; no flag disables them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...api.admission import Review
from ...api.context import Context
from ...base.json_types import Json
from ...base.lazy_modules import LazyModule
from ...meta.metadata import timestamp
from .plugin import PODS, Plugin

if TYPE_CHECKING:
    from ...kinds.core.pod import app_armor
    from ...kinds.core.service import allocation
    from ...kinds.resource import taints
else:
    allocation = LazyModule("...kinds.core.service.allocation", __package__)
    app_armor = LazyModule("...kinds.core.pod.app_armor", __package__)
    taints = LazyModule("...kinds.resource.taints", __package__)

REQUESTER_FIELDS = ("username", "uid", "groups", "extra")


def name_requester(api: Context, review: Review, request: Json) -> Json:
    """Return a CertificateSigningRequest that says who made it; an update keeps it (FK-495)."""
    del api
    if review.operation != "CREATE":
        # The spec of a request never changes, so that the requester stays known.
        return {**request, "spec": review.old["spec"]}
    user = review.user
    # What a client says about the requester is dropped, not refused.
    own = {name: value for name, value in request.get("spec", {}).items() if name not in REQUESTER_FIELDS}
    requester = {
        "username": user.name,
        "uid": user.uid,
        "groups": list(user.groups),
        "extra": {key: list(values) for key, values in user.extra.items()},
    }
    return {**request, "spec": {**own, **{name: value for name, value in requester.items() if value}}}


def check_service_addresses(api: Context, review: Review) -> None:
    """Check that what a Service asks for is not taken (FK-498). Raises 422."""
    allocation.check_free(api.store, review)


def read_app_armor(api: Context, review: Review, pod: Json) -> Json:
    """Return a new pod whose containers have the AppArmor profiles that annotations name (FK-496)."""
    del api
    return app_armor.copy_to_fields(pod, review.trace.warn) if review.operation == "CREATE" else pod


def time_taints(api: Context, review: Review, resource_slice: Json) -> Json:
    """Return a ResourceSlice whose taints say since when they are there (FK-504)."""
    del review
    return taints.with_times(resource_slice, timestamp(api.clock.now()))


PLUGIN = Plugin(
    mutates={
        ("certificates.k8s.io", "certificatesigningrequests", ""): name_requester,
        PODS: read_app_armor,
        ("resource.k8s.io", "resourceslices", ""): time_taints,
    },
    validates={("", "services", ""): check_service_addresses},
)
