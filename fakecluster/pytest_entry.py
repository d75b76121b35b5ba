"""What pytest finds of fakecluster by itself:
the setting `fakecluster_fixtures`, which loads the fixtures of `pytest_plugin`.

The fixtures have common names (`cluster`, `client`),
which other plugins have as well. So a project asks for them.
"""

from __future__ import annotations

import pytest

FIXTURES_SETTING = "fakecluster_fixtures"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the setting."""
    parser.addini(
        FIXTURES_SETTING,
        "have the fixtures cluster, client and kubeconfig of fakecluster",
        type="bool",
        default=False,
    )


def pytest_configure(config: pytest.Config) -> None:
    """Load the fixtures where the project asks for them."""
    if config.getini(FIXTURES_SETTING):
        config.pluginmanager.import_plugin("fakecluster.pytest_plugin")
