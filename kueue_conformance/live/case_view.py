"""What a running case looks like, as JSON: its objects, its queues, who watches what, and its timeline."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..base.json_types import Json
from ..case.context import CaseContext
from ..history.present_objects import ObjectKey, present_objects
from ..history.story import Change, Request
from ..history.story_lines import summary
from ..rules.workload import is_active, is_true, priority, queue_order, queued_since
from ..states import entries_of, state_of

_MOST_LINES = 60
_MOST_OBJECTS = 80
_EVENT = "Event"
"""Events are lines of the timeline, and no state."""


def case_view(context: CaseContext) -> dict[str, Any]:
    """Return the present state of a case."""
    recorder, ours = context.cluster.recorder, context.client.owns
    changes = [change for change in recorder.changes() if ours(change.kind, change.namespace, change.name)]
    present = present_objects(changes)
    return {
        "scenario": context.scenario,
        "title": context.about.title,
        "dialect": context.dialect.name,
        "awaited": _current_wait(context),
        "objects": [_object(key, document) for key, document in present.items() if key[0] != _EVENT][
            -_MOST_OBJECTS:
        ],
        "queues": queues(present),
        "watches": watches(recorder.requests()),
        "timeline": timeline(changes),
    }


def timeline(changes: Sequence[Change]) -> list[dict[str, Any]]:
    """Return the newest changes, one line each, with seconds since the first change of the case."""
    start = changes[0].at if changes else 0.0
    return [
        {
            "at": round(change.at - start, 3),
            "revision": change.revision,
            "actor": change.actor,
            "object": f"{change.kind} {change.name}",
            "what": summary(change),
        }
        for change in changes[-_MOST_LINES:]
    ]


def watches(requests: Iterable[Request]) -> list[dict[str, Any]]:
    """Return for each client how often it has begun to watch which resource."""
    by_client: dict[str, Counter[str]] = {}
    for request in requests:
        if request.verb == "watch":
            by_client.setdefault(_client(request), Counter())[request.resource] += 1
    return [
        {"client": client, "resources": dict(sorted(resources.items()))}
        for client, resources in sorted(by_client.items())
    ]


def _client(request: Request) -> str:
    return request.agent.partition(" ")[0] or request.user


def _object(key: ObjectKey, document: Json) -> dict[str, Any]:
    kind, namespace, name = key
    return {"kind": kind, "namespace": namespace, "name": name, "state": _state(kind, document)}


def _state(kind: str, document: Json) -> str:
    """Return the state of a Workload with its checks, whether a job is suspended, else the conditions."""
    if kind == "Workload":
        entries = ", ".join(f"{check} {state}" for check, state in entries_of(document).items())
        return f"{state_of(document)} ({entries})" if entries else str(state_of(document))
    conditions = ", ".join(
        f"{condition['type']}={condition['status']}"
        for condition in (document.get("status") or {}).get("conditions") or ()
    )
    suspended = (document.get("spec") or {}).get("suspend")
    words = [] if suspended is None else ["suspended" if suspended else "not suspended"]
    return ", ".join(filter(None, [*words, conditions]))


def _current_wait(context: CaseContext) -> dict[str, str] | None:
    """Return what the scenario waits for, None where it does not wait."""
    if context.awaited is None:
        return None
    clause, fact, how_long = context.awaited
    return {"clause": clause, "expected": fact.expected, "observed": fact.observed, "within": how_long}


def queues(objects: Mapping[ObjectKey, Json]) -> list[dict[str, Any]]:
    """Return each ClusterQueue with the names of the Workloads that hold its quota, and the pending ones with
    position, priority and time.
    """
    cluster_queues = {
        (namespace, name): document["spec"].get("clusterQueue", "")
        for (kind, namespace, name), document in objects.items()
        if kind == "LocalQueue"
    }
    names = [name for kind, _, name in objects if kind == "ClusterQueue"]
    workloads = [document for (kind, _, _), document in objects.items() if kind == "Workload"]
    by_queue: dict[str, list[Json]] = {name: [] for name in names}
    for workload in workloads:
        local = workload["metadata"].get("namespace", ""), workload["spec"].get("queueName", "")
        if (name := cluster_queues.get(local, "")) in by_queue and not is_true(workload, "Finished"):
            by_queue[name].append(workload)
    return [{"name": name, **_members(members)} for name, members in by_queue.items()]


def _members(workloads: list[Json]) -> dict[str, Any]:
    # A Workload without quota that is deactivated is in no queue.
    waiting = [
        workload for workload in workloads if not is_true(workload, "QuotaReserved") and is_active(workload)
    ]
    return {
        "reserving": [_name(workload) for workload in workloads if is_true(workload, "QuotaReserved")],
        "pending": [
            {
                "position": position,
                "workload": _name(workload),
                "priority": priority(workload),
                "since": queued_since(workload),
            }
            for position, workload in enumerate(sorted(waiting, key=queue_order))
        ],
    }


def _name(workload: Json) -> str:
    return str(workload["metadata"]["name"])
