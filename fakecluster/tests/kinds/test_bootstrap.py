"""Every cluster starts with what clusters have (FK-346, FK-495, FK-499, FK-520)."""

from random import Random

import pytest

from fakecluster.api.registry import Registry
from fakecluster.kinds import BUILTIN_KINDS
from fakecluster.kinds.bootstrap import populate
from fakecluster.store import Store


@pytest.fixture(scope="module")
def store():
    store = Store()
    populate(store, Registry(BUILTIN_KINDS), Random(0), 0.0)
    return store


@pytest.mark.parametrize(
    ("resource", "names"),
    [
        (("", "namespaces"), ["default", "kube-node-lease", "kube-public", "kube-system"]),
        (("scheduling.k8s.io", "priorityclasses"), ["system-cluster-critical", "system-node-critical"]),
        (
            ("flowcontrol.apiserver.k8s.io", "prioritylevelconfigurations"),
            [
                "catch-all",
                "exempt",
                "global-default",
                "leader-election",
                "node-high",
                "system",
                "workload-high",
                "workload-low",
            ],
        ),
        (("", "services"), ["kubernetes"]),
        (("networking.k8s.io", "servicecidrs"), ["kubernetes"]),
        (("networking.k8s.io", "ipaddresses"), ["10.0.0.1"]),
    ],
    ids=["namespaces", "priority classes", "priority levels", "services", "ranges", "addresses"],
)
def test_objects_are_there(store, resource, names):
    assert [stored.name[1] for stored in store.list(resource)] == names


def test_roles_of_the_cluster_are_there_fk_390(store):
    admin = store.get(("rbac.authorization.k8s.io", "clusterroles"), ("", "cluster-admin")).object

    assert admin["rules"][0] == {"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}


def test_what_is_there_stays(store):
    before = store.revision
    populate(store, Registry(BUILTIN_KINDS), Random(0), 0.0)

    assert store.revision == before
