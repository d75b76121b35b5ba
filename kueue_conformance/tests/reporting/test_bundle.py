"""A failure in one file (harness/N-08)."""

import json
import zipfile

import pytest
import yaml
from jsonschema import Draft202012Validator

from kueue_conformance.base.errors import UsageError
from kueue_conformance.base.resources import schema
from kueue_conformance.report.evidence import write
from kueue_conformance.report.story.bundle import pack, unpack

from .stories import ABOUT, KEPT


@pytest.fixture
def bundle_file(tmp_path):
    (tmp_path / "story.ndjson").write_bytes(write(KEPT))
    (tmp_path / "b.zip").write_bytes(pack("b.zip", tmp_path / "story.ndjson", "failed"))
    return tmp_path / "b.zip"


def part(packed, name):
    with zipfile.ZipFile(packed) as archive:
        return archive.read(name).decode()


def test_equal_evidence_is_an_equal_bundle(bundle_file):
    assert bundle_file.read_bytes() == pack("b.zip", bundle_file.with_name("story.ndjson"), "failed")


def test_it_says_which_case_failed_and_how(bundle_file):
    bundle = unpack(bundle_file)

    assert (bundle.manifest["node"], bundle.fingerprint, bundle.manifest["seed"]) == (
        ABOUT["node"],
        "CHK-010.a",
        5,
    )
    assert list(Draft202012Validator(schema("bundle")).iter_errors(bundle.manifest)) == []


def test_steps_are_those_of_everybody_else(bundle_file):
    steps = yaml.safe_load(part(bundle_file, "steps.yaml"))

    assert [
        (step_row["at"], step_row["actor"], step_row["verb"], step_row["kind"]) for step_row in steps
    ] == [
        (0.0, "user", "create", "AdmissionCheck"),
        (1.0, "user", "create", "Workload"),
        (2.0, "kueue", "patch", "Workload"),
        (5.0, "kueue", "patch", "Workload"),
        (6.0, "kueue", "patch", "Workload"),
        (7.0, "user", "delete", "Workload"),
    ]


def test_manifests_have_nothing_that_the_server_writes(bundle_file):
    manifests = list(yaml.safe_load_all(part(bundle_file, "manifests.yaml")))

    assert [manifest["metadata"] for manifest in manifests] == [
        {"name": "check"},
        {"name": "w", "namespace": "ns"},
    ]
    assert all("status" not in manifest for manifest in manifests)


def test_faults_and_failure_are_in_it(bundle_file):
    assert json.loads(part(bundle_file, "faults.json")) == ABOUT["faults"]
    assert part(bundle_file, "failure.txt") == "CHK-010.a  it is done\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(None, "cannot be read: No such file", id="missing"),
        pytest.param(b"x", "is no bundle: File is not a zip file", id="no zip"),
    ],
)
def test_a_file_that_is_no_bundle(tmp_path, content, words):
    file = tmp_path / "b.zip"
    if content is not None:
        file.write_bytes(content)

    with pytest.raises(UsageError, match=words):
        unpack(file)
