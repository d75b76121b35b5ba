"""Of what is not simulated an object is warned in an event and a log line, once (docs/scope.md)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reference_impl.api import kinds
from reference_impl.api.resource import Json, Key, Resource
from reference_impl.kueue.jobs.unsupported import UnsupportedFeatures, find_unsupported_features
from reference_impl.runtime.clock import WallClock
from reference_impl.runtime.log import Logger
from reference_impl.runtime.store import Store

QUEUE = {"kueue.x-k8s.io/queue-name": "main"}
TOPOLOGY = {"kueue.x-k8s.io/podset-required-topology": "rack"}


def job(
    annotations: Json = None, template: Json = None, claims: Json = None, labels: Json = None, **spec: Json
) -> Json:
    pod_spec = {"containers": [], **({"resourceClaims": claims} if claims else {})}
    return {
        "metadata": {
            "name": "j",
            "namespace": "ns",
            "uid": "u",
            "labels": QUEUE if labels is None else labels,
            "annotations": annotations or {},
        },
        "spec": {"template": {"metadata": {"annotations": template or {}}, "spec": pod_spec}, **spec},
    }


def other(controlled: bool = False) -> Json:
    owners = [{"controller": True, "kind": "ReplicaSet"}] if controlled else []
    return {
        "metadata": {"name": "j", "namespace": "ns", "uid": "u", "labels": QUEUE, "ownerReferences": owners}
    }


@pytest.mark.parametrize(
    ("resource", "obj", "features"),
    [
        pytest.param(kinds.JOBS, job(), [], id="an ordinary Job"),
        pytest.param(kinds.JOBS, job(template=TOPOLOGY), ["topology-aware scheduling"], id="topology"),
        pytest.param(kinds.JOBS, job({"kueue.x-k8s.io/elastic-job": "true"}), ["elastic Jobs"], id="elastic"),
        pytest.param(kinds.JOBS, job({"kueue.x-k8s.io/elastic-job": "false"}), [], id="not elastic"),
        pytest.param(kinds.JOBS, job(claims=[{"name": "gpu"}]), ["dynamic resource allocation"], id="claims"),
        pytest.param(kinds.JOBS, job(managedBy="kueue.x-k8s.io/multikueue"), ["MultiKueue"], id="MultiKueue"),
        pytest.param(kinds.JOBS, job(template=TOPOLOGY, labels={}), [], id="a Job without a queue"),
        pytest.param(kinds.DEPLOYMENTS, other(), ["integrations other than batch/v1 Job"], id="Deployment"),
        pytest.param(
            kinds.STATEFUL_SETS, other(), ["integrations other than batch/v1 Job"], id="StatefulSet"
        ),
        pytest.param(kinds.PODS, other(), ["integrations other than batch/v1 Job"], id="Pod"),
        pytest.param(kinds.PODS, other(controlled=True), [], id="a Pod of another object"),
    ],
)
def test_what_has_no_effect_is_named(resource: Resource, obj: Json, features: list[str]) -> None:
    assert [text.partition(":")[0] for text in find_unsupported_features(resource, obj)] == features


class Events:
    """Takes the notes of warnings."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def warning(self, obj: Json, reason: str, note: str) -> None:
        assert reason == "NotSimulated"
        self.notes.append(note)


def test_an_object_is_warned_once_and_another_of_its_name_again() -> None:
    store, events = Store(), Events()
    recorder: Any = events
    log = Logger(clock=WallClock(), level="error")
    warnings = UnsupportedFeatures(stores={kinds.PODS: store}, recorder=recorder, log=log)
    counts = []
    for uid in ("u", "u", "another"):
        store.put(Key("ns", "j"), {**other(), "metadata": {**other()["metadata"], "uid": uid}})
        asyncio.run(warnings.reconcile((kinds.PODS, Key("ns", "j"))))
        counts.append(len(events.notes))
    store.put(Key("ns", "j"), None)
    asyncio.run(warnings.reconcile((kinds.PODS, Key("ns", "j"))))

    assert (counts, warnings.warned) == ([1, 1, 2], {})
    assert events.notes[0].endswith("(docs/scope.md, What is not simulated)")
