"""A run of pytest within a test loads modules once, whatever ran before it in the process."""

import subprocess
import sys

PROGRAM = """
import sys

pytest_plugins = ["pytester", "kueue_conformance.tests.conftest"]


def test_it(pytester):
    pytester.makepyfile(own="", test_first="def test_it():\\n    import wave, own\\n")
    assert "wave" not in sys.modules
    done = pytester.runpytest_inprocess("-p", "no:cacheprovider")
    done.assert_outcomes(passed=1)
    loaded = sys.modules["wave"]
    pytester.runpytest_inprocess("-p", "no:cacheprovider").assert_outcomes(passed=1)
    assert sys.modules["wave"] is loaded
    assert not {"own", "test_first"} & set(sys.modules)


def test_it_stays_loaded():
    assert "wave" in sys.modules
"""


def test_a_run_within_a_test_forgets_its_own_modules_alone(tmp_path):
    (tmp_path / "test_program.py").write_text(PROGRAM)

    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", tmp_path],
        capture_output=True,
        text=True,
        timeout=120,
        cwd=tmp_path,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout
