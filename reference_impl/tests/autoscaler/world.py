"""An autoscaler on the model of a cloud, and what may happen to the two: what must hold after every loop is
checked here (PR-377).
"""

from __future__ import annotations

from typing import Any

from reference_impl.api import instants, kinds
from reference_impl.api.resource import Json, Key, Resource, key_of
from reference_impl.cloud.failures import FailurePlan
from reference_impl.cloud.groups import NodeGroupSpec
from reference_impl.cloud.in_process import InProcessCloud
from reference_impl.cloud.model import CloudModel
from reference_impl.cloud.nodes import make_node, ready_condition, without_startup_taints

from .laboratory import Laboratory, SmallServer
from .objects import request

PODS_PER_NODE = 4
BOOKING_SECONDS = 600
FOREIGN = "atomic.example.com"
FLAGS = {
    "provisioning_request_initial_backoff_time": 5.0,
    "provisioning_request_max_backoff_time": 40.0,
    "initial_node_group_backoff_duration": 10.0,
    "max_node_group_backoff_duration": 40.0,
    "max_node_provision_time": 15.0,
    "max_node_startup_time": 20.0,
    "ok_total_unready_count": 1000,
    "scale_down_unneeded_time": 10.0,
    "scale_down_unready_time": 20.0,
    "scale_down_delay_after_add": 5.0,
    "scale_down_delay_after_failure": 5.0,
    "unremovable_node_recheck_timeout": 5.0,
}


class UnreliableServer(SmallServer):
    """Refuses writes of requests with a code, or takes them and loses the answer."""

    loses_answers = False

    async def update_status(self, resource: Resource, obj: Json) -> Json:
        done = await super().update_status(resource, obj)
        if self.loses_answers:
            raise TimeoutError
        return done

    async def apply(self, resource: Resource, obj: Json, *, manager: str, subresource: str) -> Json:
        done = await super().apply(resource, obj, manager=manager, subresource=subresource)
        if self.loses_answers:
            raise TimeoutError
        return done


