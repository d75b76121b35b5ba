"""The example of docs/aggregation.md, with kubectl in between (FK-440)."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "aggregation.md"
BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
KUBECTL = shutil.which("kubectl")


@pytest.mark.skipif(KUBECTL is None, reason="kubectl is not installed")
def test_kubectl_gets_what_an_extension_server_serves_fk_440(tmp_path):
    names: dict = {}
    for kind, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if kind == "python":
            exec(compile(text, str(PAGE), "exec"), names)
        else:
            command, _, expected = text.removeprefix("$ ").partition("\n")
            names["cluster"].kubeconfig(tmp_path / "config")
            assert _reply(command, tmp_path) == expected


def _reply(command, folder):
    environment = {
        "KUBECONFIG": str(folder / "config"),
        "HOME": str(folder),
        "PATH": str(Path(KUBECTL).parent),
    }
    done = subprocess.run(
        command.split(), env=environment, capture_output=True, text=True, timeout=30, check=False
    )
    return done.stdout + done.stderr
