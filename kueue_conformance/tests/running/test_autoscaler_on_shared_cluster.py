"""An autoscaler and its cloud on a cluster that all cases share: one case at a time, and only where nothing
else makes or uses Nodes.
"""

from types import SimpleNamespace

import pytest

from kueue_conformance.backends.features import UNATTENDED
from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.options import read
from kueue_conformance.run import Run
from kueue_conformance.run.feature_support import FeatureSupport

CHECKS_CAPACITY = inventory()["PRQ-001"]


def support(backend, *features, autoscaler="reference", leads=True):
    """Return the support of a run on a shared cluster, in the process that leads it or in a worker."""
    options = {"backend": backend, "profile": "PROVISIONING-REQUEST", "autoscaler": autoscaler}
    run = Run(read(options, seed=1))
    run._backend = SimpleNamespace(shared=True, features=frozenset(features), name=backend.partition(":")[0])
    run.shared_kueue.playing = object() if leads else None
    return FeatureSupport(run, run.shared_kueue)


def test_process_that_leads_the_run_judges_it():
    assert support("envtest", UNATTENDED).missing(CHECKS_CAPACITY) == ""


def test_worker_among_several_says_how_to_run_it():
    assert support("envtest", UNATTENDED, leads=False).missing(CHECKS_CAPACITY) == (
        "an autoscaler: several processes share one cluster, on which one autoscaler works at a time; run with -n 0"
    )


def test_cluster_with_nodes_of_its_own_says_what_to_use():
    assert support("kind").missing(CHECKS_CAPACITY) == (
        "node groups: the Nodes of backend kind are its own; use fake or envtest, or --autoscaler found"
    )


@pytest.mark.parametrize(("scenario", "missing"), [("PRQ-230", ""), ("PRQ-100", "node groups")])
def test_autoscaler_at_work_in_the_cluster_is_judged_by_what_needs_no_groups(scenario, missing):
    feature_support = support("kubeconfig:x", autoscaler="found")

    assert feature_support.missing(inventory()[scenario]) == missing
