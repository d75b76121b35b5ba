"""A check controller on asyncio: reflectors fill three caches, workers empty a queue of keys.

While a Workload may be judged it holds a claim at the license service. MISTAKE names one honest mistake.
"""

import asyncio
import signal
import sys
from typing import Any

import httpx
from kube import CONFLICT, KUEUE, NOT_FOUND, Api, ApiError
from objects import (
    FINAL,
    MISTAKE,
    Object,
    active_condition,
    condition,
    conditions_with,
    delay,
    entries_of,
    entry,
    is_ours,
    may_act,
    pod_set_updates,
)
from outside import Outside
from reflector import Name, Reflector
from work_queue import Key, WorkQueue

BUDGETS = "/apis/example.com/v1/budgets"
WORKERS, LONGEST_WAIT = 4, 3.0
ASK_AGAIN = {"Pending": 0.25, "Ready": 1.0}
"""After how many seconds a verdict is asked for again."""


class Warden:
    """The controller."""

    def __init__(self) -> None:
        self.api, self.outside, self.queue = Api("warden/1.0"), Outside(), WorkQueue()
        self.checks = Reflector(self.api, f"{KUEUE}/admissionchecks", self.check_changed)
        self.workloads = Reflector(self.api, f"{KUEUE}/workloads", self.workload_changed)
        self.budgets = Reflector(self.api, BUDGETS, self.budget_changed)
        self.told: dict[Name, Any] = {}
        self.names_at_first: dict[str, set[str]] = {}

    # What has to be looked at after a change

    def check_changed(self, name: Name) -> None:
        self.queue.add(("check", *name))
        for workload_name, workload in self.workloads.cache.items():
            if any(listed["name"] == name[1] for listed in entries_of(workload)):
                self.workload_changed(workload_name)

    def workload_changed(self, name: Name) -> None:
        self.queue.add(("workload", *name))

    def budget_changed(self, _name: Name) -> None:
        for name in self.checks.cache:
            self.check_changed(name)

    # Checks

    def owns(self, name: str) -> bool:
        check = self.checks.cache.get(("", name))
        return check is not None and is_ours(check)

    def problem_of(self, check: Object) -> str:
        """Return why a check cannot be used, empty when it can."""
        reference = check["spec"].get("parameters")
        if not reference:
            return ""
        budget = self.budgets.cache.get(("", reference["name"]))
        if MISTAKE == "first-parameters":
            budget = next(iter(self.budgets.cache.values()), None)
        if (reference["apiGroup"], reference["kind"]) != ("example.com", "Budget"):
            return f"{reference['kind']} of {reference['apiGroup']} is no Budget of example.com"
        if budget is None or "deletionTimestamp" in budget["metadata"]:
            return f"there is no Budget {reference['name']}"
        if budget.get("spec", {}).get("limit", 0) < 0:
            return f"the Budget {reference['name']} has no limit of at least 0"
        return ""

    async def work_on_check(self, name: str) -> None:
        """Bring the Active condition of a check up to date."""
        if not self.owns(name):
            return
        check = self.checks.cache["", name]
        if problem := self.problem_of(check):
            active = active_condition(check, "False", "BadParameters", problem)
        else:
            active = active_condition(check, message="The check can be used")
        if condition(check, "Active") != active:
            await self.patch(f"admissionchecks/{name}", check, {"conditions": conditions_with(check, active)})

    # Workloads

    async def work_on_workload(self, namespace: str, name: str) -> None:
        """Bring our entries of a Workload up to date, and hold its claim while it needs that."""
        workload = self.workloads.cache.get((namespace, name))
        if workload is None and MISTAKE == "gone-unreleased":
            return
        own = {listed["name"] for listed in entries_of(workload or {}) if self.owns(listed["name"])}
        if workload is None or not own or not may_act(workload):
            self.told.pop((namespace, name), None)
            await self.outside.release(namespace, name)
            return
        if MISTAKE == "checks-of-first-sight":
            own &= self.names_at_first.setdefault(workload["metadata"]["uid"], own)
        await self.outside.claim(namespace, name)
        entries = [await self.judge(workload, old, own) for old in entries_of(workload)]
        waits = [ASK_AGAIN.get(new["state"]) for new in entries if new["name"] in own]
        if seconds := min(filter(None, waits), default=None):
            self.queue.add_later(("workload", namespace, name), seconds)
        if entries != entries_of(workload) and not self.was_told(namespace, name, entries):
            path = f"namespaces/{namespace}/workloads/{name}"
            await self.patch(path, workload, {"admissionChecks": entries})

    async def judge(self, workload: Object, old: Object, own: set[str]) -> Object:
        """Return an entry of ours with a fresh verdict, and any other unchanged."""
        if old["name"] not in own or old["state"] in FINAL:
            return old
        if problem := self.problem_of(self.checks.cache["", old["name"]]):
            return {**old, "message": problem} if old["state"] == "Pending" else old
        verdict = await self.outside.ask(workload, old["name"])
        new = entry(old, verdict)
        if new["state"] == old["state"]:
            return new
        return {**new, **delay(verdict), **pod_set_updates(workload, verdict)}

    def was_told(self, namespace: str, name: str, entries: list[Object]) -> bool:
        """Tell whether these states were written before: a mistake, as a write may be refused."""
        states = [(new["name"], new["state"]) for new in entries]
        known = self.told.get((namespace, name))
        self.told[namespace, name] = states
        return MISTAKE == "told-before-written" and known == states

    async def patch(self, path: str, document: Object, status: Object) -> None:
        """Write a status; the resourceVersion makes the server refuse a decision about an older state."""
        body = {"metadata": {"resourceVersion": document["metadata"]["resourceVersion"]}, "status": status}
        await self.api.call("PATCH", f"{KUEUE}/{path}/status", body, "merge-patch+json")

    # Working

    async def work(self) -> None:
        """Work on keys for ever; what goes wrong with a key is tried again, later and later."""
        caught: Any = ApiError if MISTAKE == "dead-worker" else Exception
        while True:
            key = await self.queue.take()
            try:
                await self.work_on(key)
                self.queue.forget(key)
            except caught as problem:
                if getattr(problem, "status", 0) not in (NOT_FOUND, CONFLICT):
                    print(f"{key}: {problem!r}", flush=True)
                wait = min(LONGEST_WAIT, 0.05 * 2 ** self.queue.count_failure(key))
                self.queue.add_later(key, max(getattr(problem, "retry_after", 0), wait))
            finally:
                self.queue.done(key)

    async def work_on(self, key: Key) -> None:
        kind, namespace, name = key
        if kind == "check":
            await self.work_on_check(name)
        else:
            await self.work_on_workload(namespace, name)

    async def look_at_claims(self) -> None:
        """Look at every Workload that holds a claim of before a restart."""
        while True:
            try:
                for claim in await self.outside.claims():
                    self.workload_changed((claim["namespace"], claim["workload"]))
            except (httpx.HTTPError, ValueError) as problem:
                print(f"claims: {problem!r}", flush=True)
                await asyncio.sleep(1)
            else:
                return

    async def run(self) -> None:
        """Work until cancelled, from when every kind was listed on."""
        reflectors = (self.checks, self.budgets, self.workloads)
        tasks = [asyncio.create_task(reflector.run()) for reflector in reflectors]
        for reflector in reflectors:
            await reflector.synced.wait()
        await self.look_at_claims()
        tasks += [asyncio.create_task(self.work()) for _ in range(WORKERS)]
        await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    asyncio.run(Warden().run())
