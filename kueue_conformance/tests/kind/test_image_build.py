"""`fixtures/kind/build.sh` where the node image is up to date builds the programs that are missing alone."""

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "fixtures/kind/build.sh"
SCRIPTS = {
    # The label of the image is whatever the sources are summed up to.
    "docker": 'case "$1" in image) cksum < "$SOURCES" | tr " " - ;; esac',
    "go": """\
case "$1" in
  list) echo v1.36.3 ;;
  *) echo "$*" >> "$CALLS" ;;
esac""",
    # The first call of `cat` joins the sources.
    "cat": '/bin/cat "$@" | tee "$SOURCES"',
}
INSTALL = "install -trimpath -ldflags -s -w sigs.k8s.io/kind@v0.33.0"


@pytest.fixture
def build(tmp_path):
    """Run the script where some programs are in its folder; return what `go` was called with."""
    (tmp_path / "path").mkdir()
    for name, body in SCRIPTS.items():
        script = tmp_path / "path" / name
        script.write_text(f"#!/bin/bash\n{body}\n")
        script.chmod(0o755)

    def build(*present):
        folder, calls = tmp_path / "kind/bin", tmp_path / "calls"
        folder.mkdir(parents=True)
        calls.touch()
        for name in present:
            (folder / name).touch(mode=0o755)
        environment = {
            "PATH": f"{tmp_path / 'path'}:{os.environ['PATH']}",
            "CALLS": str(calls),
            "SOURCES": str(tmp_path / "sources"),
        }
        done = subprocess.run(
            [SCRIPT, tmp_path / "kind"], env=environment, text=True, capture_output=True, timeout=60
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "kueue-conformance/kind-node:v1.36.3 is up to date" in done.stdout
        return calls.read_text().splitlines()

    return build


@pytest.mark.parametrize(
    ("present", "expected"),
    [
        pytest.param(["kind", "kubectl"], [], id="nothing is missing"),
        pytest.param(["kubectl"], [INSTALL], id="kind is missing"),
    ],
)
def test_a_missing_program_is_built_without_the_image(build, present, expected):
    assert build(*present) == expected


def test_a_missing_kubectl_is_built_alone(build):
    (call,) = build("kind")

    assert call.startswith("build ")
    assert call.endswith(" k8s.io/kubernetes/cmd/kubectl")
