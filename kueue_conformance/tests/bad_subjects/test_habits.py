"""Each bad habit of a subject ends in the right exit code with a hint, and nothing is left behind (harness
§10.6, H-42, H-43).
"""

import pytest

from .programs import judge, leftovers

DEAD = {
    "never starts": ("the subject was not ready", "hint: it sent no request to the API server"),
    "forks and dies": (
        "ended with exit code 5",
        "hint: run it by hand to see why: `kueue-conformance smoke --keep`",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("habit", "texts"), DEAD.items(), ids=DEAD)
def test_subject_that_never_works_ends_with_7(tmp_path, habit, texts):
    done = judge(tmp_path, habit, "CHK-001", **{"timeout-scale": 0.05})

    assert done.returncode == 7
    assert [text for text in texts if text not in done.stdout] == []
    assert leftovers(tmp_path) == ([], [])


@pytest.mark.slow
@pytest.mark.parametrize("habit", ["ignores SIGTERM", "floods the log", "speaks no HTTP", "forks and waits"])
def test_habit_that_harms_no_verdict_is_no_failure(tmp_path, habit):
    done = judge(tmp_path, habit, "CHK-010", "CHK-011", **{"timeout-scale": 0.3})

    assert (done.returncode, leftovers(tmp_path)) == (0, ([], [])), done.stdout


@pytest.mark.slow
def test_object_that_is_too_large_is_a_failure_of_the_subject(tmp_path):
    done = judge(tmp_path, "writes 10 MB", "CHK-011", **{"timeout-scale": 0.3})

    assert (done.returncode, "CHK-011.a" in done.stdout) == (1, True), done.stdout
    assert leftovers(tmp_path) == ([], [])
