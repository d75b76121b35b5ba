"""What a build for pip requires, and what a build for others does."""

from pathlib import Path

import pytest
from hatchling.metadata.core import ProjectMetadata
from hatchling.plugin.manager import PluginManager

from tools.packaging.checkout_install import BUILDS_FOR_PIP, CheckoutInstall

ROOT = Path(__file__).parents[3]
FOLDER = f"fakecluster @ {(ROOT / 'fakecluster').as_uri()}"


def require(version):
    """Return how a build names fakecluster, and how many requirements it has."""
    metadata = ProjectMetadata(str(ROOT), PluginManager())
    before = len(metadata.core.dependencies)
    CheckoutInstall(str(ROOT), {}, None, metadata, "", "wheel").initialize(version, {})
    (required,) = (text for text in metadata.core.dependencies if text.startswith("fakecluster"))
    return required, len(metadata.core.dependencies) - before


@pytest.mark.parametrize(
    ("version", "variable", "expected"),
    [
        pytest.param("editable", None, FOLDER, id="pip install -e ."),
        pytest.param("standard", "/tmp/tracker", FOLDER, id="pip install ."),
        pytest.param("standard", None, "fakecluster==", id="python -m build"),
    ],
)
def test_how_the_server_is_required(monkeypatch, version, variable, expected):
    if variable is None:
        monkeypatch.delenv(BUILDS_FOR_PIP, raising=False)
    else:
        monkeypatch.setenv(BUILDS_FOR_PIP, variable)

    required, added = require(version)

    assert required.startswith(expected)
    assert added == 0
