"""The printed manifests on a real cluster: users, two replicas, another leader, an upgrade, and nothing left
(issue 6 §2, docs/deployment.md).
"""

import json
import subprocess
import sys

import pytest

from kueue_conformance.backends import connect
from kueue_conformance.backends.kind.command import find
from kueue_conformance.base.cluster_options import ClusterOptions
from kueue_conformance.control_planes.reference import image
from kueue_conformance.control_planes.upstream import readiness
from kueue_conformance.scenarios.dialect import select
from kueue_conformance.tests.deployed.users import HOMES, MAY, Users
from kueue_conformance.wire.client import Client
from kueue_conformance.wire.transport import connect as reach

pytestmark = [pytest.mark.kind, pytest.mark.timeout(600)]
IMAGE = image()
NEXT = f"{IMAGE.partition(':')[0]}:next"
MANIFESTS = [sys.executable, "-m", "reference_impl", "manifests"]
LEASE = "{.spec.holderIdentity}"
CLUSTER_SCOPED = (
    "crd,clusterroles,clusterrolebindings,mutatingwebhookconfigurations,validatingwebhookconfigurations"
)
QUEUES = """
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata: {name: plain}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {name: team}
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [cpu]
    flavors: [{name: plain, resources: [{name: cpu, nominalQuota: 4}]}]
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata: {name: team, namespace: default}
spec: {clusterQueue: team}
"""
JOB = {
    "apiVersion": "batch/v1",
    "kind": "Job",
    "metadata": {"labels": {"kueue.x-k8s.io/queue-name": "team"}},
    "spec": {
        "suspend": True,
        "template": {
            "spec": {
                "restartPolicy": "Never",
                "containers": [
                    {
                        "name": "main",
                        "image": "kube.local/act:1",
                        "args": ["0"],
                        "resources": {"requests": {"cpu": "100m"}},
                    },
                ],
            }
        },
    },
}


class Site:
    """A cluster as kubectl sees it."""

    def __init__(self, kubeconfig):
        self.users = Users(reach(kubeconfig))
        self._kubectl = [find("kubectl", todo="make kind-image").path, "--kubeconfig", kubeconfig]

    def ask(self, *words, standard_input=None):
        """Run kubectl and return what it printed."""
        done = subprocess.run(
            [*self._kubectl, *words], input=standard_input, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def install(self, image):
        """Apply the printed manifests for an image, and return when all replicas run it."""
        self.ask("apply", "-f", "-", standard_input=print_manifests(image))
        self.ask("-n", "kueue-system", "rollout", "status", "deployment/kueue-reference", "--timeout=180s")

    def runs(self, name):
        """Let a Job through the queue, and return when it is complete."""
        self.ask(
            "create",
            "-f",
            "-",
            standard_input=json.dumps({**JOB, "metadata": {**JOB["metadata"], "name": name}}),
        )
        self.ask("wait", "--for=condition=Complete", "--timeout=120s", f"job/{name}")

    def leader(self):
        """Return the pod that leads."""
        return self.ask(
            "-n", "kueue-system", "get", "lease", "c1f6bfd2.kueue.x-k8s.io", "-o", f"jsonpath={LEASE}"
        ).rpartition("_")[0]


def answering(kubeconfig):
    """Return when the nodes know the way to the first replica: that it is ready is known sooner."""
    client = Client(reach(kubeconfig), agent="test")
    readiness.until(
        "the webhooks do not answer", lambda: readiness.unavailable_webhook(client), hint="look at kube-proxy"
    )


def print_manifests(image):
    return subprocess.run([*MANIFESTS, "--image", image], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A cluster with the reference and a queue."""
    subprocess.run(["docker", "tag", IMAGE, NEXT], check=True)
    patch = pytest.MonkeyPatch()
    patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
    backend = connect("kind", cluster_options=ClusterOptions(load=(IMAGE, NEXT)))
    kubeconfig = backend.lend(select("v0.19")[0]).kubeconfig
    deployed_site = Site(kubeconfig)
    deployed_site.install(IMAGE)
    answering(kubeconfig)
    deployed_site.ask("create", "-f", "-", standard_input=QUEUES)
    yield deployed_site
    backend.close()
    patch.undo()


def test_a_job_runs(site):
    site.runs("first")


@pytest.fixture(scope="module")
def users(site):
    """Two users whose Jobs are admitted."""
    users = site.users
    users.settle()
    readiness.until(
        "the users have no rights", lambda: "" if users.may_begin() else "403", hint="look at them"
    )
    users.submit()
    readiness.until("no Workload", lambda: "" if users.are_admitted() else "one waits", hint="look at it")
    return users


@pytest.mark.parametrize("user", HOMES)
def test_users_of_two_namespaces_keep_to_themselves(users, user):
    answers = [
        (verb, resource, where, users.code(user, verb, resource, where)) for verb, resource, where, _ in MAY
    ]

    assert answers == MAY


def test_another_replica_leads_when_the_leaders_pod_is_deleted(site):
    leader = site.leader()

    site.ask("-n", "kueue-system", "delete", "pod", leader)
    site.runs("after-deletion")

    assert site.leader() not in ("", leader)


def test_an_upgrade_is_another_apply(site):
    site.install(NEXT)
    site.runs("after-upgrade")

    images = site.ask(
        "-n", "kueue-system", "get", "pods", "-o", "jsonpath={.items[*].spec.containers[*].image}"
    )
    assert NEXT in images.split()


def test_what_was_applied_is_removed_and_nothing_is_left(site):
    site.ask("delete", "jobs,localqueues,clusterqueues,resourceflavors", "--all", "-A", "--timeout=60s")
    site.ask(
        "delete", "--ignore-not-found", "--timeout=120s", "-f", "-", standard_input=print_manifests(NEXT)
    )

    remaining_names = site.ask("get", CLUSTER_SCOPED, "-o", "name") + site.ask(
        "get", "namespaces", "-o", "name"
    )
    assert [object_name for object_name in remaining_names.split() if "kueue" in object_name] == []
