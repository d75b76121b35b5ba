"""A small AdmissionCheck controller on kopf:
it asks an HTTP endpoint for each verdict and writes it down as Kueue expects.

Only `on.event` handlers: handlers that keep their state in annotations, and timers, which need a finalizer,
would change objects that are not ours.
"""

import asyncio
import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

import kopf
from kubernetes import client, config
from kubernetes.client import ApiException
from urllib3.exceptions import HTTPError

GROUP, VERSION = "kueue.x-k8s.io", "v1beta2"
NAME = os.environ.get("KUEUE_CONFORMANCE_CONTROLLER_NAME", "example.com/budget")
VERDICTS = os.environ["KUEUE_CONFORMANCE_VERDICT_URL"]
POLL_SECONDS = float(os.environ.get("POLL_SECONDS", "0.1"))
VERDICT_STATES = ("Ready", "Retry", "Rejected")
LONGEST_MESSAGE = 1000
Object = dict[str, Any]
Key = tuple[str, str]

checks: dict[str, Object] = {}
workloads: dict[Key, Object] = {}
asking: dict[Key, asyncio.Task[None]] = {}


class Patience:
    """The pauses between tries of one request: kopf's own come to an end, and kopf with them."""

    def __iter__(self) -> Iterator[float]:
        """Yield seconds, later and later, for ever."""
        yield from (0.1, 0.2, 0.5)
        while True:
            yield 1.0


@kopf.on.startup()
def configure(settings: kopf.OperatorSettings, **_: Any) -> None:
    """Use the same cluster for writes; post no events about objects of others."""
    settings.posting.enabled = False
    settings.networking.error_backoffs = Patience()
    config.load_kube_config()


@kopf.on.event(GROUP, VERSION, "admissionchecks")
async def check_changed(event: Object, body: kopf.Body, name: str, **_: Any) -> None:
    """Remember our checks as long as they stay, say that they can be used, and look at every Workload anew."""
    goes = event["type"] == "DELETED" or "deletionTimestamp" in body["metadata"]
    if goes or body["spec"].get("controllerName") != NAME:
        checks.pop(name, None)
        return
    known = name in checks
    checks[name] = dict(body)
    await asyncio.to_thread(activate, checks[name])
    if not known:
        for key in workloads:
            look_at(key)


@kopf.on.event(GROUP, VERSION, "workloads")
async def workload_changed(event: Object, body: kopf.Body, namespace: str, name: str, **_: Any) -> None:
    """Remember the newest state of a Workload and look at it."""
    if event["type"] == "DELETED":
        workloads.pop((namespace, name), None)
    else:
        workloads[namespace, name] = dict(body)
        look_at((namespace, name))


def look_at(key: Key) -> None:
    """Have a Workload judged until no verdict on it may change any more; one task for each."""
    if key not in asking and any(our_entries(workloads[key])):
        asking[key] = asyncio.create_task(keep_judging(key))


async def keep_judging(key: Key) -> None:
    """Judge, wait, and judge again what is known then; trouble is printed and tried again, later and later."""
    wait = POLL_SECONDS
    try:
        while (workload := workloads.get(key)) and any(our_entries(workload)):
            try:
                await asyncio.to_thread(judge, workload)
                wait = POLL_SECONDS
            except (ApiException, HTTPError, OSError, ValueError) as problem:
                print(f"judging {key}: {problem}", flush=True)
                wait = min(30.0, 2 * wait)
            await asyncio.sleep(wait)
    finally:
        del asking[key]


def our_entries(workload: Object) -> Iterator[Object]:
    """Yield the entries that we may change now: ours, not final, of a Workload that has quota and is not on
    its way out.
    """
    over = is_true(workload, "Evicted") or is_true(workload, "Finished")
    wanted = workload["spec"].get("active", True) and "deletionTimestamp" not in workload["metadata"]
    if is_true(workload, "QuotaReserved") and wanted and not over:
        entries = workload["status"].get("admissionChecks", [])
        yield from (
            one for one in entries if one["name"] in checks and one["state"] not in ("Retry", "Rejected")
        )


def judge(workload: Object) -> None:
    """Ask for a verdict on each entry and write those that changed; the resourceVersion makes the server
    refuse an old decision.
    """
    judged = {one["name"]: told(one, ask(workload, one["name"])) for one in our_entries(workload)}
    before = workload["status"].get("admissionChecks", [])
    after = [judged.get(one["name"], one) for one in before]
    if after == before:
        return
    metadata = workload["metadata"]
    where = (GROUP, VERSION, metadata["namespace"], "workloads", metadata["name"])
    body = {**workload, "status": {**workload["status"], "admissionChecks": after}}
    try:
        client.CustomObjectsApi().replace_namespaced_custom_object_status(*where, body)
    except ApiException as problem:
        if problem.status not in (404, 409):  # Gone, or changed meanwhile: the next event tells.
            raise


def ask(workload: Object, check: str) -> Object:
    """Return the outside system's verdict."""
    metadata = workload["metadata"]
    asked = {"namespace": metadata["namespace"], "workload": metadata["name"], "check": check}
    with urlopen(f"{VERDICTS}?{urlencode(asked)}", timeout=10) as answer:  # noqa: S310 - the operator chose the address
        verdict: Object = json.load(answer)
        return verdict


def told(old: Object, verdict: Object) -> Object:
    """Return the entry that tells a verdict:
    its time moves only with its state, and Kueue's retryCount stays.
    """
    state = verdict.get("state")
    waits = state == old["state"] == "Pending" and "message" in verdict
    if state not in VERDICT_STATES and not waits:
        return old
    kept = {key: old[key] for key in ("name", "retryCount") if key in old}
    delay = verdict.get("requeueAfterSeconds", -1) if state == "Retry" else -1
    more = {"requeueAfterSeconds": delay} if delay >= 0 else {}
    since = old["lastTransitionTime"] if state == old["state"] else timestamp()
    message = (verdict.get("message") or f"The outside system says {state}")[:LONGEST_MESSAGE]
    return {**kept, "state": state, "message": message, "lastTransitionTime": since, **more}


def activate(check: Object) -> None:
    """Say that a check can be used, once for each generation of it."""
    old, generation = condition(check, "Active"), check["metadata"]["generation"]
    if old.get("status") == "True" and old.get("observedGeneration") == generation:
        return
    since = old["lastTransitionTime"] if old.get("status") == "True" else timestamp()
    active = {"type": "Active", "status": "True", "reason": "Active", "message": "The check can be used"}
    active |= {"lastTransitionTime": since, "observedGeneration": generation}
    others = [one for one in check.get("status", {}).get("conditions", []) if one["type"] != "Active"]
    body = {**check, "status": {**check.get("status", {}), "conditions": [*others, active]}}
    name = check["metadata"]["name"]
    try:
        client.CustomObjectsApi().replace_cluster_custom_object_status(
            GROUP, VERSION, "admissionchecks", name, body
        )
    except ApiException as problem:
        if problem.status not in (404, 409):
            raise


def condition(thing: Object, name: str) -> Object:
    """Return a condition, empty when there is none."""
    return next((one for one in thing.get("status", {}).get("conditions", []) if one["type"] == name), {})


def is_true(thing: Object, name: str) -> bool:
    """Tell whether a condition is True."""
    return condition(thing, name).get("status") == "True"


def timestamp() -> str:
    """Return the present as the API writes it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")  # noqa: TID251 - a program of its own has no other clock
