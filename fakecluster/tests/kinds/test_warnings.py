"""What is accepted with a warning, where a recorded exchange cannot show it (FK-236)."""

from __future__ import annotations

import pytest

from fakecluster.kinds.apps.kinds import KINDS as APPS
from fakecluster.kinds.batch.kinds import KINDS as BATCH
from fakecluster.kinds.core.pod.warnings.ports import COMPARED_PORTS, of_ports
from fakecluster.kinds.core.pod.warnings.volume_paths import COMPARED_PATHS, of_paths

TWICE = {"containers": [{"name": "main", "env": [{"name": "A", "value": "1"}, {"name": "A", "value": "2"}]}]}
SPECS = {
    "Deployment": {"template": {"spec": TWICE}},
    "StatefulSet": {"template": {"spec": TWICE}},
    "ReplicaSet": {"template": {"spec": TWICE}},
    "CronJob": {"jobTemplate": {"spec": {"template": {"spec": TWICE}}}},
}


@pytest.mark.parametrize(
    "kind", [kind for kind in (*APPS, *BATCH) if kind.kind in SPECS], ids=lambda kind: kind.kind
)
def test_a_change_outside_of_the_template_is_warned_of_the_template(kind):
    old = {"metadata": {"name": "name", "generation": 1}, "spec": SPECS[kind.kind]}
    scaled = {**old, "metadata": {"name": "name", "generation": 2}}

    assert [text.partition(": ")[2] for text in kind.strategy.warnings(scaled, old)] == [
        'hides previous definition of "A", which may be dropped when using apply'
    ]
    assert kind.strategy.warnings(old, old) == []


def test_so_many_ports_are_compared_and_no_more():
    ports = [{"containerPort": 80, "protocol": "TCP"}] * (COMPARED_PORTS * 3)

    pairs = COMPARED_PORTS * (COMPARED_PORTS - 1) // 2
    assert sum(1 for _ in of_ports({"containers": [{"name": "main", "ports": ports}]}, "spec")) == pairs


def test_so_many_files_of_volumes_are_compared_and_no_more():
    volume = {"name": "v", "configMap": {"items": [{"key": "k", "path": "a"}] * (COMPARED_PATHS - 50)}}

    first, second = COMPARED_PATHS - 50, 50
    pairs = first * (first - 1) // 2 + second * (second - 1) // 2
    assert sum(1 for _ in of_paths([volume] * 3)) == pairs
