"""What the reference may do in a cluster: every verb that it uses,
and no other (AC-370…375, apiserver.md §2.5.3).

A row is a right: on which resources, which verbs, on which objects if not on all. `jobs/finalizers` is asked
for by clusters that check who makes an owner wait (OwnerReferencesPermissionEnforcement); `list` where a
server has no watch-list.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from ...api import kinds
from ...api.resource import Json, Resource
from ..config import WEBHOOK_SECRET
from ..webhooks.callers import CALLERS

TOKEN_REVIEWS: Final = Resource(
    group="authentication.k8s.io", version="v1", plural="tokenreviews", kind="TokenReview", namespaced=False
)
ACCESS_REVIEWS: Final = Resource(
    group="authorization.k8s.io",
    version="v1",
    plural="subjectaccessreviews",
    kind="SubjectAccessReview",
    namespaced=False,
)
FOLLOW: Final = ("list", "watch")


class Right(NamedTuple):
    """Some verbs on some resources of a group, or of named objects only."""

    resources: tuple[Resource, ...]
    verbs: tuple[str, ...]
    subresource: str = ""
    names: tuple[str, ...] = ()

    def rule(self) -> Json:
        """Return the rule of a role."""
        suffix = f"/{self.subresource}" if self.subresource else ""
        return {
            "apiGroups": list(dict.fromkeys(resource.group for resource in self.resources)),
            "resources": [f"{resource.plural}{suffix}" for resource in self.resources],
            **({"resourceNames": list(self.names)} if self.names else {}),
            "verbs": list(self.verbs),
        }


FOLLOWED: Final = (
    Right((kinds.COHORTS, kinds.LOCAL_QUEUES, kinds.WORKLOAD_PRIORITY_CLASSES), FOLLOW),
    Right((kinds.NAMESPACES, kinds.LIMIT_RANGES), FOLLOW),
    Right((kinds.PRIORITY_CLASSES,), FOLLOW),
    Right((kinds.RUNTIME_CLASSES,), FOLLOW),
    Right((kinds.DEPLOYMENTS, kinds.STATEFUL_SETS), FOLLOW),
    Right((kinds.PODS,), FOLLOW),
)
WRITTEN: Final = (
    Right((kinds.WORKLOADS,), (*FOLLOW, "create", "update", "delete")),
    Right((kinds.WORKLOADS,), ("update", "patch"), "status"),
    Right((kinds.ADMISSION_CHECKS, kinds.CLUSTER_QUEUES, kinds.RESOURCE_FLAVORS), (*FOLLOW, "update")),
    Right((kinds.CLUSTER_QUEUES, kinds.COHORTS, kinds.LOCAL_QUEUES), ("update",), "status"),
    Right((kinds.JOBS,), (*FOLLOW, "patch")),
    Right((kinds.JOBS,), ("patch",), "status"),
    Right((kinds.JOBS,), ("update",), "finalizers"),
    Right((kinds.EVENTS,), ("create", "patch")),
)
PROVISIONED: Final = (
    Right((kinds.PROVISIONING_REQUEST_CONFIGS,), FOLLOW),
    Right((kinds.ADMISSION_CHECKS,), ("update",), "status"),
    Right((kinds.PROVISIONING_REQUESTS,), (*FOLLOW, "create", "delete")),
    Right((kinds.POD_TEMPLATES,), (*FOLLOW, "create", "update")),
    Right((kinds.WORKLOADS,), ("update",), "finalizers"),
    Right((kinds.PROVISIONING_REQUESTS,), ("update",), "finalizers"),
)
"""Rights for ProvisioningRequests (PA-006)."""
JUDGED: Final = (
    Right((TOKEN_REVIEWS,), ("create",)),
    Right((ACCESS_REVIEWS,), ("create",)),
    Right((kinds.FLOW_SCHEMAS, kinds.PRIORITY_LEVELS), FOLLOW),
)
"""How the visibility server judges requests (VIS-444)."""
CERTIFIED: Final = tuple(
    Right(
        (resource,),
        ("get", "patch"),
        names=tuple(caller.name for caller in CALLERS if caller.resource == resource),
    )
    for resource in dict.fromkeys(caller.resource for caller in CALLERS)
)
"""Rights to write the webhooks' CA."""
CLUSTER_RIGHTS: Final = (*FOLLOWED, *WRITTEN, *PROVISIONED, *JUDGED)
LEADER_RIGHTS: Final = (Right((kinds.LEASES,), ("get", "create", "update")),)
SECRET_RIGHTS: Final = (
    Right((kinds.SECRETS,), ("create",)),
    Right((kinds.SECRETS,), ("get", "update"), names=(WEBHOOK_SECRET,)),
)


def rules(rights: Iterable[Right]) -> list[Json]:
    """Return the rules of a role."""
    return [right.rule() for right in rights]