class World(Laboratory):
    """An autoscaler, the model of a cloud with two groups behind it,
    and Nodes that follow the model's machines.
    """

    def __init__(self, *, most: int = 6, scale_down: bool = True, **flags: Json) -> None:
        super().__init__(scale_down_enabled=scale_down, **FLAGS, **flags)
        self.server = _unreliable(self.server)
        shape = {"boot_seconds": 3, "ready_seconds": 1}
        groups = [NodeGroupSpec("ng-a", max=most, **shape), NodeGroupSpec("ng-b", max=most, **shape)]
        self.model = CloudModel(groups, current_time=lambda: self.clock.time)
        self.cloud = InProcessCloud(self.model)
        self.asked: list[str] = []
        self.lost = 0
        """Machines that are gone although their capacity was not given up by a healthy scale-down."""
        self._before: dict[str, Json] = {}
        self._machines: dict[str, bool] = {}
        self.restart()
        self.ask(request("foreign", class_name=FOREIGN))

    def carry_out(self, step: tuple[Any, ...]) -> None:
        """Let one thing happen, then a loop; check what must hold after it."""
        after = 1.0
        match step:
            case "asks", class_name, count:
                self.asked.append(f"r-{len(self.asked)}")
                self.ask(request(self.asked[-1], count=count, class_name=class_name))
            case "deletes", index if index < len(self.asked):
                self.server.store(self.rules.request_resource).put(Key("ns", self.asked[index]), None)
                self._before.pop(self.asked[index], None)
            case "passes", seconds:
                after = float(seconds)
            case "fails", rule:
                self.model.plan.add(rule)
            case "vanishes", index if index < len(self.model.machines):
                self.model.take_away(self.model.machines[index].id)
            case "refuses", code:
                self.server.refuses, self.server.loses_answers = code, False
            case ("loses answers",):
                self.server.refuses, self.server.loses_answers = 0, True
            case ("restarts",):
                self.restart()
        self.advance(after)

    def advance(self, seconds: float = 1.0) -> None:
        """Let time pass for the machines, then go through a loop, and check what must hold after it."""
        self.clock.time += seconds
        self._follow_machines()
        calls = len(self.model.journal)
        self.loop()
        self._follow_machines()
        self._check_calls([entry for entry in list(self.model.journal)[calls:] if entry.method == "increase"])
        self._check_sizes()
        self._check_conditions()
        self._check_bookings()

    def calm_down(self) -> None:
        """Let everything go well from now on, for longer than a
        booking and every delay; each request gets its loops.
        """
        self.model.plan = FailurePlan()
        self.server.refuses, self.server.loses_answers = 0, False
        for _ in range(3):
            self.advance(45.0)
            for _ in self.asked:
                self.advance()
        for _ in range(12):
            self.advance(50.0)

    def requests(self) -> dict[str, Json]:
        """Return the requests as the server has them, by their names."""
        return {obj["metadata"]["name"]: obj for obj in self.server.store(self.rules.request_resource)}

    def nodes(self) -> list[str]:
        """Return the names of the Nodes."""
        return sorted(obj["metadata"]["name"] for obj in self.server.store(kinds.NODES))

    @property
    def targets(self) -> int:
        """Return how many machines the cloud counts."""
        plan, self.model.plan = self.model.plan, FailurePlan()
        targets = sum(group.target for group in self.model.groups())
        self.model.plan = plan
        return targets

    def _follow_machines(self) -> None:
        """Make the Nodes those of the machines, and count the machines that were lost."""
        current_time, store = self.clock.time, self.server.store(kinds.NODES)
        machines = {machine.id: machine for machine in self.model.machines}
        vanished = {
            change.machine.id
            for change in self.model.changes
            if change.event == "ended" and not change.machine.deleting
        }
        for name, was_ready in self._machines.items():
            self.lost += name not in machines and (name in vanished or not was_ready)
        for obj in list(store):
            if obj["metadata"]["name"] not in machines:
                store.put(key_of(obj), None)
        for name, machine in machines.items():
            spec = self.model.spec(machine.group)
            assert spec is not None
            if not machine.has_node(current_time):
                continue
            node = store.get(Key("", name)) or make_node(spec, machine, current_time)
            node["metadata"].setdefault("creationTimestamp", instants.render(current_time))
            if machine.ready_at <= current_time:
                node["spec"]["taints"] = without_startup_taints(spec, node["spec"].get("taints", ()))
                node["status"]["conditions"] = [ready_condition(machine.ready_at, is_ready=True)]
            self.server.put(kinds.NODES, node)
        self._machines = {name: machine.ready_at <= current_time for name, machine in machines.items()}

    def _check_calls(self, increases: list[Any]) -> None:
        grown = [entry.group for entry in increases]
        assert len(grown) == len(set(grown)), f"a group is asked for twice in one loop: {increases}"

    def _check_sizes(self) -> None:
        plan, self.model.plan = self.model.plan, FailurePlan()
        for group in self.model.groups():
            counted = [
                machine
                for machine in self.model.machines
                if machine.group == group.id and not machine.deleting
            ]
            assert group.target == len(counted), (
                f"{group.id} counts {group.target} of {len(counted)} machines"
            )
            assert 0 <= group.target <= group.max
        self.model.plan = plan

    def _check_conditions(self) -> None:
        for name, obj in self.requests().items():
            before = self._before.get(name, {"spec": obj["spec"], "status": {"conditions": []}})
            assert obj["spec"] == before["spec"], f"the spec of {name} is changed"
            old, new = _statuses(before), _statuses(obj)
            assert old.keys() <= new.keys(), f"{name} loses a condition"
            for final in ("Failed", "BookingExpired"):
                assert old.get(final) != "True" or new[final] == "True", f"{name}: {final} is taken back"
            assert name != "foreign" or not new, "a request of another class is answered"
        self._before = self.requests()

    def _check_bookings(self) -> None:
        capacity = PODS_PER_NODE * (self.targets + self.lost)
        assert self.booked() <= capacity, f"{self.booked()} pods are booked where {capacity} have room"

    def booked(self) -> int:
        """Return for how many pods capacity is kept."""
        count = 0
        for obj in self.requests().values():
            targets = _statuses(obj)
            if targets.get("Provisioned") != "True" or "True" in {
                targets.get("Failed"),
                targets.get("BookingExpired"),
            }:
                continue
            since = next(
                condition["lastTransitionTime"]
                for condition in obj["status"]["conditions"]
                if condition["type"] == "Provisioned"
            )
            if instants.parse(since) + BOOKING_SECONDS > self.clock.time:
                count += sum(pod_set["count"] for pod_set in obj["spec"]["podSets"])
        return count


def unanswered(world: World) -> list[str]:
    """Return the requests that have neither an answer nor an end."""
    return [
        name
        for name, obj in world.requests().items()
        if name != "foreign" and not {"Provisioned", "Failed"} & _statuses(obj).keys()
    ]


def _statuses(obj: Json) -> dict[str, str]:
    return {condition["type"]: condition["status"] for condition in obj["status"]["conditions"]}


def _unreliable(server: SmallServer) -> UnreliableServer:
    return UnreliableServer(stores=server.stores, revision=server.revision)
