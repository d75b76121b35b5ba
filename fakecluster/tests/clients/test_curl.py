"""curl with the client certificate of a kubeconfig, whose key names its algorithm: `EC PRIVATE KEY`."""

import base64
import json
import shutil
import subprocess

import pytest
import yaml

from fakecluster import FakeCluster

pytestmark = pytest.mark.skipif(shutil.which("curl") is None, reason="unsupported: needs curl")
REVIEWS = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
REVIEW = json.dumps({"apiVersion": "authentication.k8s.io/v1", "kind": "SelfSubjectReview"})


@pytest.fixture
def files(tmp_path):
    """A running cluster, and the files of its kubeconfig by their names there."""
    with FakeCluster(controllers="none") as cluster:
        config = yaml.safe_load(cluster.kubeconfig())
        entries = config["clusters"][0]["cluster"] | config["users"][0]["user"]
        file_paths = {}
        for name, encoded in entries.items():
            if name.endswith("-data"):
                file_paths[name] = tmp_path / name
                file_paths[name].write_bytes(base64.b64decode(encoded))
        yield cluster, file_paths


def test_curl_shows_the_certificate_of_a_kubeconfig(files):
    cluster, file_paths = files
    shown = {
        "--cacert": "certificate-authority-data",
        "--cert": "client-certificate-data",
        "--key": "client-key-data",
    }
    options = [word for option, name in shown.items() for word in (option, str(file_paths[name]))]

    ended = subprocess.run(
        ["curl", "--silent", "--show-error", *options, "--json", REVIEW, cluster.url + REVIEWS],
        capture_output=True,
        text=True,
        check=True,
    )

    assert file_paths["client-key-data"].read_text().startswith("-----BEGIN EC PRIVATE KEY-----")
    assert json.loads(ended.stdout)["status"]["userInfo"]["username"] == "admin"
