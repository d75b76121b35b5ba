"""A subject in pods: under a name and a label of its own for each replica, heard and seen where the cluster
keeps them (H-02, H-43).
"""

import json
from urllib.parse import urlsplit

import pytest

from kueue_conformance.subject.deployed import LABEL, with_mark
from kueue_conformance.subject.pods import Pods
from kueue_conformance.wire.client import Client

TEMPLATE = {"metadata": {"labels": {"app": "budget"}}, "spec": {"containers": []}}
SELECTOR = {"matchLabels": {"app": "budget"}}


@pytest.mark.parametrize(
    ("kind", "spec", "has_selector"),
    [
        pytest.param("Deployment", {"selector": SELECTOR, "template": TEMPLATE}, True, id="Deployment"),
        pytest.param("Job", {"template": TEMPLATE}, False, id="a Job selects by itself"),
    ],
)
def test_what_runs_pods_is_there_once_for_each_replica(kind, spec, has_selector):
    mark = with_mark({"kind": kind, "metadata": {"name": "budget"}, "spec": spec}, "run-2")

    assert mark["metadata"]["name"] == "budget-run-2"
    assert mark["spec"]["template"]["metadata"]["labels"] == {"app": "budget", LABEL: "run-2"}
    assert ("selector" in mark["spec"]) == has_selector
    assert mark["spec"].get("selector", SELECTOR)["matchLabels"].get(LABEL) == (
        "run-2" if has_selector else None
    )
    assert TEMPLATE["metadata"]["labels"] == {"app": "budget"}


def test_a_bare_pod_is_marked_itself():
    mark = with_mark(
        {"kind": "Pod", "metadata": {"name": "budget", "namespace": "acme"}, "spec": {}}, "run-1"
    )

    assert mark["metadata"] == {"name": "budget-run-1", "namespace": "acme", "labels": {LABEL: "run-1"}}


def pods(status, log="", earlier=""):
    """Return the pods of a cluster with one of this status
    that has printed this, and before its restart that.
    """
    pod = {"metadata": {"name": "budget-1", "namespace": "acme"}, "status": status}

    def send(method, path, headers, body):
        if path.partition("?")[0].endswith("/log"):
            return 200, (earlier if "previous=true" in path else log).encode()
        assert urlsplit(path).query == "labelSelector=replica%3D1"
        return 200, json.dumps({"items": [pod]}).encode()

    return Pods(Client(send, agent="test"), "replica=1")


def container(state, restarts=0):
    return {"containerStatuses": [{"name": "controller", "restartCount": restarts, "state": state}]}


@pytest.mark.parametrize(
    ("status", "trouble"),
    [
        pytest.param({}, "", id="not on a node yet"),
        pytest.param(container({"running": {}}), "", id="running"),
        pytest.param(container({"waiting": {"reason": "ContainerCreating"}}), "", id="coming"),
        pytest.param(container({"terminated": {"exitCode": 1}}), "", id="ended, and will be started again"),
        pytest.param(
            container({"waiting": {"reason": "ErrImagePull", "message": "no such image"}}),
            "pod budget-1: ErrImagePull: no such image",
            id="no image",
        ),
        pytest.param(
            container({"waiting": {"reason": "CrashLoopBackOff", "message": "back-off 10s"}}),
            "pod budget-1: CrashLoopBackOff: back-off 10s",
            id="dies again and again",
        ),
    ],
)
def test_what_keeps_a_pod_from_running_is_the_end_of_the_subject(status, trouble):
    assert pods(status).trouble() == trouble


def test_the_log_of_a_container_that_was_restarted_goes_back_before_that():
    log = "2026-11-22T01:00:02.123456789Z watching\n"
    earlier = "2026-11-22T01:00:01Z Traceback\n"

    lines = pods(container({"running": {}}, restarts=1), log, earlier).log()

    assert [line.text for line in lines] == ["Traceback", "watching"]
    assert [round(line.at % 60, 3) for line in lines] == [1.0, 2.123]


def test_a_pod_that_has_not_begun_has_no_log():
    assert pods({}).log() == []
