"""The visibility server of a control plane that all cases share is served where the cluster reaches this
machine, which only a standing cluster tells.
"""

from types import SimpleNamespace

import pytest

from kueue_conformance.backends.features import WEBHOOKS
from kueue_conformance.control_planes import VISIBILITY
from kueue_conformance.options import read
from kueue_conformance.run import Run


class LateBackend:
    """Has its features when its cluster stands, as kind has."""

    shared, name = True, "kind"

    def __init__(self, *features):
        self.features, self._later = frozenset(), frozenset(features)

    def lend(self, dialect, prepare=None, functions=None):
        self.features = self._later
        return SimpleNamespace(close=lambda: None)


class Noting:
    """A control plane that keeps how it is to be served."""

    name, features, lacks, images = "reference", frozenset({VISIBILITY}), frozenset(), ()

    def __init__(self):
        self.servings = []

    def install(self, cluster, dialect, serving):
        self.servings.append(serving)

    def start(self, cluster, dialect, serving):
        self.servings.append(serving)
        return SimpleNamespace(stop=lambda: None)

    def release(self):
        return ""

    def feature_gates(self):
        return {}

    def close(self):
        pass


@pytest.mark.parametrize(("features", "served"), [([WEBHOOKS], "served"), ([], "none")])
def test_visibility_is_served_where_the_standing_cluster_reaches_this_machine(features, served):
    run = Run(read({"backend": "kind", "control-plane": "reference", "report-dir": ""}, seed=1))
    run._backend, run._control_plane = LateBackend(*features), Noting()

    run.begin()

    assert [serving.visibility for serving in run._control_plane.servings] == [served, served]
