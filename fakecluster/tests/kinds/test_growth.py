"""The work of every rule of every built-in kind grows with its lists and maps, not with their squares."""

import pytest

from fakecluster.kinds import BUILTIN_KINDS, specdiff
from fakecluster.tests.kinds.growth import lists_of, steep
from fakecluster.tests.kinds.judging import row

TEMPLATES = frozenset(
    {"cronjobs", "daemonsets", "deployments", "jobs", "replicasets", "replicationcontrollers", "statefulsets"}
)
"""Kinds with the template of a pod, whose rules are those of a PodTemplate."""
TOGETHER = [
    ("pods", [("spec", "containers", "[]", "resources", "claims"), ("spec", "resourceClaims")]),
    ("pods", [("spec", "containers", "[]", "volumeMounts"), ("spec", "volumes")]),
    ("pods", [("spec", "containers"), ("spec", "volumes")]),
    ("pods", [("spec", "containers"), ("spec", "initContainers")]),
    ("pods", [("spec", "containers"), ("status", "containerStatuses")]),
    ("services", [("spec", "ports"), ("spec", "clusterIPs")]),
    ("resourcequotas", [("spec", "scopes"), ("spec", "hard")]),
]
"""Lists that a rule may compare with each other."""


@pytest.fixture(autouse=True)
def _no_short_differences(monkeypatch):
    """Only the differences of short values are searched for line by line."""
    monkeypatch.setattr(specdiff, "MAX_COMPARED_LINES", 0)


def paths_of(kind):
    paths = sorted(set(lists_of(kind.schema.structural)))
    return [path for path in paths if "template" not in path] if kind.plural in TEMPLATES else paths


@pytest.mark.parametrize("kind", BUILTIN_KINDS, ids=lambda kind: f"{kind.resource}/{kind.version}")
def test_work_grows_with_the_length_of_every_list(kind):
    growths = {".".join(path): steep(kind, frozenset({path})) for path in paths_of(kind)}

    assert {path: rules for path, rules in growths.items() if rules} == {}


@pytest.mark.parametrize(
    ("resource", "paths"),
    TOGETHER,
    ids=lambda value: value if isinstance(value, str) else "-".join(path[-1] for path in value),
)
def test_work_grows_with_lists_that_belong_together(resource, paths):
    assert steep(row(resource), frozenset(paths)) == []
