"""The right check controller: every decision is a method, so that a wrong one differs in one of them."""

import asyncio

from .api import CONFLICT, NOT_FOUND, TROUBLE, Api, ApiError
from .effects import LABEL, Effects
from .follow import Follower, key_of
from .leader import Leader
from .objects import (
    CHECKS,
    EFFECTS,
    PARAMETERS,
    WORKLOADS,
    check_entries,
    check_path,
    condition,
    timestamp,
    workload_path,
)
from .works import Works

DECIDED, UNDECIDED = ("Ready", "Retry", "Rejected"), "Pending"
TRIES = 4
LONGEST_MESSAGE = 1024


class CheckController(Effects):
    """Follows AdmissionChecks, Workloads, its own outside work and parameters; decides and writes by key."""

    poll, look_again = 1.0, 4.0
    """Seconds after which it asks again: while there is no verdict, and whether a good one still holds."""
    Follower, Works, Leader = Follower, Works, Leader

    @classmethod
    async def serve(cls, context):
        """Work until cancelled."""
        api = Api(context.kubeconfig)
        try:
            async with asyncio.TaskGroup() as tasks:
                await cls(api, context, tasks).run()
        finally:
            await api.close()

    def __init__(self, api, context, tasks):
        self.api, self.clock, self.tasks = api, context.clock, tasks
        self.name, self.verdict_url = context.controller_name, context.verdict_url
        self.label = self.name.replace("/", ".")
        self.works = self.Works(self.clock, self.step, self.tasks)
        self.checks = self.follower(CHECKS, self.check_changed)
        self.workloads = self.follower(WORKLOADS, self.workload_changed)
        self.effects = self.follower(
            EFFECTS, self.effect_changed, self.workload_of, labelSelector=f"{LABEL}={self.label}"
        )
        self.parameters, self.troubles, self.begun = None, {}, set()
        self.leader = self.Leader(api, self.clock, self.label, api.user, self.look_at_everything)

    def follower(self, path, notify, about=None, **only):
        """Return a local copy of a kind."""
        return self.Follower(self.api, self.clock, path, notify, about, **only)

    async def run(self):
        """Follow everything, then try to lead."""
        for check in (self.checks, self.workloads, self.effects):
            self.tasks.create_task(check.run())
        for check in (self.checks, self.workloads, self.effects):
            await check.synced.wait()
        await self.leader.run()

    # What has changed, and what has to be looked at therefore

    def check_changed(self, old, new):
        """Look at a check, and at every Workload that lists it."""
        self.mark("check", ("", (new or old)["metadata"]["name"]))
        for key, workload in self.workloads.known.items():
            if any(entry["name"] == (new or old)["metadata"]["name"] for entry in check_entries(workload)):
                self.mark("workload", key)

    def workload_changed(self, old, new):
        """Look at a Workload."""
        self.mark("workload", key_of(new or old))

    def effect_changed(self, old, new):
        """Look at the Workload that outside work is for."""
        self.mark("workload", self.workload_of(new or old))

    def parameters_changed(self, old, new):
        """Look at every check that refers to the object."""
        for check in [*self.checks.known.values()]:
            if self.reference(check).get("name") == (new or old)["metadata"]["name"]:
                self.check_changed(check, check)

    def look_at_everything(self):
        """Look at all there is, after a change of the leader."""
        for key in self.checks.known:
            self.mark("check", key)
        for key in {*self.workloads.known, *map(self.workload_of, self.effects.known.values())}:
            self.mark("workload", key)

    def mark(self, kind, key):
        """Have something looked at, if it is ours to act."""
        if self.acts():
            self.works.mark((kind, key))

    def acts(self):
        """Tell whether this replica is the one that acts."""
        return self.leader.leading

    async def step(self, marked):
        """Look at one thing; what is gone meanwhile needs nothing."""
        subject_name, key = marked
        if not self.acts():
            return None
        try:
            return await (self.judge_check(key) if subject_name == "check" else self.judge_workload(key))
        except ApiError as error:
            if error.code != NOT_FOUND:
                raise
            return None

    # Checks

    def owns(self, name):
        """Tell whether a check is ours:
        by the controllerName of the AdmissionCheck, never by its own name.
        """
        check = self.checks.known.get(("", name), {})
        return check.get("spec", {}).get("controllerName") == self.name

    def serves(self, name):
        """Tell whether a check is ours and not on its way out."""
        return self.owns(name) and "deletionTimestamp" not in self.checks.known["", name]["metadata"]

    async def judge_check(self, key):
        """Bring the Active condition of a check up to date."""
        if key in self.checks.known and self.owns(key[1]) and self.knows_parameters(key[1]):
            await self.settle(check_path(key[1]), self.checks.known[key], self.activate)

    async def activate(self, check):
        """Return a check with its Active condition, None when that is right already."""
        old, active = condition(check, "Active"), self.active(check)
        since = (
            old["lastTransitionTime"]
            if old.get("status") == active["status"]
            else timestamp(self.clock.now())
        )
        new = {"type": "Active", "lastTransitionTime": since, **active}
        if new == old:
            return None
        conditions = [
            condition
            for condition in check.get("status", {}).get("conditions", [])
            if condition["type"] != "Active"
        ]
        return {**check, "status": {**check.get("status", {}), "conditions": [*conditions, new]}}

    def active(self, check):
        """Return what the Active condition says."""
        problem = self.problem(check)
        text = {"observedGeneration": check["metadata"]["generation"]}
        if problem:
            return {"status": "False", "reason": "BadParametersRef", "message": problem, **text}
        return {"status": "True", "reason": "Active", "message": "The check can be used", **text}

    def reference(self, check):
        """Return what a check says of its parameters."""
        return check.get("spec", {}).get("parameters") or {}

    def problem(self, check):
        """Return why a check cannot be used, empty when it can; one without parameters can."""
        reference = self.reference(check)
        if not reference:
            return ""
        if (reference.get("apiGroup"), reference.get("kind")) != ("example.com", "Budget"):
            return f"parameters are {reference.get('apiGroup')} {reference.get('kind')}, expected a Budget of example.com"
        self.follow_parameters()
        result = self.parameters.known.get(("", reference.get("name")))
        if result is None:
            return f"there is no Budget {reference.get('name')}"
        return self.invalid(result)

    def invalid(self, budget):
        """Return what is wrong with parameters."""
        limit = budget.get("spec", {}).get("limit", 0)
        return (
            ""
            if isinstance(limit, int) and limit >= 0
            else f"spec.limit is {limit!r}, expected a number from 0 on"
        )

    def knows_parameters(self, name):
        """Tell whether nothing has to be read before a check can be judged;
        else it is looked at when that was read.
        """
        if not self.reference(self.checks.known["", name]):
            return True
        self.follow_parameters()
        return self.parameters.synced.is_set()

    def knows_all_parameters(self, workload):
        """Tell the same of all checks of a Workload that are ours."""
        return all(
            self.knows_parameters(entry["name"])
            for entry in check_entries(workload)
            if self.serves(entry["name"])
        )

    def follow_parameters(self):
        """Follow the parameters from the first check on that has some."""
        if self.parameters is None:
            self.parameters = self.follower(PARAMETERS, self.parameters_changed)
            self.tasks.create_task(self.parameters.run())
            self.tasks.create_task(self.look_when_parameters_are_known())

    async def look_when_parameters_are_known(self):
        """Look at everything that had to wait for them."""
        await self.parameters.synced.wait()
        self.look_at_everything()

    # Workloads

    def may_act(self, workload):
        """Tell whether a Workload may be judged now."""
        return self.is_at_stake(workload)

    async def judge_workload(self, key):
        """Begin or end outside work for a Workload, and bring our entries up to date."""
        workload = self.workloads.known.get(key)
        await self.keep_effects(key, workload)
        if workload is None or not self.may_act(workload) or not self.knows_all_parameters(workload):
            return None
        self.troubles.pop(key, None)
        await self.settle(workload_path(*key), workload, self.judge)
        if key in self.troubles:
            raise self.troubles[key]
        return self.again(self.workloads.known.get(key, workload))

    def again(self, workload):
        """Return after how many seconds to ask again, None when nothing of ours is open."""
        states = {entry["state"] for entry in check_entries(workload) if self.serves(entry["name"])}
        return self.poll if UNDECIDED in states else self.look_again if "Ready" in states else None

    async def judge(self, workload):
        """Return a Workload with its entries judged, None when there is nothing to write."""
        if not self.may_act(workload):
            return None
        entries = await self.entries(workload)
        if entries == check_entries(workload):
            return None
        return {**workload, "status": {**workload["status"], "admissionChecks": entries}}

    async def entries(self, workload):
        """Return all entries of a Workload: ours judged,
        others as they are; trouble with one does not keep the next.
        """
        entries = []
        for entry in check_entries(workload):
            try:
                entries.append(
                    await self.judge_entry(workload, entry) if self.serves(entry["name"]) else entry
                )
            except TROUBLE as problem:
                self.troubles[key_of(workload)] = problem
                entries.append(entry)
        return entries

    async def judge_entry(self, workload, entry):
        """Return an entry of ours with a fresh verdict; Retry and Rejected are Kueue's to move on."""
        if entry["state"] in ("Retry", "Rejected"):
            return entry
        problem = self.problem(self.checks.known["", entry["name"]])
        if problem:
            return self.entry(
                workload, entry, {"state": UNDECIDED, "message": f"the check is not active: {problem}"}
            )
        return self.entry(workload, entry, await self.ask(workload, entry["name"]))

    async def ask(self, workload, check):
        """Return the outside system's verdict. Raises ValueError for something that is none."""
        namespace, name = key_of(workload)
        verdict = await self.api.ask(self.verdict_url, namespace=namespace, workload=name, check=check)
        if isinstance(verdict, dict) and isinstance(verdict.get("state"), str):
            return verdict
        raise ValueError(f"that is no verdict: {verdict!r}")

    def entry(self, workload, old, verdict):
        """Return the entry with a verdict; without a verdict a Ready entry stays unchanged."""
        state = verdict["state"]
        if state == "Ready" and (problem := self.update_problem(workload, verdict)):
            return self.entry(workload, old, {"state": UNDECIDED, "message": problem})
        if state == UNDECIDED:
            return {**old, "message": self.message(verdict)} if old["state"] == UNDECIDED else old
        if state not in DECIDED:
            return old
        remaining_fields = {
            key: value for key, value in old.items() if key not in ("requeueAfterSeconds", "podSetUpdates")
        }
        text = {
            "state": state,
            "message": self.message(verdict),
            "lastTransitionTime": self.since(old, state),
        }
        return {**remaining_fields, **text, **self.delay(verdict), **self.updates(old, verdict)}

    def message(self, verdict):
        """Return the text of a verdict, as long as it may be."""
        message = verdict.get("message") or f"the outside system says {verdict['state']}, and not why"
        return message.encode()[:LONGEST_MESSAGE].decode(errors="ignore")

    def since(self, old, state):
        """Return the time of an entry: it moves with the state only."""
        return old["lastTransitionTime"] if state == old["state"] else timestamp(self.clock.now())

    def delay(self, verdict):
        """Return after how long Kueue may try again, where that is said of a Retry."""
        expected = verdict["state"] == "Retry" and verdict.get("requeueAfterSeconds", -1) >= 0
        return {"requeueAfterSeconds": verdict["requeueAfterSeconds"]} if expected else {}

    def updates(self, old, verdict):
        """Return the podSetUpdates: written once with Ready, and unchanged as long as the check is Ready."""
        if verdict["state"] != "Ready":
            return {}
        source = old if old["state"] == "Ready" else verdict
        return {"podSetUpdates": source["podSetUpdates"]} if "podSetUpdates" in source else {}

    def update_problem(self, workload, verdict):
        """Return why updates cannot be told: an unknown pod set,
        or another value for a key that the pods have.
        """
        pods = {pod_set["name"]: pod_set["template"] for pod_set in workload["spec"]["podSets"]}
        for update in verdict.get("podSetUpdates") or ():
            if update["name"] not in pods:
                return f"there is no pod set {update['name']}"
            template = pods[update["name"]]
            has = {**template.get("metadata", {}), **template.get("spec", {})}
            for field in ("labels", "annotations", "nodeSelector"):
                for key, value in (update.get(field) or {}).items():
                    if (has.get(field) or {}).get(key, value) != value:
                        return f"pod set {update['name']} has another value for {field}[{key}]"
        return ""

    # Writing

    async def settle(self, path, stored, decide):
        """Write what `decide` makes of an object; after a conflict it is read and decided anew."""
        for tried in range(TRIES):
            desired = await decide(stored)
            if desired is None:
                return
            try:
                await self.write(path, desired, stored)
            except ApiError as error:
                if error.code != CONFLICT or tried == TRIES - 1:
                    raise
                stored = await self.read(path)
            else:
                return

    async def read(self, path):
        """Return the current object from the server."""
        return await self.api.get(path.removesuffix("/status"))

    async def write(self, path, desired, read):
        """PUT the status; its resourceVersion makes the server refuse a decision about an older state."""
        await self.api.put(path, desired)
