"""The type of the worked vectors of §3.7.1, and what a
server does around a patch of it: defaults and /status.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from fakecluster.base.json_types import Json
from fakecluster.patch.json import merge_patch
from fakecluster.patch.managed_fields import apply as ssa
from fakecluster.patch.managed_fields import managers, ownership
from fakecluster.patch.managed_fields.typed import FixedType

VERSION = "demo.example.com/v1"
STRING, INTEGER = FixedType("string"), FixedType("integer")


def struct(**members: FixedType) -> FixedType:
    return FixedType("object", properties=members)


def key_items(key: str, **members: FixedType) -> FixedType:
    return FixedType(
        "array",
        list_type="map",
        list_keys=(key,),
        items=struct(**members),
        merge_key=key,
        merge_strategies=("merge",),
    )


WIDGET = struct(
    spec=struct(
        size=INTEGER,
        mode=STRING,
        tags=FixedType("array", items=STRING, list_type="set"),
        ports=key_items("name", name=STRING, port=INTEGER),
        opts=FixedType("object", additional=STRING),
        blob=FixedType("object", preserve_unknown=True, map_type="atomic"),
        free=FixedType("object", preserve_unknown=True),
        list=FixedType("array", items=INTEGER),
    ),
    status=struct(conditions=key_items("type", type=STRING, status=STRING, reason=STRING)),
)
MAIN, STATUS = (("status",),), (("metadata",), ("spec",))


@dataclass(frozen=True)
class World:
    """One widget and its writers; every write gives the next world."""

    live: Json | None = None
    second: int = 0

    @property
    def _terms(self) -> dict[str, Any]:
        return {"api_version": VERSION, "current_time": f"2026-01-01T00:00:{self.second:02}Z"}

    def apply(
        self, manager: str, *, force: bool = False, metadata: Json | None = None, **body: Json
    ) -> World:
        config = self._whole(body, metadata)
        return self._next(
            ssa.apply(self.live, config, WIDGET, manager=manager, force=force, ignore=MAIN, **self._terms)
        )

    def apply_status(self, manager: str, *, force: bool = False, **body: Json) -> World:
        config, live = self._whole(body, None), self.live or {}
        applied = ssa.apply(
            live,
            config,
            WIDGET,
            manager=manager,
            subresource="status",
            force=force,
            ignore=STATUS,
            **self._terms,
        )
        updated = {**live, "metadata": applied["metadata"], "status": applied["status"]}
        return self._next(updated)

    def post(self, manager: str, **body: Json) -> World:
        return self._updated(manager, None, default(self._whole(body, None)))

    def patch(self, manager: str, **change: Json) -> World:
        return self._updated(manager, self.live, merge_patch.apply(self.live, change))

    def _updated(self, manager: str, live: Json | None, new: Json) -> World:
        return self._next(ownership.update(live, new, WIDGET, manager=manager, ignore=MAIN, **self._terms))

    def _whole(self, body: Json, metadata: Json | None) -> Json:
        return {
            "apiVersion": VERSION,
            "kind": "Widget",
            "metadata": {"name": "n", **(metadata or {})},
            **body,
        }

    def _next(self, live: Json) -> World:
        return replace(self, live=default(live), second=self.second + 1)

    @property
    def spec(self) -> Json:
        return (self.live or {}).get("spec")

    def owners(self) -> dict[str, Json]:
        """What each owner owns, by `name operation[ subresource]`."""
        return {_title(entry): entry["fieldsV1"] for entry in managers.entries_of(self.live or {})}


def _title(entry: Json) -> str:
    return " ".join(filter(None, (entry["manager"], entry["operation"], entry.get("subresource"))))


def default(widget: Json) -> Json:
    if not isinstance(widget.get("spec"), dict):
        return widget
    return {**widget, "spec": {"mode": "x", **widget["spec"]}}
