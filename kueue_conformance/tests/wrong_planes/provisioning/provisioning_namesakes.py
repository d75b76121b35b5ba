"""Wrong about names in provisioning: of another namespace, and those that begin alike (PA-007, PA-048)."""

import re
from dataclasses import replace

from reference_impl.api.resource import key_of
from reference_impl.kueue.provisioning import names
from reference_impl.kueue.provisioning.controller import CheckReconciler
from reference_impl.kueue.provisioning.names import Naming
from reference_impl.kueue.provisioning.request import Request

from ...killing.planes import instead, wrong


def _objects(cache):
    """Return what a cache has of all namespaces, the oldest first."""
    written = {**{key_of(item): item for item in cache._store}, **cache._written}
    return sorted(written.values(), key=lambda item: int(item["metadata"]["resourceVersion"]))


def _find(objects, name):
    return next((item for item in objects if item["metadata"]["name"] == name), None)


@wrong((CheckReconciler, "_snapshot"))
def takes_requests_of_any_namespace(right, self, workload):
    """Breaks PA-007: goes by the request of a Workload's name, wherever it is;
    PRC-003[workload-namesakes] must catch it.
    """
    requests = tuple(
        Request(item)
        for item in _objects(self.caches.requests)
        if any(owner["name"] == workload.name for owner in item["metadata"].get("ownerReferences") or ())
    )
    return replace(right(self, workload), requests=requests)


@wrong((CheckReconciler, "_snapshot"))
def takes_templates_of_any_namespace(right, self, workload):
    """Breaks PA-068: uses a PodTemplate of the right name of another namespace;
    PRC-060[namesakes] must catch it.
    """
    return replace(right(self, workload), template=lambda name: _find(_objects(self.caches.templates), name))


@wrong((Naming, "attempt"))
def knows_a_check_by_the_beginning_of_its_name(_, self, name, workload, check):
    """Breaks PA-048: a request for another check whose name begins alike counts; PRC-058 must catch it."""
    ending = re.fullmatch(re.escape(f"{workload}-{check}") + r".*?(\d+)", name)
    return int(ending[1]) if ending else None


@wrong((Naming, "attempt"))
def splits_names_at_the_last_dash(right, self, name, workload, check):
    """Breaks PA-048: any request whose name has that of the check in it counts;
    PRC-058 must catch it.
    """
    start, _, number = name.rpartition("-")
    return int(number) if number.isdigit() and check in start else right(self, name, workload, check)


instead(
    names,
    "ENDING",
    re.compile(r"[0-9]"),
    "Breaks PA-045: attempts of two digits are not known; PRC-059 must catch it.",
    called="counts_attempts_to_nine",
)
