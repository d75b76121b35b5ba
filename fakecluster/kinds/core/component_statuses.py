"""ComponentStatus: what became of asking the parts of the control plane whether they are well (FK-495)."""

from __future__ import annotations

from collections.abc import Mapping

from ...api import status
from ...api.kind import Column, Kind
from ...api.outcome import Outcome, Response
from ...base.json_types import Json
from ...codec.cells import column
from ...registry.action import Action, Verb
from ...registry.verbs.reads import list_options
from ...store import Stored
from ..row import row

PORTS: Mapping[str, int] = {"controller-manager": 10257, "scheduler": 10259}


def _health(component: Json) -> str:
    return {"True": "Healthy", "False": "Unhealthy"}.get(component["conditions"][0]["status"], "Unknown")


def _of_health(name: str) -> Column:
    return column(name.capitalize(), lambda component: component["conditions"][0].get(name, ""))


COMPONENT_STATUS = (column("Status", _health), _of_health("message"), _of_health("error"))
KIND: Kind = row(
    "core.v1.ComponentStatus",
    "componentstatuses",
    short="cs",
    namespaced=False,
    verbs=("get", "list"),
    deprecation="v1 ComponentStatus is deprecated in v1.19+",
    columns=COMPONENT_STATUS,
)


def show(action: Action) -> Outcome:
    """Answer a get or a list of component statuses."""
    if action.info.verb == "watch":
        raise status.failure(
            405,
            "MethodNotAllowed",
            f"watch is not supported on resources of kind {_quote_name(action)}",
            {"kind": action.kind.plural},
        )
    return _get(action) if action.name else _all(action)


def _quote_name(action: Action) -> str:
    return f'"{action.kind.plural}"'


def _get(action: Action) -> Outcome:
    component_status = next(
        (component for component in COMPONENTS if component["metadata"]["name"] == action.name), None
    )
    if component_status is None:
        about = {"name": action.name, "kind": action.kind.singular}
        raise status.failure(404, "NotFound", f'{action.kind.singular} "{action.name}" not found', about)
    return action.answer({"apiVersion": "v1", "kind": "ComponentStatus", **component_status})


def _all(action: Action) -> Outcome:
    encoder = action.encoder("list")
    options = list_options.of(action.request, action.kind, "list")
    objects = [_as_stored(component) for component in COMPONENTS if options.selection.matches(component)]
    return Response(code=200, body=encoder.list(action.kind, objects, {}), content_type=encoder.content_type)


def _as_stored(component: Json) -> Stored:
    return Stored(KIND.stored_as, ("", component["metadata"]["name"]), 0, component)


def _part(name: str, answer: str, *, well: bool) -> Json:
    healthy = {"type": "Healthy", "status": str(well), "message": answer}
    return {"metadata": {"name": name}, "conditions": [healthy]}


def _unreachable(port: int) -> str:
    return f'Get "https://127.0.0.1:{port}/healthz": dial tcp 127.0.0.1:{port}: connect: connection refused'


COMPONENTS = (
    *(_part(name, _unreachable(port), well=False) for name, port in PORTS.items()),
    _part("etcd-0", "ok", well=True),
)
VERBS: Mapping[tuple[str, str, str], Verb] = {("", "componentstatuses", ""): show}
