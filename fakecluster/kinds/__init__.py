"""Built-in kinds: a folder or a module for each API group,
in it one for each resource (spec/apiserver.md §3.19).

CustomResourceDefinition is the row of `crds`.
"""

from __future__ import annotations

from ..api.kind import Kind
from . import apiregistration, coordination, defaulting, discovery, events, node, reviews, scheduling
from .admissionregistration import kinds as admissionregistration
from .apps import defaults as apps_defaults
from .apps import kinds as apps
from .autoscaling import defaults as autoscaling_defaults
from .autoscaling import kinds as autoscaling
from .batch import defaults as batch_defaults
from .batch import kinds as batch
from .certificates import kinds as certificates
from .core import defaults as core_defaults
from .core import kinds as core
from .core.pod import defaults as pod_defaults
from .core.service import defaults as service_defaults
from .flowcontrol import kinds as flowcontrol
from .networking import kinds as networking
from .policy import disruption_budgets
from .rbac import kinds as rbac
from .resource import kinds as resource
from .storage import kinds as storage

BUILTIN_KINDS: tuple[Kind, ...] = (
    *core.KINDS,
    *events.KINDS,
    *apps.KINDS,
    *batch.KINDS,
    *admissionregistration.KINDS,
    *apiregistration.KINDS,
    *coordination.KINDS,
    *discovery.KINDS,
    *flowcontrol.KINDS,
    *node.KINDS,
    *disruption_budgets.KINDS,
    *rbac.KINDS,
    *scheduling.KINDS,
    *reviews.KINDS,
    *resource.KINDS,
    *autoscaling.KINDS,
    *certificates.KINDS,
    *networking.KINDS,
    *storage.KINDS,
)
for group in (
    admissionregistration,
    apiregistration,
    apps_defaults,
    autoscaling_defaults,
    batch_defaults,
    coordination,
    core_defaults,
    discovery,
    flowcontrol,
    networking,
    pod_defaults,
    rbac,
    resource,
    scheduling,
    service_defaults,
    storage,
):
    defaulting.register(group.DEFAULTS)
