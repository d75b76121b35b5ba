"""Pod templates are compared by what they mean: each language of an integration writes its own form."""

import pytest

from kueue_conformance.stage.integration.pod_templates import meaning


def template(container=None, metadata=None, **pod):
    containers = [{"name": "main", "image": "train", **(container or {})}]
    return {**({} if metadata is None else {"metadata": metadata}), "spec": {"containers": containers, **pod}}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(template(), template({"resources": {}}), id="no resources"),
        pytest.param(template(), template({"resources": {"requests": {}, "limits": None}}), id="no requests"),
        pytest.param(template(), template(metadata={"creationTimestamp": None}), id="no metadata"),
        pytest.param(template(), template(metadata={"labels": {}, "annotations": {}}), id="no labels"),
        pytest.param(template(), template(nodeSelector={}, tolerations=[]), id="no placement"),
        pytest.param(
            template({"resources": {"requests": {"cpu": "0.5", "memory": "1024Mi"}}}),
            template({"resources": {"requests": {"cpu": "500m", "memory": "1Gi"}}}),
            id="the same amounts",
        ),
    ],
)
def test_what_means_the_same_is_equal(first, second):
    assert first != second
    assert meaning(first) == meaning(second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        pytest.param(template(), template(metadata={"labels": {"a": ""}}), id="a label without a value"),
        pytest.param(template(), template(nodeSelector={"a": "b"}), id="a node label"),
        pytest.param(template(), template(tolerations=[{"key": "spot"}]), id="a toleration"),
        pytest.param(
            template({"resources": {"requests": {"cpu": "1"}}}),
            template({"resources": {"requests": {"cpu": "1m"}}}),
            id="another amount",
        ),
        pytest.param(
            template(volumes=[{"name": "a", "emptyDir": {}}]),
            template(volumes=[{"name": "a"}]),
            id="a volume",
        ),
        pytest.param(
            template({"resources": {"requests": {"cpu": "lots"}}}),
            template({"resources": {"requests": {"cpu": "more"}}}),
            id="no amounts",
        ),
    ],
)
def test_what_means_something_else_differs(first, second):
    assert meaning(first) != meaning(second)
