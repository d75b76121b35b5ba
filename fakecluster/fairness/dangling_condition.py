"""Tells each FlowSchema whether the priority level that it names exists (FK-520)."""

from __future__ import annotations

from collections.abc import Callable

from ..api.registry import Registry
from ..base.json_types import Json
from ..meta.metadata import timestamp
from ..patch.managed_fields.apply import apply
from ..store import Event, Store, Stored
from .fairness import GROUP, LEVELS, SCHEMAS

MANAGER = "api-priority-and-fairness-config-consumer-v1"
ABOUT = 'This FlowSchema references the PriorityLevelConfiguration object named "{}" '


class DanglingCondition:
    """Follows the store and keeps the condition of every FlowSchema."""

    def __init__(self, store: Store, registry: Registry, current_time: Callable[[], float]) -> None:
        self._store = store
        self._registry = registry
        self._current_time = current_time

    def start(self) -> None:
        """Follow the store from now on."""
        self._store.subscribe(self.follow, self._judge_all, (SCHEMAS, LEVELS))

    def follow(self, event: Event) -> None:
        """React to a schema that changed, or to a level that came or went."""
        if event.resource == SCHEMAS and event.type != "DELETED":
            self._judge(event.after)
        elif event.resource == LEVELS and event.type != "MODIFIED":
            self._judge_all()

    def _judge_all(self) -> None:
        for schema in self._store.list(SCHEMAS):
            self._judge(schema)

    def _judge(self, schema: Stored) -> None:
        current = self._store.get(SCHEMAS, schema.name)
        kind = self._registry.find(GROUP, "v1", "flowschemas")
        if current is None or kind is None or current.object["metadata"].get("deletionTimestamp"):
            return
        current_time = timestamp(self._current_time())
        condition = self._condition(current.object)
        # Without this every event of our own write would make another write.
        if _has_condition(current.object, condition):
            return
        body = {
            "apiVersion": kind.api_version,
            "kind": kind.kind,
            "metadata": {"name": current.name[1]},
            "status": {"conditions": [{**condition, "lastTransitionTime": current_time}]},
        }
        new = apply(
            current.object,
            body,
            kind.schema.structural,
            manager=MANAGER,
            api_version=kind.api_version,
            subresource="status",
            # The real controller applies with force, so that a user's status does not stay.
            force=True,
            current_time=current_time,
        )
        self._store.commit(SCHEMAS, current.name, new, expected=current)

    def _condition(self, schema: Json) -> Json:
        name = schema["spec"]["priorityLevelConfiguration"]["name"]
        level_exists = self._store.get(LEVELS, ("", name)) is not None
        return {
            "type": "Dangling",
            "status": "False" if level_exists else "True",
            "reason": "Found" if level_exists else "NotFound",
            "message": ABOUT.format(name)
            + ("and it exists" if level_exists else "but there is no such object"),
        }


def _has_condition(schema: Json, condition: Json) -> bool:
    conditions = (schema.get("status") or {}).get("conditions") or ()
    return any(condition.items() <= present.items() for present in conditions)
