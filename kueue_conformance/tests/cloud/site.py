"""A fake API server, a cloud and an autoscaler on one loop and in virtual time."""

from contextlib import contextmanager

from fakecluster import FakeCluster
from reference_impl.api.resource import Key
from reference_impl.autoscaler.flags import Flags
from reference_impl.autoscaler.part import AutoscalerPart
from reference_impl.cloud.in_process import InProcessCloud
from reference_impl.cloud.model import CloudModel
from reference_impl.cloud.part import CloudPart
from reference_impl.runtime.kubeconfig import Connection
from reference_impl.runtime.manager import Manager
from reference_impl.runtime.program import Program

from ..deployed.test_provisioning_requests import definition


class Site:
    """What a test looks at."""

    def __init__(self, cluster, groups):
        self.cluster = cluster
        self.model = CloudModel(groups, current_time=cluster.clock.now)
        self.managers = []

    def run(self, agent, component):
        """Run a part as a program of its own; returns its manager."""
        connection = Connection(server=self.cluster.url, token=self.cluster.token(), dial=self.cluster.dial)
        program = Program(
            user_agent=f"{agent}/v1",
            lease=Key("kube-system", agent),
            connection=connection,
            components=(component,),
        )

        async def make_component():
            manager = Manager(program, self.cluster.clock)
            await manager.start()
            return manager

        self.managers.append(self.cluster.run(make_component()))
        self.cluster.settle()
        return self.managers[-1]

    def stop(self, manager):
        """Stop a program."""
        self.managers.remove(manager)
        self.cluster.run(manager.stop())

    def ask(self, work):
        """Call the model on the loop, and let everything settle."""
        self.cluster.call(lambda: work(self.model))
        self.cluster.settle()

    def anew(self, *groups):
        """Begin with another cloud beside the same API server; returns its model."""
        self.model = CloudModel(groups, current_time=self.cluster.clock.now)
        self.run("cloud", CloudPart(self.model))
        return self.model

    def delete(self, pod):
        """Delete a pod."""
        self.cluster.request("DELETE", f"/api/v1/namespaces/default/pods/{pod}", {"gracePeriodSeconds": 0})
        self.cluster.settle()

    @property
    def nodes(self):
        """Names of nodes, with whether each is ready."""
        result = self.cluster.request("GET", "/api/v1/nodes")["items"]
        return {
            result_item["metadata"]["name"]: next(
                condition["status"]
                for condition in result_item["status"]["conditions"]
                if condition["type"] == "Ready"
            )
            == "True"
            for result_item in result
        }

    def pod(self, name, cpu="1", **spec):
        """Make a pod of a controller."""
        owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "rs", "uid": "rs", "controller": True}
        container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": cpu}}}
        metadata = {"name": name, "namespace": "default", "ownerReferences": [owner]}
        self.cluster.apply(
            [
                {
                    "apiVersion": "v1",
                    "kind": "Pod",
                    "metadata": metadata,
                    "spec": {"containers": [container], **spec},
                }
            ]
        )
        self.cluster.settle()

    @property
    def pods(self):
        """Names of pods, with the node of each or why it has none."""
        result = self.cluster.request("GET", "/api/v1/namespaces/default/pods")["items"]
        return {
            document["metadata"]["name"]: document["spec"].get("nodeName") or _why(document)
            for document in result
        }


def _why(pod):
    conditions = (pod.get("status") or {}).get("conditions") or ()
    return next(
        (condition["message"] for condition in conditions if condition["type"] == "PodScheduled"), None
    )


@contextmanager
def site(*groups, scheduler=True, **flags):
    """Bring up a cloud, with an autoscaler where there are flags for it."""
    with FakeCluster(controllers="namespaces") as cluster:
        cluster.apply([definition()])
        site = Site(cluster, groups)
        site.run("cloud", CloudPart(site.model, scheduler=scheduler))
        if flags:
            site.run("cluster-autoscaler", AutoscalerPart(Flags(**flags), InProcessCloud(site.model)))
        try:
            yield site
        finally:
            for manager in tuple(site.managers):
                site.stop(manager)
