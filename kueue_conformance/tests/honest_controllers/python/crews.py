"""A check controller on the official client with a thread, a crew, for each namespace; PUT, and after a
conflict it reads and judges again.
"""

import os
import queue
import signal
import threading
import time
from collections.abc import Callable

import httpx
from kube import CONFLICT, NOT_FOUND
from kubernetes import client, config, watch
from kubernetes.client import ApiException
from objects import (
    FINAL,
    OURS,
    VERDICTS,
    Object,
    active_condition,
    condition,
    conditions_with,
    entries_of,
    entry,
    is_ours,
    may_act,
)

KUEUE = ("kueue.x-k8s.io", "v1beta2")
ASK_AGAIN, WAITS = 0.3, (0, 0.1, 0.3, 1, 3)


class Crew(threading.Thread):
    """Judges the Workloads of one namespace in turn, those with open verdicts again after a while."""

    def __init__(self, api: client.CustomObjectsApi, owns: Callable[[str], bool], namespace: str) -> None:
        super().__init__(daemon=True)
        self.api, self.owns, self.namespace = api, owns, namespace
        self.names = queue.Queue[str]()
        self.due: dict[str, float] = {}
        self.outside = httpx.Client(timeout=5, trust_env=False)

    def run(self) -> None:
        while True:
            now = time.monotonic()
            names = {name for name, at in self.due.items() if at <= now} | self.take_names()
            for name in sorted(names):
                self.due.pop(name, None)
                try:
                    if self.judge(name):
                        self.due[name] = time.monotonic() + ASK_AGAIN
                except Exception as problem:
                    print(f"{self.namespace}/{name}: {problem}", flush=True)
                    self.due[name] = time.monotonic() + retry_after(problem, 1)

    def take_names(self) -> set[str]:
        """Return the names that are waiting; wait a moment for the first."""
        names = set()
        try:
            names.add(self.names.get(timeout=0.1))
            while True:
                names.add(self.names.get_nowait())
        except queue.Empty:
            return names

    def judge(self, name: str) -> bool:
        """Write the verdicts about a Workload; tell whether to look at it again."""
        where = (*KUEUE, self.namespace, "workloads", name)
        while True:
            try:
                workload = self.api.get_namespaced_custom_object(*where)
                if not may_act(workload):
                    return False
                entries = [self.judge_entry(name, old) for old in entries_of(workload)]
                if entries != entries_of(workload):
                    body = {**workload, "status": {**workload["status"], "admissionChecks": entries}}
                    self.api.replace_namespaced_custom_object_status(*where, body)
                return any(new["state"] not in FINAL for new in entries if self.owns(new["name"]))
            except ApiException as problem:
                if problem.status == NOT_FOUND:
                    return False
                if problem.status != CONFLICT:
                    raise

    def judge_entry(self, workload_name: str, old: Object) -> Object:
        if not self.owns(old["name"]) or old["state"] in FINAL:
            return old
        query = {"namespace": self.namespace, "workload": workload_name, "check": old["name"]}
        answer = self.outside.get(VERDICTS, params=query)
        answer.raise_for_status()
        return entry(old, answer.json())


class Foreman:
    """Follows both kinds, and calls the crews."""

    def __init__(self) -> None:
        config.load_config()
        self.api = client.CustomObjectsApi()
        self.lock = threading.Lock()
        self.checks: dict[str, Object] = {}
        self.crews: dict[str, Crew] = {}

    def owns(self, name: str) -> bool:
        with self.lock:
            return name in self.checks and is_ours(self.checks[name])

    def take_workload(self, kind: str, workload: Object) -> None:
        namespace, name = workload["metadata"]["namespace"], workload["metadata"]["name"]
        if kind == "DELETED":
            return
        with self.lock:
            if namespace not in self.crews:
                self.crews[namespace] = Crew(self.api, self.owns, namespace)
                self.crews[namespace].start()
            self.crews[namespace].names.put(name)

    def take_check(self, kind: str, check: Object) -> None:
        name = check["metadata"]["name"]
        with self.lock:
            self.checks.pop(name, None)
            if kind != "DELETED":
                self.checks[name] = check
        if self.owns(name):
            self.activate(name)
            for workload in self.api.list_cluster_custom_object(*KUEUE, "workloads")["items"]:
                if any(listed["name"] == name for listed in entries_of(workload)):
                    self.take_workload("MODIFIED", workload)

    def activate(self, name: str) -> None:
        """Set a check Active, in several tries."""
        for wait in WAITS:
            time.sleep(wait)
            try:
                check = self.api.get_cluster_custom_object(*KUEUE, "admissionchecks", name)
                active = active_condition(check, message=f"crews of {OURS} are at work")
                if is_ours(check) and condition(check, "Active") != active:
                    status = {**check.get("status", {}), "conditions": conditions_with(check, active)}
                    body = {**check, "status": status}
                    self.api.replace_cluster_custom_object_status(*KUEUE, "admissionchecks", name, body)
            except ApiException as problem:
                if problem.status == NOT_FOUND:
                    return
            else:
                return

    def follow(self, plural: str, take: Callable[[str, Object], None]) -> None:
        """List and watch a kind for ever."""
        read = self.api.list_cluster_custom_object
        while True:
            try:
                listed = read(*KUEUE, plural)
                if plural == "admissionchecks":
                    with self.lock:
                        names = {item["metadata"]["name"] for item in listed["items"]}
                        self.checks = {name: check for name, check in self.checks.items() if name in names}
                for item in listed["items"]:
                    take("ADDED", item)
                since = {"resource_version": listed["metadata"]["resourceVersion"], "timeout_seconds": 200}
                for event in watch.Watch().stream(read, *KUEUE, plural, **since):
                    take(event["type"], event["object"])
            except Exception as problem:
                print(f"{plural}: {problem}", flush=True)
                time.sleep(retry_after(problem, 0.5))


def retry_after(problem: Exception, seconds: float) -> float:
    """Return for how long the server wants to be left alone, `seconds` when it does not say."""
    headers = getattr(problem, "headers", None) or {}
    return float(headers.get("Retry-After", seconds))


if __name__ == "__main__":
    # At once, also while a thread waits for an answer.
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    foreman = Foreman()
    threading.Thread(target=foreman.follow, args=("admissionchecks", foreman.take_check), daemon=True).start()
    foreman.follow("workloads", foreman.take_workload)
