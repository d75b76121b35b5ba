"""What limits the requests for pending Workloads in a cluster that wants it: Kueue's own objects, not
installed by default (VIS-601…603).
"""

from __future__ import annotations

from ...api.kinds import FLOW_SCHEMAS, PRIORITY_LEVELS
from ...api.resource import Json, Resource
from ..visibility.attributes import GROUP
from ..visibility.rules import LEVEL, VisibilityRules
from .site import make_object

EVERY = "*"


def throttling(release: VisibilityRules) -> tuple[tuple[Resource, Json], ...]:
    """Return the priority level and the FlowSchema of a release, which need not fit together (VIS-612);
    nothing where it has none.
    """
    if not release.priority_level:
        return ()
    rules = [
        {"resourceRules": [_requests()], "subjects": [_group("unauthenticated"), _group("authenticated")]}
    ]
    schema = {
        "matchingPrecedence": 9000,
        "priorityLevelConfiguration": {"name": release.priority_level},
        "distinguisherMethod": {"type": "ByUser"},
        "rules": rules,
    }
    return (
        (PRIORITY_LEVELS, make_object(PRIORITY_LEVELS, LEVEL, spec=_level())),
        (FLOW_SCHEMAS, make_object(FLOW_SCHEMAS, LEVEL, spec=schema)),
    )


def _level() -> Json:
    queuing = {"queues": 16, "handSize": 4, "queueLengthLimit": 50}
    return {
        "type": "Limited",
        "limited": {
            "nominalConcurrencyShares": 10,
            "lendablePercent": 90,
            "limitResponse": {"type": "Queue", "queuing": queuing},
        },
    }


def _requests() -> Json:
    return {
        "apiGroups": [GROUP],
        "resources": [EVERY],
        "verbs": [EVERY],
        "namespaces": [EVERY],
        "clusterScope": True,
    }


def _group(name: str) -> Json:
    return {"kind": "Group", "group": {"name": f"system:{name}"}}
