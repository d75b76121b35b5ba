"""What is stored, followed from outside: quota in use, leaders, and how late events come."""

import contextlib
import threading
import time

from .api import CONFIG_MAPS, KUEUE, LEASES, TROUBLE
from .stack import QUOTA

BEAT_SECONDS = 0.5


def is_true(workload, condition_type):
    """Tell whether a condition of a Workload is True."""
    conditions = workload.get("status", {}).get("conditions", ())
    return any(item["type"] == condition_type and item["status"] == "True" for item in conditions)


def usage(workload):
    """Return the ClusterQueue and the CPUs that a Workload holds; nothing, 0 where it holds none.

    One that is deactivated has given its quota back before its job stopped (T-01).
    """
    admission = workload.get("status", {}).get("admission")
    is_over = is_true(workload, "Finished") or workload.get("spec", {}).get("active") is False
    if admission is None or is_over or not is_true(workload, "QuotaReserved"):
        return "", 0.0
    returned = {item["name"]: item["count"] for item in workload["status"].get("reclaimablePods", ())}
    held = 0.0
    for assignment in admission["podSetAssignments"]:
        count = assignment["count"]
        # The usage is of all pods of the set; those that are done have given theirs back.
        still = max(0, count - returned.get(assignment["name"], 0))
        held += _cpus(assignment.get("resourceUsage", {}).get("cpu", "0")) * still / max(1, count)
    return admission["clusterQueue"], held


def _cpus(quantity):
    return float(quantity[:-1]) / 1000 if quantity.endswith("m") else float(quantity)


class Quota:
    """Sums up what Workloads hold, event by event, and notes where it is more than there is."""

    def __init__(self):
        self.findings = []
        self.highest = 0.0
        self.reservations = 0
        self._held = {}

    def take(self, kind, content):
        """Take an event of the Workloads' watch, or the list that it begins with."""
        if kind == "LISTED":
            self._held = {item["metadata"]["uid"]: usage(item) for item in content["items"]}
            self._check(content)
        elif kind in ("ADDED", "MODIFIED", "DELETED"):
            uid = content["metadata"]["uid"]
            before = self._held.pop(uid, ("", 0.0))
            if kind != "DELETED":
                self._held[uid] = usage(content)
                self.reservations += not before[0] and bool(self._held[uid][0])
            self._check(content)

    def _check(self, content):
        totals = {}
        for queue, cpus in self._held.values():
            totals[queue] = totals.get(queue, 0.0) + cpus
        totals.pop("", None)
        self.highest = max([self.highest, *totals.values()])
        for queue, total in totals.items():
            if total > QUOTA + 1e-6:
                name, revision = (content["metadata"].get(key) for key in ("name", "resourceVersion"))
                self.findings.append(
                    f"ClusterQueue {queue} holds {total:g} of {QUOTA} CPUs at revision {revision}, written to {name or 'a list'}"
                )


class Leaders:
    """Counts who held each Lease."""

    def __init__(self):
        self.changes = 0
        self._holders = {}

    def take(self, kind, content):
        """Take an event of the Leases' watch, or the list that it begins with."""
        for lease in content["items"] if kind == "LISTED" else [content]:
            holder = lease.get("spec", {}).get("holderIdentity", "")
            before = self._holders.get(lease["metadata"]["name"], "")
            self.changes += bool(holder and before and holder != before)
            if holder:
                self._holders[lease["metadata"]["name"]] = holder


class Lag:
    """Writes a ConfigMap every half second and notes how late its watch says so."""

    def __init__(self):
        self.seconds = []
        self._sent = {}

    def beat(self, client, number):
        """Write the next number."""
        self._sent[number] = time.monotonic()
        patch = {"apiVersion": "v1", "kind": "ConfigMap", "data": {"beat": str(number)}}
        with contextlib.suppress(*TROUBLE):
            client.ask("PUT", f"{CONFIG_MAPS}/beat", {**patch, "metadata": {"name": "beat"}})

    def take(self, kind, content):
        """Take an event of the watch of this ConfigMap."""
        if kind == "MODIFIED":
            sent = self._sent.pop(int(content["data"]["beat"]), None)
            if sent is not None:
                self.seconds.append(time.monotonic() - sent)


class Observer:
    """Follows Workloads, Leases and a ConfigMap of its own, in a thread each; use in a `with` block."""

    def __init__(self, make_client):
        self._make_client = make_client
        self._is_over = threading.Event()
        self.quota, self.leaders, self.lag = Quota(), Leaders(), Lag()
        self._threads = [
            threading.Thread(target=self._follow, args=(f"{KUEUE}/workloads", self.quota), daemon=True),
            threading.Thread(target=self._follow, args=(LEASES, self.leaders), daemon=True),
            threading.Thread(
                target=self._follow,
                args=(f"{CONFIG_MAPS}?fieldSelector=metadata.name=beat", self.lag),
                daemon=True,
            ),
            threading.Thread(target=self._beat, daemon=True),
        ]

    def __enter__(self):
        with contextlib.closing(self._make_client("soak-observer")) as client:
            client.create(CONFIG_MAPS, {"metadata": {"name": "beat"}, "data": {"beat": "0"}})
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()

    def _follow(self, path, reader):
        with contextlib.closing(self._make_client("soak-observer")) as client:
            for kind, content in client.follow(path, self._is_over.is_set):
                reader.take(kind, content)

    def _beat(self):
        with contextlib.closing(self._make_client("soak-observer")) as client:
            number = 0
            while not self._is_over.wait(BEAT_SECONDS):
                number += 1
                self.lag.beat(client, number)
