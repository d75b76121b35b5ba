"""The programs of the stack, and the queues that they work on."""

import contextlib
import sys
from urllib.parse import urlsplit

import yaml

from kueue_conformance.wire.ports import free_ports

from ..attack.client import Refused
from ..attack.conversation import Site
from ..checkout import ROOT
from .api import KUEUE, LABORATORY, ApiClient
from .programs import Program

CONTROLLERS = ("example.com/budget", "example.com/licenses", "example.com/approval")
QUOTA = 20
QUEUES = ("plain", "checked", "provisioned")
PRIORITIES = {"urgent": 100, "usual": 10}
GROUPS = {"groups": [{"id": "small", "min": 3, "max": 6, "cpu": 16, "memory": "64Gi", "boot_seconds": 1}]}
"""The node groups of the cloud."""


class Stack:
    """The API server, two replicas of Kueue, its provisioning check, the check controllers, the autoscaler
    and its cloud; use in a `with` block.
    """

    def __init__(self, folder, outside_url):
        self._folder = folder
        self._outside_url = outside_url
        self._kubeconfig = folder / "kubeconfig"
        self.server = self._program("serve", "fakecluster", "serve", "--kubeconfig", self._kubeconfig)
        self.others = []
        """The programs that may be killed: all but the server, whose memory is what is stored."""

    @property
    def programs(self):
        """All of them."""
        return (self.server, *self.others)

    def __enter__(self):
        with contextlib.ExitStack() as undo:
            undo.callback(self._stop)
            self._start()
            undo.pop_all()
        return self

    def __exit__(self, *_):
        self._stop()

    def client(self, agent):
        """Return a client of an administrator with a user agent."""
        return ApiClient(self._site, agent)

    def _start(self):
        self.server.start()
        self._site = _site(self._kubeconfig)
        self._start_kueue()
        with contextlib.closing(self.client("soak-setup")) as client:
            for path, item in _objects():
                with contextlib.suppress(Refused):
                    client.create(path, item)
        for name in CONTROLLERS:
            self._begin(self._controller(name))
        self._start_autoscaler()

    def _start_kueue(self):
        """Install Kueue, and start two replicas and a program with its provisioning check.

        Without webhooks: their address would be that of one replica, and be gone when that is killed.
        """
        kubeconfig = ["--kubeconfig", self._kubeconfig, "--metrics-bind-address", "0"]
        kueue = ["reference_impl", *kubeconfig, "--health-bind-address", "0", "--log-level", "error"]
        installing = self._program("install", *kueue, "--install")
        installing.start()
        installing.stop()
        for name in ("kueue-1", "kueue-2"):
            # A replica says that it is ready when it leads.
            self._begin(self._program(name, *kueue, "--parts", "admission,jobs", ready_word=""))
        check = ["--parts", "provisioning-check", "--leader-elect", "false"]
        self._begin(self._program("provisioning-check", *kueue, *check))

    def _start_autoscaler(self):
        groups, cloud = self._folder / "groups.yaml", self._folder / "cloud.yaml"
        groups.write_text(yaml.safe_dump(GROUPS))
        ports = free_ports(3)
        cloud.write_text(yaml.safe_dump({"address": f"127.0.0.1:{ports[0]}"}))
        addresses = ("--address", f"127.0.0.1:{ports[0]}", "--control-address", f"127.0.0.1:{ports[1]}")
        kubeconfig = ("--kubeconfig", self._kubeconfig)
        self._begin(
            self._program("cloud", "reference_impl.cloud", *kubeconfig, "--groups", groups, *addresses)
        )
        flags = [
            f"--kubeconfig={self._kubeconfig}",
            "--leader-elect=false",
            "--enable-provisioning-requests",
            "--cloud-provider=externalgrpc",
            f"--cloud-config={cloud}",
            f"--address=127.0.0.1:{ports[2]}",
            "--scan-interval=1s",
        ]
        self._begin(self._program("autoscaler", "reference_impl.autoscaler", *flags))

    def _controller(self, name):
        program = ROOT / "examples/check_controllers/python/controller.py"
        options = ["--controller-name", name, "--verdict-url", self._outside_url, "--poll-seconds", "0.5"]
        environment = f"KUBECONFIG={self._kubeconfig}"
        command = ["env", environment, sys.executable, program, *options]
        return Program(name.partition("/")[2], command, self._folder, ready_word="")

    def _program(self, name, module, *arguments, ready_word="ready"):
        return Program(name, [sys.executable, "-m", module, *arguments], self._folder, ready_word)

    def _begin(self, program):
        self.others.append(program)
        program.start()

    def _stop(self):
        for program in reversed(self.programs):
            program.stop()

    def break_requests(self, match, effect):
        """Add a rule of faults."""
        with contextlib.closing(self.client("soak-laboratory")) as client:
            return client.ask("POST", f"{LABORATORY}/faults", {"match": match, "effect": effect})

    def mend_requests(self):
        """Remove all rules of faults."""
        with contextlib.closing(self.client("soak-laboratory")) as client:
            client.ask("DELETE", f"{LABORATORY}/faults")

    def remove_events(self):
        """Remove all Events, which the API server keeps for an hour: what it holds would grow for as long."""
        with contextlib.closing(self.client("soak-laboratory")) as client:
            client.ask("DELETE", "/api/v1/namespaces/default/events")

    def fork(self):
        """Fork the cluster, look into the fork, and drop it; return the number of its Workloads."""
        with contextlib.closing(self.client("soak-laboratory")) as client:
            fork = client.ask("POST", f"{LABORATORY}/clusters/fork")
            try:
                kubeconfig = yaml.safe_load(fork["kubeconfig"])
                with contextlib.closing(ApiClient(_site_of(kubeconfig), "soak-fork")) as inside:
                    return len(inside.get(f"{KUEUE}/workloads")["items"])
            finally:
                client.ask("DELETE", f"{LABORATORY}/clusters/{fork['name']}")


