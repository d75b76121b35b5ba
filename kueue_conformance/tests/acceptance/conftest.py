"""What acceptance tests need: Go where it is installed, and programs that are built once."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def go():
    """The go command; tests that need it are skipped, visibly, where it is not installed."""
    go_command = shutil.which("go")
    if go_command is None:
        pytest.skip("unsupported: needs Go (go.dev/dl), which this machine does not have")
    return go_command


@pytest.fixture(scope="session")
def go_controller(go, tmp_path_factory):
    """The example check controller in Go, built."""
    program = tmp_path_factory.mktemp("go") / "check-controller"
    subprocess.run([go, "build", "-o", program, "."], cwd=ROOT / "examples/check_controllers/go", check=True)
    return program


@pytest.fixture(scope="session")
def helm(go, tmp_path_factory):
    """The helm command, built from its module."""
    folder = tmp_path_factory.mktemp("helm")
    module = "helm.sh/helm/v3/cmd/helm@v3.19.2"
    subprocess.run([go, "install", module], cwd=folder, env={**os.environ, "GOBIN": str(folder)}, check=True)
    return folder / "helm"


@pytest.fixture(scope="session")
def kuberay(go, tmp_path_factory):
    """The KubeRay operator, built from its module, and the folder with its definitions."""
    folder, module = tmp_path_factory.mktemp("kuberay"), "github.com/ray-project/kuberay/ray-operator"
    for arguments in (
        ("mod", "init", "example.com/kuberay"),
        ("get", f"{module}@v1.5.0"),
        ("build", "-o", "ray-operator", module),
    ):
        subprocess.run([go, *arguments], cwd=folder, check=True)
    source = subprocess.run(
        [go, "list", "-m", "-f", "{{.Dir}}", module], cwd=folder, check=True, capture_output=True, text=True
    )
    return folder / "ray-operator", Path(source.stdout.strip(), "config/crd/bases")
