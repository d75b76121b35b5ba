"""The wheel of fakecluster, in an environment that has what it declares and nothing else of this project."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from .wheels import build_wheel

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.xdist_group("wheel")]
PLUGINS = """
from importlib.metadata import entry_points
print(*sorted(point.name for point in entry_points(group="pytest11")))
"""
SERVER = """
from fakecluster import FakeCluster
with FakeCluster() as cluster:
    print(cluster.request("GET", "/api/v1/namespaces/default")["status"]["phase"])
"""


def required(names, found=None):
    """Return the installed distributions that these need, by name."""
    found = {} if found is None else found
    for name in names:
        if name not in found:
            try:
                found[name] = distribution(name)
            except PackageNotFoundError:
                continue  # for another platform
            needs = [Requirement(text) for text in found[name].requires or ()]
            required(
                [need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})], found
            )
    return found


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Make an environment with the wheel, and links to what it needs, so that no network is needed."""
    folder = tmp_path_factory.mktemp("alone")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    (site,) = (folder / "venv/lib").glob("python3*/site-packages")
    wheel = build_wheel("fakecluster", folder)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "venv/bin/python"), "install", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--quiet", "--disable-pip-version-check", str(wheel)], check=True)
    metadata = next(site.glob("fakecluster-*.dist-info/METADATA")).read_text("utf-8")
    needs = [Requirement(line) for line in re.findall(r"^Requires-Dist: (.*)$", metadata, re.MULTILINE)]
    names = [need.name for need in needs if not need.marker or need.marker.evaluate({"extra": ""})]
    for needed in required(names).values():
        for top in {path.parts[0] for path in needed.files if ".." not in path.parts}:
            if top != "__pycache__":
                (site / top).symlink_to(Path(needed.locate_file(top)).resolve())
    return folder / "venv/bin"


def run(*words):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        list(map(str, words)), capture_output=True, text=True, check=False, env=environment, cwd="/"
    )


def test_a_server_starts(alone):
    done = run(alone / "python", "-c", SERVER)

    assert (done.stdout, done.stderr, done.returncode) == ("Active\n", "", 0)


def test_the_command_is_there(alone, tmp_path):
    done = run(alone / "fakecluster", "install-envtest-assets", tmp_path / "assets")

    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "assets/fakecluster-assets.json").read_text())["version"] == version(
        "fakecluster"
    )


def test_no_plugin_and_no_package_of_the_suite_is_there(alone):
    plugins = run(alone / "python", "-c", PLUGINS)
    suite = run(alone / "python", "-c", "import kueue_conformance")

    assert plugins.stdout.split() == ["fakecluster.pytest_entry"]
    assert "No module named 'kueue_conformance'" in suite.stderr


def test_neither_pytest_nor_the_client_of_python_is_needed(alone):
    absent = [
        run(alone / "python", "-c", f"import {name}").stderr for name in ("pytest", "kubernetes", "faker")
    ]

    assert ["No module named" in text for text in absent] == [True, True, True]
