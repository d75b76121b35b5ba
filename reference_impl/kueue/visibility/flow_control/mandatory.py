"""The two schemas and levels that every server has, also where the cluster keeps no objects of them; those
have no uid.
"""

from __future__ import annotations

from typing import Final

from ....api.resource import Json
from .levels import PriorityLevel
from .schemas import EVERY, Schema

ANYTHING: Final[Json] = {
    "resourceRules": [
        {
            "verbs": [EVERY],
            "apiGroups": [EVERY],
            "resources": [EVERY],
            "namespaces": [EVERY],
            "clusterScope": True,
        }
    ],
    "nonResourceRules": [{"verbs": [EVERY], "nonResourceURLs": [EVERY]}],
}


def _of_groups(*groups: str) -> tuple[Json, ...]:
    return ({**ANYTHING, "subjects": [{"kind": "Group", "group": {"name": name}} for name in groups]},)


LEVELS: Final = (
    PriorityLevel(name="exempt", uid="", exempt=True),
    PriorityLevel(name="catch-all", uid="", shares=5),
)
SCHEMAS: Final = (
    Schema(
        name="exempt",
        uid="",
        precedence=1,
        level="exempt",
        distinguisher="",
        rules=_of_groups("system:masters"),
    ),
    Schema(
        name="catch-all",
        uid="",
        precedence=10_000,
        level="catch-all",
        distinguisher="ByUser",
        rules=_of_groups("system:unauthenticated", "system:authenticated"),
    ),
)
