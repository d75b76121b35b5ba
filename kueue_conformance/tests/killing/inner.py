"""Pytest within pytest: what a scenario needs of it and no more, since most of the time of a short run goes
into plugins that it never uses.
"""

import os
import sys
from contextlib import contextmanager
from unittest.mock import patch

from _pytest.assertion.rewrite import AssertionRewritingHook

from kueue_conformance.tests.checkout import ROOT

_WITHOUT = (
    "doctest",
    "faulthandler",
    "freeze_support",
    "junitxml",
    "legacypath",
    "logging",
    "pastebin",
    "setuponly",
    "setupplan",
    "stepwise",
    "threadexception",
    "unittest",
    "unraisableexception",
)
ARGUMENTS = (
    "-c",
    str(ROOT / "kueue_conformance/data/pytest.ini"),
    "-o",
    "addopts=",
    "--rootdir",
    str(ROOT / "suites"),
    "--import-mode=importlib",
    "--strict-markers",
    "--assert=plain",
    "--tb=no",
    "-q",
    "-p",
    "kueue_conformance.plugin",
    "-p",
    "pytest_timeout",
    "-p",
    "no:cacheprovider",
    *(piece for name in _WITHOUT for piece in ("-p", f"no:{name}")),
    "--kueue-strict",
)


@contextmanager
def apart():
    """Keep the pytest inside from what the one outside has loaded and set."""
    # The pytest outside rewrites assertions, which the one inside then explains without knowing it: a `%` in
    # an explanation breaks it.
    finders = [item for item in sys.meta_path if not isinstance(item, AssertionRewritingHook)]
    with patch.dict(os.environ, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1"), patch.object(sys, "meta_path", finders):
        yield
