"""Users who submit Jobs of many shapes, follow each to its end, and remove it."""

import contextlib
import random
import threading
import time
from dataclasses import dataclass

from ..attack.client import Refused
from .api import BATCH, TROUBLE, WORKLOADS
from .stack import PRIORITIES, QUEUES

PATIENCE_SECONDS = 180.0
"""How long a user waits for the end of a Job before it has to have a reason for waiting."""
MOST_TRIES = 200
PAUSE_SECONDS = 1.0
LOOKS = 6


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a Job ended for its user: Complete, Failed, deleted, or why it waits; and a finding, if any."""

    word: str
    finding: str = ""


class User(threading.Thread):
    """Submits one Job after another until `is_over`, and waits for the last one."""

    def __init__(self, number, client, seed, is_over):
        super().__init__(name=f"user-{number}", daemon=True)
        self.number = number
        self.endings = []
        self.request_seconds = []
        """The time that each request took; whoever reads them takes them away."""
        self._client = client
        self._draw = random.Random(f"user {seed} {number}")
        self._is_over = is_over

    def run(self):
        """Submit and wait."""
        with contextlib.closing(self._client):
            submitted = 0
            while not self._is_over():
                submitted += 1
                self.endings.append(self._have_done(f"job-{self.number}-{submitted}"))

    def _have_done(self, name):
        """Submit a Job, wait for its end, and remove it."""
        self._insist("POST", BATCH, _job(name, self._draw))
        if self._draw.random() < 0.1:
            # A user who changes his mind, at any point of the Job's way.
            _wait(self._draw.uniform(0.0, 6.0))
            self._remove(name)
            return Ending(word="deleted")
        ending = self._await_end(name)
        self._remove(name)
        _wait(self._draw.uniform(0.0, PAUSE_SECONDS))
        return ending

    def _await_end(self, name):
        began = time.monotonic()
        while True:
            job = self._look(f"{BATCH}/{name}")
            if job is None:
                return Ending(word="lost", finding=f"Job {name} is gone, and nobody has deleted it")
            for condition in job.get("status", {}).get("conditions", ()):
                if condition["type"] in ("Complete", "Failed") and condition["status"] == "True":
                    return Ending(word=condition["type"])
            waited = time.monotonic() - began
            reason = self._reason(job["metadata"]["uid"])
            if reason == "Deactivated":
                return Ending(word="rejected by a check")
            if waited > PATIENCE_SECONDS:
                finding = "" if reason else f"Job {name} has no Workload after {waited:.0f} s"
                return Ending(word=f"waits: {reason}", finding=finding)
            _wait(PAUSE_SECONDS)

    def _reason(self, uid):
        """Return why the Workload of a Job waits; "" where there is none.

        Behind others of higher priority it may not be looked at for a long time, and then says nothing.
        """
        found = self._insist("GET", f"{WORKLOADS}?labelSelector=kueue.x-k8s.io/job-uid={uid}") or {
            "items": []
        }
        for workload in found["items"]:
            if workload["spec"].get("active") is False:
                return "Deactivated"
            conditions = {item["type"]: item for item in workload.get("status", {}).get("conditions", ())}
            for condition_type in ("Admitted", "Evicted", "QuotaReserved"):
                if condition_type in conditions:
                    return f"{condition_type} {conditions[condition_type]['reason']}"
            return "its first evaluation"
        return ""

    def _look(self, path):
        """Return an object, None where several looks do not find it: a stale read may be older than it is."""
        for _ in range(LOOKS):
            if (found := self._insist("GET", path)) is not None:
                return found
            _wait(PAUSE_SECONDS)
        return None

    def _remove(self, name):
        self._insist("DELETE", f"{BATCH}/{name}?propagationPolicy=Background")

    def _insist(self, method, path, body=None):
        """Ask until there is an answer that is no trouble; None where the object is not there."""
        for _ in range(MOST_TRIES):
            began = time.monotonic()
            try:
                return self._client.ask(method, path, body)
            except TROUBLE as trouble:
                if isinstance(trouble, Refused) and f"{path}: 404" in str(trouble):
                    return None
                # What the answer got lost of has been created all the same.
                if isinstance(trouble, Refused) and method == "POST" and f"{path}: 409" in str(trouble):
                    return None
                _wait(0.5)
            finally:
                self.request_seconds.append(time.monotonic() - began)
        raise RuntimeError(f"{method} {path} gets no answer in {MOST_TRIES} tries")


def _wait(seconds):
    threading.Event().wait(seconds)


def _job(name, draw):
    """Return a Job of a drawn queue, size, priority and fate."""
    fails = draw.random() < 0.1
    seconds = draw.uniform(1.0, 8.0)
    script = f"1s Running, {seconds:.1f}s {'Failed(1)' if fails else 'Succeeded'}"
    container = {
        "name": "main",
        "image": "registry.example/main",
        "resources": {"requests": {"cpu": str(draw.randint(1, 4))}},
    }
    labels = {"kueue.x-k8s.io/queue-name": draw.choice(QUEUES)}
    if draw.random() < 0.5:
        labels["kueue.x-k8s.io/priority-class"] = draw.choice(list(PRIORITIES))
    pods = draw.randint(1, 3)
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": name, "namespace": "default", "labels": labels},
        "spec": {
            "suspend": True,
            "parallelism": pods,
            "completions": pods,
            "backoffLimit": 0,
            "template": {
                "metadata": {"annotations": {"fakecluster.dev/script": script}},
                "spec": {"restartPolicy": "Never", "containers": [container]},
            },
        },
    }
