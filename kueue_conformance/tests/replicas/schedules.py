"""Random schedules: what users do, and what happens to the
two replicas meanwhile. A seed makes the same one again.
"""

from collections import Counter
from contextlib import contextmanager
from random import Random

from .stopping import Replica
from .story import GROUP, phase

QUOTA = 10
REPLICAS = 2
EVENTS = 4
CALM_MINUTES = 10
"""Within these everything is admitted that can be.
Virtual time passes quickly for a replica that waits for the lease.
"""

FLAVOR = {"kind": "ResourceFlavor", "metadata": {"name": "default"}}
CLUSTER_QUEUE = {
    "kind": "ClusterQueue",
    "metadata": {"name": "cq"},
    "spec": {
        "namespaceSelector": {},
        "resourceGroups": [
            {
                "coveredResources": ["cpu"],
                "flavors": [{"name": "default", "resources": [{"name": "cpu", "nominalQuota": str(QUOTA)}]}],
            }
        ],
    },
}
LOCAL_QUEUE = {
    "kind": "LocalQueue",
    "metadata": {"name": "lq", "namespace": "default"},
    "spec": {"clusterQueue": "cq"},
}
WORKLOADS = f"{GROUP}/namespaces/default/workloads"


def workload(name, pods, priority=0):
    pod = {
        "restartPolicy": "Never",
        "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}],
    }
    return {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "Workload",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {
            "queueName": "lq",
            "priority": priority,
            "podSets": [{"name": "main", "count": pods, "template": {"spec": pod}}],
        },
    }


class Schedule:
    """One run of a cluster with two replicas. Times are virtual;
    `told` is what happened, for the text of a failure.
    """

    def __init__(self, seed, cluster, config):
        self.random, self.cluster, self.config = Random(seed), cluster, config
        self.replicas = cluster.call(lambda: [Replica(cluster, config) for _ in range(REPLICAS)])
        self.gone, self.told, self.made = [], [], 0

    def run(self):
        """Let things happen, then everything go on until the cluster rests."""
        self.cluster.advance(5)
        for _ in range(EVENTS):
            self.finish()
            self.random.choice([self.stop, self.stop, self.stop, self.kill, self.set_time])()
            self.submit()
            self.pass_time(self.random.choice([0.0, 0.5, 3.0]))
            self.submit()
            self.finish()
            self.pass_time(self.random.choice([0.0, 0.5, 3.0, 11.0, 15.5, 16.0, 19.0, 19.0, 40.0]))
            if self.random.random() < 0.8:
                self.go_on()
                self.pass_time(self.random.choice([0.0, 0.5, 4.0]))
        self.go_on()
        for _ in range(CALM_MINUTES):
            self.pass_time(60.0)
            if self.rests():
                break

    def end(self):
        self.cluster.run(self._end())

    async def _end(self):
        for replica in (*self.gone, *self.replicas):
            await replica.end()

    def submit(self):
        """Users ask for more than there is."""
        first, self.made = self.made, self.made + self.random.randint(0, 8)
        workloads = [
            workload(f"w{item}", self.random.randint(1, 3), priority=self.random.randint(0, 9))
            for item in range(first, self.made)
        ]
        with self._at_once():
            for manifest in workloads:
                self.cluster.request("POST", WORKLOADS, manifest)

    def finish(self):
        """Some that run are done."""
        share = self.random.choice([0.3, 0.7, 1.0])
        done = [
            workload
            for workload in self.workloads()
            if phase(workload) == "admitted" and self.random.random() < share
        ]
        with self._at_once():
            for step in done:
                self._finish(step["metadata"]["name"])

    @contextmanager
    def _at_once(self):
        """Let no replica take a step meanwhile."""
        moving = [replica for replica in self.replicas if not replica.clock.stopped]
        self.cluster.call(lambda: [replica.clock.stop() for replica in moving])
        yield
        self.cluster.call(lambda: [replica.resume() for replica in moving])

    def _finish(self, name):
        done = {
            "type": "Finished",
            "status": "True",
            "reason": "Succeeded",
            "message": "done",
            "lastTransitionTime": "2026-01-01T00:00:00Z",
        }
        body = {**workload(name, 1), "status": {"conditions": [done]}}
        del body["spec"]
        query = (("fieldManager", "user"), ("force", "true"))
        self.cluster.request(
            "PATCH",
            f"{WORKLOADS}/{name}/status",
            body,
            query=query,
            headers={"content-type": "application/apply-patch+yaml"},
        )

    def stop(self):
        """Stop the leader, most of the time, somewhere in its work."""
        steps = self.random.choice([0, 3, *range(10, 50, 4), 60, 100, 200])
        self._to_one("stopped", lambda item: item.stop_after(steps))

    def kill(self):
        """End a replica for good, somewhere in its work, and start another."""
        steps = self.random.choice([0, 5, 20, 80, 200])
        to_one = self._to_one("killed", lambda to_one: to_one.stop_after(steps))
        self.gone.append(to_one)
        self.replicas[self.replicas.index(to_one)] = self.cluster.call(
            lambda: Replica(self.cluster, self.config)
        )

    def set_time(self):
        """Set the time of day of a replica."""
        seconds = self.random.choice([-3600, -20, -11, 11, 20, 3600])

        def jump(replica):
            replica.clock.ahead += seconds

        self._to_one(f"set {seconds} s", jump)

    def _to_one(self, action_text, action):
        """Do something to the leader, more often than not, or to the other."""
        leaders_first = sorted(self.replicas, key=lambda replica: not replica.leads)
        replica = leaders_first[self.random.random() < 0.25]
        self._tell(f"{'leader' if replica.leads else 'follower'} {action_text}")
        self.cluster.call(lambda: action(replica))
        return replica

    def go_on(self):
        """Let every replica go on that was stopped."""
        self._tell("all go on")
        self.cluster.call(lambda: [replica.go_on() for replica in self.replicas])

    def pass_time(self, seconds):
        self._tell(f"{seconds} s pass, {dict(Counter(map(phase, self.workloads())))}")
        self.cluster.advance(seconds)
        self.cluster.call(lambda: [replica.stop() for replica in self.gone])

    def rests(self):
        """Tell whether no Workload waits for quota that is there."""
        pods = [(phase(workload), workload["spec"]["podSets"][0]["count"]) for workload in self.workloads()]
        remaining = QUOTA - sum(count for phase, count in pods if phase == "admitted")
        return all(count > remaining for phase, count in pods if phase == "pending")

    def workloads(self):
        return self.cluster.request("GET", WORKLOADS)["items"]

    def _tell(self, action_text):
        self.told.append(f"{self.cluster.clock.now():.1f} {action_text}")
