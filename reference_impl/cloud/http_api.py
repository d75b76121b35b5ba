"""HTTP for people and scripts: what the cloud has and has done, failure rules, sizes, while it runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any, Final

import orjson

from reference_impl.api import instants
from reference_impl.api.resource import Json
from reference_impl.runtime.serving.exchange import Request, Response
from reference_impl.runtime.serving.limits import Limits
from reference_impl.runtime.serving.server import Server

from .actions import CallRefusal
from .failures import FailureRule
from .groups import GroupError
from .machines import Machine
from .model import CloudModel
from .parsing import ACTIONS, WORDS, CloudFileError, check_keys, group_of, rule_of

LIMITS: Final = Limits(body_bytes=1 << 20)
NAMES: Final = {kind: name for name, kind in ACTIONS.items()}
RouteHandler = Callable[[str, Json], Json]


class NotFoundError(Exception):
    """Nothing is at a path."""


class CloudApi:
    """Answers from a model; each answer is one step on its loop."""

    def __init__(self, model: CloudModel, current_time: Callable[[], float]) -> None:
        self._model, self._now = model, current_time
        self._routes: Mapping[tuple[str, str], RouteHandler] = {
            ("GET", ""): self.index,
            ("GET", "groups"): self.groups,
            ("POST", "groups"): self.add_group,
            ("PATCH", "groups/*"): self.change_group,
            ("DELETE", "groups/*"): self.remove_group,
            ("GET", "machines"): self.machines,
            ("DELETE", "machines/*"): self.take_machine,
            ("GET", "journal"): self.journal,
            ("GET", "changes"): self.changes,
            ("GET", "failures"): self.rules,
            ("POST", "failures"): self.add_rule,
            ("DELETE", "failures"): self.clear_rules,
            ("DELETE", "failures/*"): self.remove_rule,
        }

    async def answer(self, request: Request) -> Response:
        """Answer a request; its problem is answered as `error`."""
        path = request.target.partition("?")[0].strip("/")
        collection, _, name = path.partition("/")
        pattern = f"{collection}/*" if name else collection
        route = self._routes.get((request.method, pattern))
        if route is None:
            verbs = [verb for verb, route in self._routes if route == pattern]
            hint = f"expected {' or '.join(verbs)}" if verbs else "GET / lists what there is"
            return _response(405 if verbs else 404, {"error": f"{request.method} /{path}: {hint}"})
        try:
            return _response(200, route(name, orjson.loads(request.body) if request.body else {}))
        except orjson.JSONDecodeError as error:
            return _response(400, {"error": f"the body is no JSON: {error}"})
        except (CloudFileError, GroupError) as error:
            return _response(400, {"error": str(error)})
        except NotFoundError as error:
            return _response(404, {"error": str(error)})
        except CallRefusal as error:
            return _response(404 if error.code == "NotFound" else 409, {"error": error.message})

    def index(self, _name: str, _body: Json) -> Json:
        """List what can be asked here."""
        return {
            f"{verb} /{pattern}": (route.__doc__ or "").splitlines()[0]
            for (verb, pattern), route in self._routes.items()
        }

    def groups(self, _name: str, _body: Json) -> Json:
        """List the groups: how they are configured, and how many machines they have."""
        machines = self._model.machines
        return [
            {
                **asdict(spec),
                "target": sum(machine.group == spec.id and not machine.deleting for machine in machines),
            }
            for spec in self._model.specs
        ]

    def add_group(self, _name: str, body: Json) -> Json:
        """Make a group with the fields of a file of groups."""
        spec = group_of(body)
        self._model.create_group(spec)
        return asdict(spec)

    def change_group(self, name: str, body: Json) -> Json:
        """Change `min` and `max` of a group, and its size by `target`, past all rules."""
        changes = _fields(body, {"min": int, "max": int, "target": int})
        if "target" in changes:
            self._model.resize(name, changes["target"])
        self._model.configure(name, least=changes.get("min"), most=changes.get("max"))
        return next(group for group in self.groups(name, body) if group["id"] == name)

    def remove_group(self, name: str, _body: Json) -> Json:
        """Remove a group that is autoprovisioned and empty."""
        self._model.delete_group(name)
        return {}

    def machines(self, _name: str, _body: Json) -> Json:
        """List the machines: state, and when each has a Node, is ready, ends; null for never."""
        return [_machine(machine, self._now()) for machine in self._model.machines]

    def take_machine(self, name: str, body: Json) -> Json:
        """Let a machine vanish now; `remain_counted` leaves the
        size of its group, `revoke` names a request to tell.
        """
        self._model.take_away(name, **_fields(body, {"remain_counted": bool, "revoke": str}))
        return {}

    def journal(self, _name: str, _body: Json) -> Json:
        """List the calls that changed something or were refused."""
        return [{**asdict(entry), "time": instants.render(entry.time)} for entry in self._model.journal]

    def changes(self, _name: str, _body: Json) -> Json:
        """List what happened to machines by itself."""
        self._model.advance()
        return [
            {"time": instants.render(change.time), "machine": change.machine.id, "event": change.event}
            for change in self._model.changes
        ]

    def rules(self, _name: str, _body: Json) -> Json:
        """List the failure rules that are not used up, by their numbers."""
        return {str(number): _rule(rule) for number, rule in self._model.plan.rules.items()}

    def add_rule(self, _name: str, body: Json) -> Json:
        """Add a failure rule with the fields of a file of failures; return its number."""
        return {"number": self._model.plan.add(rule_of(body))}

    def clear_rules(self, _name: str, _body: Json) -> Json:
        """Take all failure rules away."""
        self._model.plan.clear()
        return {}

    def remove_rule(self, name: str, _body: Json) -> Json:
        """Take one failure rule away."""
        if not name.isdecimal() or int(name) not in self._model.plan.rules:
            raise NotFoundError(f"there is no rule {name!r}: GET /failures lists them")
        self._model.plan.remove(int(name))
        return {}


def server(model: CloudModel, current_time: Callable[[], float], host: str, port: int) -> Server:
    """Return the server; it begins to answer when it is started."""
    api = CloudApi(model, current_time)
    advice = "choose another --api-address"
    return Server(api.answer, name="control", host=host, port=port, limits=LIMITS, advice=advice)


def _fields(body: Json, types: Mapping[str, type]) -> dict[str, Any]:
    """Return the fields of a body. Raises ReadError for an unknown one, and for one of another type."""
    for name, value in check_keys(body, types, "the body").items():
        if type(value) is not types[name]:
            raise CloudFileError(f"{name} is {value!r}: expected {WORDS[types[name].__name__]}")
    return dict(body)


def _machine(machine: Machine, current_time: float) -> Json:
    times: Mapping[str, Any] = {event: at if at != float("inf") else None for at, event in machine.events()}
    instance = machine.instance(current_time)
    error = asdict(instance.error) if instance.error else None
    return {
        "id": machine.id,
        "group": machine.group,
        "providerID": machine.provider_id,
        "state": instance.state,
        "error": error,
        "listed": machine.listed,
        "times": {event: at and instants.render(at) for event, at in times.items()},
    }


def _rule(rule: FailureRule) -> Json:
    data = asdict(rule)
    return {"action": NAMES[type(rule.action)], **data.pop("action"), **data}


def _response(code: int, answer: Json) -> Response:
    body = orjson.dumps(answer, option=orjson.OPT_INDENT_2, default=list) + b"\n"
    return Response(code=code, headers=(("Content-Type", "application/json"),), body=body)
