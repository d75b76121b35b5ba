"""Scenarios that cannot be loaded, as where a library is missing: the reason is printed."""

import pytest

from .test_early_end import WORDS


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_it_is_said_why_nothing_is_judged(pytester, workers):
    pytester.makepyfile(test_suite="import no_such_library")

    done = pytester.runpytest_subprocess(*WORDS, "-qq", "--tb=no", "-rN", "-n", workers)

    assert done.ret != 0
    done.stdout.fnmatch_lines(["error: test_suite.py cannot be loaded", "*No module named 'no_such_library'"])
