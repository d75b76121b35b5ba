"""A run that cannot begin: what is wrong is told once, as every command of ours tells it."""

from __future__ import annotations

from typing import Any, NoReturn

import pytest

from ..base.errors import ConformanceError

_ENDING: Any = type("error", (pytest.exit.Exception,), {})
"""Ends pytest before a case is collected; pytest prints the name of the class and a text."""


def refuse(config: pytest.Config, problem: ConformanceError) -> NoReturn:
    """End the run with the text and the exit code of a problem."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None:
        config.pluginmanager.unregister(terminal)  # it would tell the same on stdout
    raise _ENDING(str(problem), returncode=problem.exit_code)
