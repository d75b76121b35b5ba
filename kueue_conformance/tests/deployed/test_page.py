"""docs/deployment.md: every command that it shows is run in order, and leaves nothing behind."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..checkout import ROOT
from .site import free_port

PAGE = (ROOT / "docs/deployment.md").read_text("utf-8")
BLOCK = re.compile(r"<!-- (?P<label>[\w.-]+) -->\n```\w+\n(?P<text>.*?)```", re.DOTALL)
LEFT = "kubectl get crd,clusterroles,clusterrolebindings,namespaces,mutatingwebhookconfigurations,validatingwebhookconfigurations --output name | grep kueue || true"


def blocks(label):
    return [match["text"] for match in BLOCK.finditer(PAGE) if match["label"] == label]


def elsewhere(line, port):
    """Return a command for a machine where the ports of the page may be taken."""
    if not line.endswith("> config.yaml"):
        return line.replace("9443", str(port))
    return f"{line}; sed -i 's/9443/{port}/; s/:8081/127.0.0.1:0/; s/:8080/127.0.0.1:0/' config.yaml"


def script():
    """Return the commands as one script that stops at the first failure, and ends what it started."""
    port = free_port()
    lines = [elsewhere(line.removeprefix("$ "), port) for text in blocks("try") for line in text.splitlines()]
    server, *rest = lines
    serving = f"exec 3< <({server.removesuffix(' &')}); SERVER=$!; read -r -u 3 READY"
    begin = ["set -e", "trap 'kill $(jobs -p) $SERVER' EXIT", serving]
    return "\n".join([*begin, *rest, "echo left:", LEFT])


@pytest.fixture
def play(tmp_path):
    """The script's output."""
    if shutil.which("kubectl") is None:
        pytest.skip("kubectl is not on PATH: install it to run the commands of docs/deployment.md")
    (tmp_path / "queues.yaml").write_text(blocks("queues.yaml")[0])
    own = Path(sys.executable).parent
    env = {**os.environ, "PATH": f"{own}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    return subprocess.run(
        ["bash", "-c", script()],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )


@pytest.mark.slow
def test_every_command_of_the_page_works(play):
    assert play.returncode == 0, play.stdout + play.stderr
    assert play.stdout.partition("left:\n")[2] == ""
