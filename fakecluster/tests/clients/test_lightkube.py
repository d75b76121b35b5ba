"""lightkube, unmodified, against the fake API server (N-07)."""

from __future__ import annotations

import pytest
from lightkube import ApiError, Client, KubeConfig
from lightkube.generic_resource import create_namespaced_resource
from lightkube.models.meta_v1 import ObjectMeta
from lightkube.resources.batch_v1 import Job
from lightkube.resources.core_v1 import ConfigMap
from lightkube.types import PatchType

Widget = create_namespaced_resource("example.com", "v1", "Widget", "widgets")


@pytest.fixture
def client(kubeconfig):
    with Client(config=KubeConfig.from_file(kubeconfig), field_manager="lightkube-test") as client:
        yield client


def config_map(name, **data):
    return ConfigMap(metadata=ObjectMeta(name=name, namespace="default"), data=data)


@pytest.mark.parametrize(
    "how", [pytest.param(PatchType.MERGE, id="merge"), pytest.param(PatchType.STRATEGIC, id="strategic")]
)
def test_objects_live_and_end(client, how):
    client.create(config_map("a", k="1"))
    assert client.patch(ConfigMap, "a", {"data": {"k": "2"}}, patch_type=how).data == {"k": "2"}
    client.delete(ConfigMap, "a")
    with pytest.raises(ApiError, match='configmaps "a" not found'):
        client.get(ConfigMap, "a")


def test_an_apply_of_two_managers_conflicts(client):
    client.apply(config_map("a", k="1"))
    with pytest.raises(
        ApiError, match=r'Apply failed with 1 conflict: conflict with "lightkube-test": \.data\.k'
    ):
        client.apply(config_map("a", k="2"), field_manager="another")
    assert client.apply(config_map("a", k="2"), field_manager="another", force=True).data == {"k": "2"}


def test_lists_come_in_pages(client):
    for number in range(5):
        client.create(config_map(f"page-{number}"))

    names = [
        config_map.metadata.name
        for config_map in client.list(ConfigMap, chunk_size=2)
        if config_map.metadata.name.startswith("page-")
    ]
    assert names == [f"page-{number}" for number in range(5)]


def test_a_job_is_waited_for(client, job):
    client.create(Job.from_dict(job))

    assert client.wait(Job, "j", for_conditions=["Complete"]).status.succeeded == 1


def test_custom_resources_have_a_status(client):
    client.create(Widget(metadata=ObjectMeta(name="w", namespace="default"), spec={"size": 1}))
    client.patch(Widget.Status, "w", {"status": {"ready": True}}, patch_type=PatchType.MERGE)

    assert client.get(Widget, "w").status == {"ready": True}
