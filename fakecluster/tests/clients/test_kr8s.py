"""kr8s, unmodified, against the fake API server (N-07). Each script is a process of its own, for kr8s never
closes its connections.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

BEGIN = """
import json, sys
import kr8s
from kr8s.objects import ConfigMap, Job, new_class
api = kr8s.api(kubeconfig=sys.argv[1])
"""
LIFE = """
one = ConfigMap({"metadata": {"name": "a", "namespace": "default"}, "data": {"k": "1"}}, api=api)
one.create()
one.patch({"data": {"k": "2"}})
one.label(team="a")
assert [found.raw["data"] for found in api.get("configmaps", "a", namespace="default")] == [{"k": "2"}]
assert [found.name for found in api.get("configmaps", namespace="default", label_selector="team=a")] == ["a"]
one.delete()
assert not one.exists()
"""
WAITING = """
one = Job(json.loads(sys.argv[2]), api=api)
one.create()
one.wait("condition=Complete", timeout=30)
assert one.status.succeeded == 1
"""
DISCOVERED = """
widget = new_class(kind="Widget", version="example.com/v1", namespaced=True)
widget({"metadata": {"name": "w", "namespace": "default"}, "spec": {"size": 1}}, api=api).create()
assert [one.spec.size for one in api.get("widgets.example.com", namespace="default")] == [1]
"""
WATCHING = """
ConfigMap({"metadata": {"name": "b", "namespace": "default"}}, api=api).create()
kind, one = next(iter(api.watch("configmaps", namespace="default", field_selector="metadata.name=b")))
assert (kind, one.name) == ("ADDED", "b")
"""


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(LIFE, id="objects-live-and-end"),
        pytest.param(WAITING, id="a-job-is-waited-for"),
        pytest.param(DISCOVERED, id="custom-resources-are-discovered"),
        pytest.param(WATCHING, id="a-watch-tells-what-happens"),
    ],
)
def test_kr8s(kubeconfig, job, script):
    command = [sys.executable, "-c", BEGIN + script, str(kubeconfig), json.dumps(job)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert ended.returncode == 0, ended.stderr
