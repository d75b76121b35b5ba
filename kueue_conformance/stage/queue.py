"""A ClusterQueue with its LocalQueue, flavors and checks: where a scenario submits Workloads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from ..bench import Bench, within
from ..fact import Fact
from . import manifests
from .answer import Answer, tried
from .check import Check
from .names import Names
from .view import View
from .workload import Workload

Json: TypeAlias = Any
Form = Literal["workload", "job"]
Stage = Literal["prechecked", "admitted"]
_KINDS = ("ClusterQueue", "LocalQueue")


class Queue:
    """A queue of users. Made by `Stage.queue`; the ClusterQueue and the LocalQueue bear the same name."""

    def __init__(
        self,
        bench: Bench,
        names: Names,
        name: str,
        namespace: str,
        flavors: Sequence[str],
        checks: Sequence[Check],
    ) -> None:
        self._bench = bench
        self._names = names
        self.name = name
        self.namespace = namespace
        self.flavors = tuple(flavors)
        self.checks = tuple(checks)

    def submit(
        self,
        form: Form = "workload",
        *,
        cpu: str | None = None,
        count: int = 1,
        name: str = "",
        template: Mapping[str, Any] | None = None,
        annotations: Mapping[str, str] | None = None,
        **spec: Any,
    ) -> Workload:
        """Submit a bare Workload or a suspended Job that asks for `cpu` per pod (an empty text: no request at all)."""
        amount = f"{self._names.milli_cpu()}m" if cpu is None else cpu
        pods = manifests.pod_template({"cpu": amount} if amount else {}, **(template or {}))
        make = manifests.job if form == "job" else manifests.workload
        manifest = make(name or self._names.name(form), self.namespace, self.name, pods, count, **spec)
        manifest["metadata"]["annotations"] = dict(annotations or {})
        self._bench.client.create(manifest)
        name = manifest["metadata"]["name"]
        return (
            Workload(self._bench, self.namespace, job=name)
            if form == "job"
            else Workload(self._bench, self.namespace, name)
        )

    def submit_requests_nothing(self, form: Form = "workload") -> Workload:
        """Submit something whose pods ask for no resource."""
        return self.submit(form, cpu="")

    def submit_limited(self, form: Form, seconds: int) -> Workload:
        """Submit something that may run so long: by a field of the Workload, by a label on the Job."""
        if form == "job":
            return self.submit(form, labels={"kueue.x-k8s.io/max-exec-time-seconds": str(seconds)})
        return self.submit(form, maximumExecutionTimeSeconds=seconds)

    def brings_to(self, stage: Stage, form: Form = "workload", **more: Any) -> Workload:
        """Submit something and bring it to a stage: prechecked with every check Pending, or admitted by all of them."""
        workload = self.submit(form, **more)
        if not self.checks:
            within("admit", workload.is_admitted)
            return workload
        within("reserve", lambda: workload.is_prechecked() and workload.lists_checks(*self.checks))
        if stage == "admitted":
            for check in self.checks:
                check.answers(workload, "Ready")
            within("admit", workload.is_admitted)
        return workload

    def answered(self, state: str, check: Check, *, times: int) -> Fact:
        """So many Workloads of the namespace have this state of a check; read at once, however many there are."""
        found = self._bench.client.list("Workload", self.namespace)
        held = sum(View(one).checks.get(check.name, {}).get("state") == state for one in found)
        return Fact(held == times, f"{times} Workloads have {check.name} {state}", f"{held} of {len(found)}")

    # What an administrator does

    def holds(self) -> None:
        """Stop new admissions: stopPolicy Hold."""
        self._set_spec(stopPolicy="Hold")

    def drains(self) -> None:
        """Stop and evict: stopPolicy HoldAndDrain."""
        self._set_spec(stopPolicy="HoldAndDrain")

    def resumes(self) -> None:
        """Let Workloads in again: stopPolicy None."""
        self._set_spec(stopPolicy="None")

    def sends_back(self, workload: Workload, what: str) -> None:
        """Have an admitted Workload evicted: by `retry` of the first check, or `cluster-queue-stopped` and `local-queue-stopped` for a while."""
        if what == "retry":
            self.checks[0].answers(workload, "Retry")
            within("evict", workload.was_released)
            return
        stopped = what.removesuffix("-stopped")
        self.stops(stopped, "HoldAndDrain")
        within("evict", workload.is_suspended)
        self.goes_on(stopped)

    def stops(self, what: str, policy: str) -> None:
        """Set the stopPolicy of the `cluster-queue` or of the `local-queue`."""
        {"cluster-queue": self._set_spec, "local-queue": self._set_local}[what](stopPolicy=policy)

    def goes_on(self, what: str) -> None:
        """Let the `cluster-queue` or the `local-queue` go on: stopPolicy None."""
        self.stops(what, "None")

    def says_stopped(self, what: str) -> Fact:
        """The `cluster-queue` or the `local-queue` is not Active because it is stopped."""
        kind = {"cluster-queue": "ClusterQueue", "local-queue": "LocalQueue"}[what]
        return self._is_inactive(kind, ["Stopped"])

    def users_hold(self) -> None:
        """Stop the LocalQueue: stopPolicy Hold."""
        self._set_local(stopPolicy="Hold")

    def users_drain(self) -> None:
        """Stop and evict on the LocalQueue: stopPolicy HoldAndDrain."""
        self._set_local(stopPolicy="HoldAndDrain")

    def users_resume(self) -> None:
        """Let the LocalQueue go on: stopPolicy None."""
        self._set_local(stopPolicy="None")

    def has_quota(self, cpu: str) -> None:
        """Set the nominal CPU quota of every flavor."""
        self.has_quotas(*[cpu] * len(self.flavors))

    def has_quotas(self, *cpu: str) -> None:
        """Set the nominal CPU quota of each flavor, in their order."""
        quotas = {flavor: {"cpu": amount} for flavor, amount in zip(self.flavors, cpu, strict=True)}
        self._set_spec(resourceGroups=[manifests.resource_group(quotas)])

    def offers_only(self, *flavors: str, cpu: str = "10") -> None:
        """Replace the flavors of the ClusterQueue."""
        quotas = {flavor: {"cpu": cpu} for flavor in flavors}
        self._set_spec(resourceGroups=[manifests.resource_group(quotas)])

    def offers(self, *flavors: str, cpu: str = "10") -> Answer:
        """Replace the flavors of the ClusterQueue; return what the server says against it."""
        return tried(lambda: self.offers_only(*flavors, cpu=cpu))

    def requires(self, *checks: Check, on: Mapping[str, Sequence[str]] | None = None) -> None:
        """Replace the required checks; `on` restricts a check, by name, to flavors."""
        rules = {check.name: (on or {}).get(check.name, ()) for check in checks}
        self._set_spec(admissionChecksStrategy=manifests.strategy(rules) if rules else None)

    def changes(self, **fields: Any) -> Answer:
        """Change fields of the ClusterQueue's spec, as anybody may try to; return what the server says against it."""
        return tried(lambda: self._set_spec(**fields))

    def in_version(self, version: str) -> Json:
        """Return the ClusterQueue as it is read in a version of the API."""
        return self._bench.client.speaking(version).get("ClusterQueue", self.name)

    def delete(self) -> None:
        """Delete the ClusterQueue."""
        self._bench.client.delete("ClusterQueue", self.name)

    def delete_local(self) -> None:
        """Delete the LocalQueue."""
        self._bench.client.delete("LocalQueue", self.name, self.namespace)

    # What is seen of it

    def is_noticed(self) -> Fact:
        """Kueue has said of the ClusterQueue whether it is Active."""
        condition = self._active("ClusterQueue")
        return Fact(bool(condition), f"ClusterQueue {self.name} says whether it is Active", _said(condition))

    def is_noticed_by_users(self) -> Fact:
        """Kueue has said of the LocalQueue whether it is Active."""
        condition = self._active("LocalQueue")
        return Fact(bool(condition), f"LocalQueue {self.name} says whether it is Active", _said(condition))

    def is_active(self) -> Fact:
        """The ClusterQueue is Active."""
        condition = self._active("ClusterQueue")
        return Fact(
            condition.get("status") == "True", f"ClusterQueue {self.name} is Active", _said(condition)
        )

    def is_inactive(self, *reasons: str) -> Fact:
        """The ClusterQueue is not Active, for one of the reasons (any when none is named)."""
        return self._is_inactive("ClusterQueue", reasons)

    def is_inactive_for_missing_checks(self) -> Fact:
        """The ClusterQueue is not Active because a check is missing (D-17)."""
        return self.is_inactive(self._bench.dialect.fact("check-problem-reasons")[0])

    def is_inactive_for_inactive_checks(self) -> Fact:
        """The ClusterQueue is not Active because a check is not (D-17)."""
        return self.is_inactive(self._bench.dialect.fact("check-problem-reasons")[1])

    def says(self, text: str) -> Fact:
        """The message of the ClusterQueue's Active condition contains a text."""
        condition = self._active("ClusterQueue")
        return Fact(
            text in condition.get("message", ""), f"ClusterQueue {self.name} says {text!r}", _said(condition)
        )

    def says_exactly(self, reason: str, message: str) -> Fact:
        """The Active condition of the ClusterQueue has this reason and message."""
        return self._says_exactly("ClusterQueue", reason, message)

    def users_are_told(self, reason: str, message: str) -> Fact:
        """The Active condition of the LocalQueue has this reason and message."""
        return self._says_exactly("LocalQueue", reason, message)

    def _says_exactly(self, kind: str, reason: str, message: str) -> Fact:
        condition = self._active(kind)
        held = (condition.get("reason"), condition.get("message")) == (reason, message)
        return Fact(held, f"{kind} {self.name} says {reason}: {message}", _said(condition))

    def active_since(self) -> tuple[str, str]:
        """Return when ClusterQueue and LocalQueue took the status of their Active conditions."""
        one, other = (str(self._active(kind).get("lastTransitionTime", "")) for kind in _KINDS)
        return one, other

    def speaks_of_its_newest_spec(self) -> Fact:
        """The Active conditions of ClusterQueue and LocalQueue have their objects' generations."""
        told = [self._active(kind).get("observedGeneration") for kind in _KINDS]
        newest = [self._object(kind)["metadata"]["generation"] for kind in _KINDS]
        return Fact(told == newest, f"the conditions speak of generations {newest}", f"they speak of {told}")

    def users_see_active(self) -> Fact:
        """The LocalQueue is Active."""
        condition = self._active("LocalQueue")
        return Fact(condition.get("status") == "True", f"LocalQueue {self.name} is Active", _said(condition))

    def users_see_inactive(self, *reasons: str) -> Fact:
        """The LocalQueue is not Active, for one of the reasons."""
        return self._is_inactive("LocalQueue", reasons)

    def counts(
        self, *, pending: int | None = None, reserving: int | None = None, admitted: int | None = None
    ) -> Fact:
        """The ClusterQueue's counters are these; a counter that is not named may be anything."""
        return self._counts("ClusterQueue", pending, reserving, admitted)

    def users_count(
        self, *, pending: int | None = None, reserving: int | None = None, admitted: int | None = None
    ) -> Fact:
        """The LocalQueue's counters are these."""
        return self._counts("LocalQueue", pending, reserving, admitted)

    def reserves(self, cpu: str) -> Fact:
        """The sum of reserved CPU over all flavors, as the ClusterQueue's status tells it."""
        return self._usage("flavorsReservation", cpu)

    def uses(self, cpu: str) -> Fact:
        """The sum of CPU of admitted Workloads over all flavors."""
        return self._usage("flavorsUsage", cpu)

    def usage(self, field: str) -> Json:
        """Return what `flavorsReservation` or `flavorsUsage` of the ClusterQueue tells: flavor → resource → amount."""
        return _totals(self._object("ClusterQueue"), field)

    def users_usage(self, field: str) -> Json:
        """Return the same of the LocalQueue."""
        return _totals(self._object("LocalQueue"), field)

    def borrows(self, field: str, cpu: str) -> Fact:
        """The sum of borrowed CPU over all flavors, in `flavorsReservation` or `flavorsUsage`."""
        flavors = (self._object("ClusterQueue").get("status") or {}).get(field, [])
        told = [str(one.get("borrowed")) for flavor in flavors for one in flavor["resources"]]
        held = bool(told) and sum(map(_milli, told)) == _milli(cpu)
        return Fact(held, f"{field} of ClusterQueue {self.name} says that {cpu} are borrowed", f"{told}")

    def users_reserve(self, cpu: str) -> Fact:
        """The sum of CPU that the LocalQueue's Workloads hold, over all flavors."""
        return self._usage("flavorsReservation", cpu, "LocalQueue")

    def users_use(self, cpu: str) -> Fact:
        """The sum of CPU of the LocalQueue's admitted Workloads over all flavors."""
        return self._usage("flavorsUsage", cpu, "LocalQueue")

    def tells_usage(self, field: str, **flavors: Json) -> Fact:
        """`flavorsReservation` or `flavorsUsage` of the ClusterQueue lists exactly these resources by flavor."""
        told = (self._object("ClusterQueue").get("status") or {}).get(field, [])
        seen = {one["name"]: one["resources"] for one in told}
        return Fact(seen == flavors, f"{field} of ClusterQueue {self.name} is {flavors}", f"{seen}")

    def is_gone(self) -> Fact:
        """The ClusterQueue no longer exists."""
        found = self._bench.client.find("ClusterQueue", self.name)
        seen = (
            "gone" if found is None else f"there, with finalizers {found['metadata'].get('finalizers', [])}"
        )
        return Fact(found is None, f"ClusterQueue {self.name} is gone", seen)

    def _set_spec(self, **fields: Any) -> None:
        self._bench.client.update("ClusterQueue", self.name, _changed(fields))

    def _set_local(self, **fields: Any) -> None:
        self._bench.client.update("LocalQueue", self.name, _changed(fields), namespace=self.namespace)

    def _object(self, kind: str) -> Json:
        return self._bench.client.find(kind, self.name, self.namespace if kind == "LocalQueue" else "") or {}

    def _active(self, kind: str) -> Json:
        conditions = (self._object(kind).get("status") or {}).get("conditions", [])
        return next((one for one in conditions if one["type"] == "Active"), {})

    def _is_inactive(self, kind: str, reasons: Sequence[str]) -> Fact:
        condition = self._active(kind)
        held = condition.get("status") == "False" and (not reasons or condition["reason"] in reasons)
        return Fact(
            held,
            f"{kind} {self.name} is not Active{' because ' + ' or '.join(reasons) if reasons else ''}",
            _said(condition),
        )

    def _counts(self, kind: str, pending: int | None, reserving: int | None, admitted: int | None) -> Fact:
        wanted = {"pendingWorkloads": pending, "reservingWorkloads": reserving, "admittedWorkloads": admitted}
        status = self._object(kind).get("status") or {}
        seen = {name: status.get(name, 0) for name, amount in wanted.items() if amount is not None}
        named = {name: amount for name, amount in wanted.items() if amount is not None}
        return Fact(seen == named, f"{kind} {self.name} counts {named}", f"{seen}")

    def _usage(self, field: str, cpu: str, kind: str = "ClusterQueue") -> Fact:
        flavors = (self._object(kind).get("status") or {}).get(field, [])
        totals = [
            str(one["total"]) for flavor in flavors for one in flavor["resources"] if one["name"] == "cpu"
        ]
        spent = sum(_milli(total) for total in totals)
        return Fact(spent == _milli(cpu), f"{field} of cpu sums up to {cpu}", f"{totals}")


def _totals(found: Json, field: str) -> Json:
    lines = (found.get("status") or {}).get(field, [])
    return {one["name"]: {each["name"]: str(each["total"]) for each in one["resources"]} for one in lines}


def _milli(amount: str) -> int:
    return int(amount[:-1]) if amount.endswith("m") else round(float(amount) * 1000)


def _changed(fields: Mapping[str, Any]) -> Callable[[Json], Json]:
    def change(current: Json) -> Json:
        spec = {**current["spec"], **fields}
        return {**current, "spec": {key: value for key, value in spec.items() if value is not None}}

    return change


def _said(condition: Json) -> str:
    return (
        f"Active={condition['status']} ({condition['reason']}): {condition['message']}"
        if condition
        else "no Active condition"
    )
