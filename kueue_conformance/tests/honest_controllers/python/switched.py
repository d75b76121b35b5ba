"""A gate on the official client, behind one ConfigMap: while `data.open` is "yes" every Workload passes,
otherwise the entries are Pending, also those that were Ready.
"""

import os
import signal
import threading
from collections.abc import Callable
from typing import Any

from kube import CONFLICT, NOT_FOUND
from kubernetes import client, config, watch
from kubernetes.client import ApiException
from objects import (
    FINAL,
    Object,
    active_condition,
    condition,
    conditions_with,
    entries_of,
    is_ours,
    may_act,
    timestamp,
)

NAMESPACE, NAME = "gate-system", "gate"
KUEUE = ("kueue.x-k8s.io", "v1beta2")


class Gate:
    """Three threads follow a kind each; one looks at everything after a change."""

    def __init__(self) -> None:
        config.load_config()
        self.custom, self.core = client.CustomObjectsApi(), client.CoreV1Api()
        self.caches: dict[str, dict[Any, Object]] = {"admissionchecks": {}, "workloads": {}, "configmaps": {}}
        self.synced: set[str] = set()
        self.changed = threading.Event()

    def follow(self, plural: str) -> None:
        """Keep a cache like the server, for ever."""
        read, where, only = self.custom.list_cluster_custom_object, (*KUEUE, plural), {}
        if plural == "configmaps":
            read, where = self.core.list_namespaced_config_map, (NAMESPACE,)
            only = {"field_selector": f"metadata.name={NAME}"}
        serialize = client.ApiClient().sanitize_for_serialization
        while True:
            try:
                listed = serialize(read(*where, **only))
                self.caches[plural] = {name_of(item): item for item in listed["items"]}
                self.synced.add(plural)
                self.changed.set()
                since = {"resource_version": listed["metadata"]["resourceVersion"], "timeout_seconds": 120}
                for event in watch.Watch().stream(read, *where, **since, **only):
                    self.note(plural, event["type"], event["raw_object"])
            except Exception as problem:
                print(f"{plural}: {problem}", flush=True)
                threading.Event().wait(0.5)

    def note(self, plural: str, kind: str, document: Object) -> None:
        if kind == "DELETED":
            self.caches[plural].pop(name_of(document), None)
        else:
            self.caches[plural][name_of(document)] = document
        self.changed.set()

    def state(self) -> str:
        """Return the state that the switch asks for."""
        switches = [*self.caches["configmaps"].values()]
        is_open = any(switch.get("data", {}).get("open") == "yes" for switch in switches)
        return "Ready" if is_open else "Pending"

    def activate(self, check: Object) -> None:
        active = active_condition(check, message="follows the ConfigMap gate")
        if condition(check, "Active") != active:
            status = {**check.get("status", {}), "conditions": conditions_with(check, active)}
            name = check["metadata"]["name"]
            self.custom.replace_cluster_custom_object_status(
                *KUEUE, "admissionchecks", name, {**check, "status": status}
            )

    def judge(self, workload: Object, own: set[str], state: str) -> None:
        if not may_act(workload):
            return
        text = {"state": state, "message": f"the gate says {state}", "lastTransitionTime": timestamp()}
        entries = [
            {**old, **text} if old["name"] in own and old["state"] not in (state, *FINAL) else old
            for old in entries_of(workload)
        ]
        if entries != entries_of(workload):
            namespace, name = name_of(workload)
            body = {**workload, "status": {**workload["status"], "admissionChecks": entries}}
            self.custom.replace_namespaced_custom_object_status(*KUEUE, namespace, "workloads", name, body)

    def look_at_everything(self) -> bool:
        """Look at everything; tell whether that went well."""
        state = self.state()
        checks = [check for check in [*self.caches["admissionchecks"].values()] if is_ours(check)]
        own = {check["metadata"]["name"] for check in checks}
        went_well = [attempt(self.activate, check) for check in checks]
        workloads = [*self.caches["workloads"].values()]
        return all(went_well + [attempt(self.judge, workload, own, state) for workload in workloads])

    def run(self) -> None:
        for plural in self.caches:
            threading.Thread(target=self.follow, args=(plural,), daemon=True).start()
        wait = None
        while True:
            self.changed.wait(wait)
            self.changed.clear()
            if self.synced == self.caches.keys():
                wait = None if self.look_at_everything() else 1.0


def name_of(document: Object) -> tuple[str, str]:
    return document["metadata"].get("namespace", ""), document["metadata"]["name"]


def attempt(step: Callable[..., None], *arguments: Any) -> bool:
    """Take a step; an object that is gone or has changed comes back through its watch."""
    try:
        step(*arguments)
    except ApiException as problem:
        if problem.status not in (NOT_FOUND, CONFLICT):
            print(f"{step.__name__}: {problem.status} {problem.reason}", flush=True)
            return False
    except Exception as problem:
        print(f"{step.__name__}: {problem}", flush=True)
        return False
    return True


if __name__ == "__main__":
    # At once, also while a thread waits for an answer.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    Gate().run()
