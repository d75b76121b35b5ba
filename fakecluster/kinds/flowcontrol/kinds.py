"""The kinds of `flowcontrol.apiserver.k8s.io`: rows, defaults, columns (FK-501)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ...api.kind import Column, Kind
from ...base.lazy_modules import LazyModule
from ...codec.cells import AGE, NONE, column, condition, member
from ..default_rules import Defaulter, constants, where_empty
from ..row import STATUS, row

if TYPE_CHECKING:
    from . import validation
else:
    validation = LazyModule(".validation", __package__)


def _queuing(name: str) -> Column:
    read = member("spec", "limited", "limitResponse", "queuing", name, default=NONE)
    return column(name[:1].upper() + name[1:], read)


FLOW_SCHEMA = (
    column("PriorityLevel", member("spec", "priorityLevelConfiguration", "name")),
    column("MatchingPrecedence", member("spec", "matchingPrecedence")),
    column("DistinguisherMethod", member("spec", "distinguisherMethod", "type", default=NONE)),
    AGE,
    column("MissingPL", lambda obj: condition(obj, "Dangling").get("status", "?")),
)
PRIORITY_LEVEL = (
    column("Type", member("spec", "type")),
    column("NominalConcurrencyShares", member("spec", "limited", "nominalConcurrencyShares", default=NONE)),
    _queuing("queues"),
    _queuing("handSize"),
    _queuing("queueLengthLimit"),
    AGE,
)
DEFAULTS: Mapping[str, Defaulter] = {
    "flowcontrol.v1.ExemptPriorityLevelConfiguration": constants(
        nominalConcurrencyShares=0, lendablePercent=0
    ),
    "flowcontrol.v1.FlowSchemaSpec": where_empty(matchingPrecedence=1000),
    "flowcontrol.v1.LimitedPriorityLevelConfiguration": constants(
        nominalConcurrencyShares=30, lendablePercent=0
    ),
    "flowcontrol.v1.QueuingConfiguration": where_empty(queues=64, handSize=8, queueLengthLimit=50),
}
KINDS: tuple[Kind, ...] = (
    row(
        "flowcontrol.v1.FlowSchema",
        "flowschemas",
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        generation="spec",
        validate=validation.flow_schema,
        validate_status=validation.schema_status,
        columns=FLOW_SCHEMA,
    ),
    row(
        "flowcontrol.v1.PriorityLevelConfiguration",
        "prioritylevelconfigurations",
        namespaced=False,
        subresources=STATUS,
        status_resets=(("metadata",), ("spec",)),
        generation="spec",
        validate=validation.priority_level,
        validate_status=validation.schema_status,
        columns=PRIORITY_LEVEL,
    ),
)
