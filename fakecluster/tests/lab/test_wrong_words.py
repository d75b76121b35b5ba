"""What a test may get wrong when it talks to the laboratory is answered with what was expected."""

from __future__ import annotations

import math

import pytest

from fakecluster import FakeCluster
from fakecluster.cluster.manifests import ManifestError
from fakecluster.cluster.options import OptionError


@pytest.fixture(scope="module")
def cluster():
    with FakeCluster(controllers="none", tls=False) as cluster:
        yield cluster


POD = {"apiVersion": "v1", "kind": "Pod"}


@pytest.mark.parametrize(
    ("value", "message"),
    [
        pytest.param(
            [{"kind": "X"}],
            r"object 0 has no apiVersion and kind; expected Kubernetes objects",
            id="no-version",
        ),
        pytest.param(
            [{"apiVersion": "v1", "kind": ["Pod"]}], "object 0 has no apiVersion and kind", id="kind-a-list"
        ),
        pytest.param(["pod.yaml"], "object 0 has no apiVersion and kind", id="a-path"),
        pytest.param(
            [POD], r"object 0: a Pod has no metadata\.name, which applying it needs", id="no-metadata"
        ),
        pytest.param([POD | {"metadata": None}], r"has no metadata\.name", id="metadata-null"),
        pytest.param([POD | {"metadata": {"name": 5}}], r"has no metadata\.name", id="name-a-number"),
        pytest.param(
            [POD | {"metadata": {"name": "p", "namespace": 5}}],
            "has the namespace 5; expected text",
            id="namespace",
        ),
        pytest.param(
            {"kind": "X"},
            r"apply\(\) takes a list of objects, and was given .*: write apply\(\[…\]\)",
            id="one",
        ),
        pytest.param(None, r"apply\(\) takes a list of objects, and was given None", id="none"),
        pytest.param(
            [{"apiVersion": "v1", "kind": "List", "items": [{"kind": "X"}]}],
            r"object 0, items\[0\] has no",
            id="in-a-list",
        ),
        pytest.param(
            [{"apiVersion": "v1", "kind": "List", "items": {"a": 1}}], "is a List whose items are", id="items"
        ),
    ],
)
def test_what_is_no_object_cannot_be_applied(cluster, value, message):
    before = cluster.journal.last

    with pytest.raises(ManifestError, match=message):
        cluster.apply(value)

    assert cluster.journal.last == before


def test_a_list_stands_for_its_items(cluster):
    items = [
        {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "namespace": None}}
        for name in ("a", "b")
    ]
    cluster.apply([{"apiVersion": "v1", "kind": "List", "items": items}])

    config_maps = cluster.request("GET", "/api/v1/namespaces/default/configmaps")["items"]
    assert {"a", "b"} <= {config_map["metadata"]["name"] for config_map in config_maps}


@pytest.mark.parametrize(
    ("value", "error", "message"),
    [
        pytest.param(
            "x.yaml",
            ManifestError,
            r"apply_files\(\) takes a list of paths, and was given 'x.yaml'",
            id="text",
        ),
        pytest.param([5], ManifestError, r"apply_files\(\) takes paths, and was given 5", id="number"),
        pytest.param(["no-such.yaml"], FileNotFoundError, "no-such.yaml", id="missing"),
    ],
)
def test_what_is_no_file_is_told(cluster, value, error, message):
    with pytest.raises(error, match=message):
        cluster.apply_files(value)


def test_a_folder_without_manifests_is_told(cluster, tmp_path):
    with pytest.raises(ManifestError, match=r"no file in this folder ends with \.yaml, \.yml, \.json"):
        cluster.apply_files([tmp_path])


def test_a_file_may_be_named_by_text(cluster, tmp_path):
    (tmp_path / "a.yaml").write_text("{apiVersion: v1, kind: ConfigMap, metadata: {name: from-a-file}}")

    cluster.apply_files([str(tmp_path / "a.yaml")])

    assert cluster.request("GET", "/api/v1/namespaces/default/configmaps/from-a-file")


@pytest.mark.parametrize(
    "revision",
    [
        pytest.param(99999, id="future"),
        pytest.param(0, id="zero"),
        pytest.param(-1, id="negative"),
        pytest.param("5", id="text"),
        pytest.param(True, id="flag"),
        pytest.param(5.0, id="float"),
    ],
)
def test_only_a_revision_of_the_past_can_be_shown(cluster, revision):
    newest = cluster.snapshot().revision

    with pytest.raises(
        OptionError, match=f"revision is {revision!r}: expected one from 1 to {newest}, the newest"
    ):
        cluster.at(revision)


@pytest.mark.parametrize(
    ("method", "name"),
    [
        pytest.param(lambda cluster, value: cluster.at(time=value), "time", id="at"),
        pytest.param(lambda cluster, value: cluster.advance(value), "seconds", id="advance"),
        pytest.param(
            lambda cluster, value: cluster.advance_until_asked(value), "seconds", id="advance_until_asked"
        ),
        pytest.param(lambda cluster, value: cluster.run_until(list, value), "max_virtual", id="run_until"),
        pytest.param(lambda cluster, value: cluster.restart(value), "pause", id="restart"),
    ],
)
@pytest.mark.parametrize(
    "value", [pytest.param(-1, id="negative"), pytest.param(math.nan, id="nan"), pytest.param("5", id="text")]
)
def test_seconds_are_numbers_from_zero(cluster, method, name, value):
    with pytest.raises(OptionError, match=f"{name} is {value!r}: expected seconds from 0"):
        method(cluster, value)


@pytest.mark.parametrize("wait", ["run_until", "wait_until"])
def test_what_is_waited_for_is_a_function(cluster, wait):
    with pytest.raises(
        TypeError, match=rf"{wait}\(\) needs a function, such as `lambda: …`, and was given True"
    ):
        getattr(cluster, wait)(True)
