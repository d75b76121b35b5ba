"""Runs of pytest within a test, which forget no modules but those of that test."""

import sys
from pathlib import Path

import pytest


@pytest.fixture
def module_snapshots(monkeypatch, tmp_path_factory):
    """Have snapshots of `sys.modules` leave every module loaded whose file is not one of a test's folder."""
    from _pytest.pytester import SysModulesSnapshot

    folder = tmp_path_factory.getbasetemp()

    class ProgramsStay(SysModulesSnapshot):
        def __init__(self, preserve=None):
            del preserve
            super().__init__(lambda name: not is_below(folder, sys.modules[name]))

    monkeypatch.setattr("_pytest.pytester.SysModulesSnapshot", ProgramsStay)


def is_below(folder, module):
    """Tell whether a module was loaded from a file in a folder."""
    file = getattr(module, "__file__", None)
    return file is not None and Path(file).is_relative_to(folder)


@pytest.fixture
def pytester(module_snapshots, pytester):
    """Pytest's own, by which a module that a run was the first to load is not loaded again behind it.

    A module that is loaded twice has its classes, tables and registries twice, and CEL's library cannot be:
    whether a later test holds would depend on which test of its process is the first to load it.
    """
    return pytester
