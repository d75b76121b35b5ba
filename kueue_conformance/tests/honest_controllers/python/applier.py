"""A check controller on server-side apply. It holds a Lease, so that of several copies one is at work,
and it begins slowly.
"""

import asyncio
import signal
import sys
import uuid
from collections.abc import Coroutine
from datetime import UTC, datetime
from typing import Any

import httpx
from kube import CONFLICT, KUEUE, NOT_FOUND, Api, ApiError
from objects import FINAL, Object, active_condition, condition, entries_of, entry, is_ours, may_act
from outside import Outside
from reflector import Name, Reflector

MANAGER = "acme-applier"
LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases"
LEASE_SECONDS, START_SECONDS, ROUND_SECONDS = 5, 2.0, 0.25
API_VERSION = "kueue.x-k8s.io/v1beta2"


class Lease:
    """The Lease of the controller; `is_held` until a second before it ends."""

    def __init__(self, api: Api) -> None:
        self.api, self.identity = api, f"applier-{uuid.uuid4()}"
        self.held_until, self.since = 0.0, 0.0
        self.known: Object = {}

    def is_held(self) -> bool:
        return asyncio.get_running_loop().time() < self.held_until

    async def run(self) -> None:
        """Hold the Lease, or wait until its holder renews it no more."""
        while True:
            try:
                await self.acquire(asyncio.get_running_loop().time())
            except (ApiError, httpx.HTTPError) as problem:
                print(f"lease: {problem!r}", flush=True)
            await asyncio.sleep(1)

    async def acquire(self, now: float) -> None:
        renewed = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
        own = {"holderIdentity": self.identity, "leaseDurationSeconds": LEASE_SECONDS, "renewTime": renewed}
        try:
            lease = await self.api.call("GET", f"{LEASES}/{MANAGER}")
        except ApiError as problem:
            if problem.status != NOT_FOUND:
                raise
            group = {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease"}
            await self.api.call("POST", LEASES, {**group, "metadata": {"name": MANAGER}, "spec": own})
            self.held_until = now + LEASE_SECONDS - 1
            return
        if lease["spec"] != self.known:
            self.known, self.since = lease["spec"], now
        duration = self.known.get("leaseDurationSeconds", LEASE_SECONDS)
        if self.known.get("holderIdentity") in ("", None, self.identity) or now > self.since + duration:
            await self.api.call("PUT", f"{LEASES}/{MANAGER}", {**lease, "spec": {**lease["spec"], **own}})
            self.held_until = now + LEASE_SECONDS - 1

    async def release(self) -> None:
        """Free the Lease for the next copy."""
        if self.is_held():
            self.held_until = 0
            lease = await self.api.call("GET", f"{LEASES}/{MANAGER}")
            lease["spec"] |= {"holderIdentity": "", "leaseDurationSeconds": 1}
            await self.api.call("PUT", f"{LEASES}/{MANAGER}", lease)


class Applier:
    """The controller: after a change, or a while, it looks at everything."""

    def __init__(self) -> None:
        self.api, self.outside, self.changed = Api("acme-applier/0.9"), Outside(), asyncio.Event()
        self.lease = Lease(self.api)
        self.checks = Reflector(self.api, f"{KUEUE}/admissionchecks", self.note)
        self.workloads = Reflector(self.api, f"{KUEUE}/workloads", self.note)

    def note(self, _name: Name) -> None:
        self.changed.set()

    async def apply(self, path: str, kind: str, metadata: Object, status: Object) -> None:
        body = {"apiVersion": API_VERSION, "kind": kind, "metadata": metadata, "status": status}
        query = {"fieldManager": MANAGER, "force": "true"}
        await self.api.call("PATCH", f"{KUEUE}/{path}/status", body, "apply-patch+yaml", **query)

    async def activate(self, check: Object) -> None:
        active = active_condition(check, message="applied")
        if condition(check, "Active") != active:
            metadata = {field: check["metadata"][field] for field in ("name", "uid")}
            path = f"admissionchecks/{metadata['name']}"
            await self.apply(path, "AdmissionCheck", metadata, {"conditions": [active]})

    async def judge(self, workload: Object, own: set[str]) -> None:
        if not may_act(workload):
            return
        listed = [old for old in entries_of(workload) if old["name"] in own]
        entries = [await self.judge_entry(workload, old) for old in listed]
        if entries != listed:
            # The resourceVersion: what was decided about an older state is refused.
            fields = ("name", "namespace", "uid", "resourceVersion")
            metadata = {field: workload["metadata"][field] for field in fields}
            path = f"namespaces/{metadata['namespace']}/workloads/{metadata['name']}"
            await self.apply(path, "Workload", metadata, {"admissionChecks": entries})

    async def judge_entry(self, workload: Object, old: Object) -> Object:
        return old if old["state"] in FINAL else entry(old, await self.outside.ask(workload, old["name"]))

    async def attempt(self, step: Coroutine[Any, Any, None]) -> None:
        """Take a step; what went wrong is looked at again in the next round."""
        try:
            await step
        except (ApiError, httpx.HTTPError, ValueError, KeyError) as problem:
            if getattr(problem, "status", 0) not in (NOT_FOUND, CONFLICT):
                print(f"{problem!r}", flush=True)

    async def work(self) -> None:
        await asyncio.gather(self.checks.synced.wait(), self.workloads.synced.wait())
        while True:
            try:
                await asyncio.wait_for(self.changed.wait(), ROUND_SECONDS)
            except TimeoutError:
                pass
            self.changed.clear()
            if self.lease.is_held():
                checks = [check for check in self.checks.cache.values() if is_ours(check)]
                own = {check["metadata"]["name"] for check in checks}
                steps = [self.activate(check) for check in checks]
                steps += [self.judge(workload, own) for workload in [*self.workloads.cache.values()]]
                await asyncio.gather(*map(self.attempt, steps))

    async def run(self) -> None:
        """Work until SIGTERM or SIGINT."""
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        await asyncio.sleep(START_SECONDS)
        duties = (self.lease.run(), self.checks.run(), self.workloads.run(), self.work())
        tasks = [loop.create_task(duty) for duty in duties]
        await stop.wait()
        for task in tasks:
            task.cancel()
        try:
            await asyncio.wait_for(self.lease.release(), 2)
        except (ApiError, httpx.HTTPError, TimeoutError):
            pass
        sys.exit(0)


if __name__ == "__main__":
    asyncio.run(Applier().run())