def _site(kubeconfig):
    return _site_of(yaml.safe_load(kubeconfig.read_text()))


def _site_of(kubeconfig):
    url = urlsplit(kubeconfig["clusters"][0]["cluster"]["server"])
    user = kubeconfig["users"][0]["user"]
    return Site(name="serve", port=url.port, tls=url.scheme == "https", token=user.get("token", ""))


def _objects():
    """Yield the path and the content of each object that an administrator makes."""

    def item(kind, name, spec=None, **fields):
        body = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": kind, "metadata": {"name": name}}
        return {**body, **({} if spec is None else {"spec": spec}), **fields}

    yield f"{KUEUE}/resourceflavors", item("ResourceFlavor", "default", {})
    for name, value in PRIORITIES.items():
        yield f"{KUEUE}/workloadpriorityclasses", item("WorkloadPriorityClass", name, value=value)
    for name in CONTROLLERS:
        yield (
            f"{KUEUE}/admissionchecks",
            item("AdmissionCheck", name.partition("/")[2], {"controllerName": name}),
        )
    room = {"apiGroup": "kueue.x-k8s.io", "kind": "ProvisioningRequestConfig", "name": "room"}
    provisioning = {"controllerName": "kueue.x-k8s.io/provisioning-request", "parameters": room}
    yield (
        f"{KUEUE}/provisioningrequestconfigs",
        item(
            "ProvisioningRequestConfig",
            "room",
            {
                "provisioningClassName": "check-capacity.autoscaling.x-k8s.io",
                "retryStrategy": {"backoffLimitCount": 3, "backoffBaseSeconds": 1, "backoffMaxSeconds": 5},
            },
        ),
    )
    yield f"{KUEUE}/admissionchecks", item("AdmissionCheck", "room", provisioning)
    checks = {"plain": [], "checked": ["budget", "licenses"], "provisioned": ["approval", "room"]}
    for name in QUEUES:
        cpu = {"name": "cpu", "nominalQuota": str(QUOTA)}
        groups = [{"coveredResources": ["cpu"], "flavors": [{"name": "default", "resources": [cpu]}]}]
        spec = {
            "namespaceSelector": {},
            "resourceGroups": groups,
            "preemption": {"withinClusterQueue": "LowerPriority"},
            "admissionChecksStrategy": {"admissionChecks": [{"name": check} for check in checks[name]]},
        }
        if not checks[name]:
            del spec["admissionChecksStrategy"]
        yield f"{KUEUE}/clusterqueues", item("ClusterQueue", name, spec)
        yield f"{KUEUE}/namespaces/default/localqueues", item("LocalQueue", name, {"clusterQueue": name})
