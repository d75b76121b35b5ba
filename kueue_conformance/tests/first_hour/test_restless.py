"""A controller that writes without end: two cases wait for
it to come to rest, it is told, and the others do not wait.
"""

import pytest

from kueue_conformance.backends.rest_timeout import LONGEST_SECONDS, RestTimeout
from kueue_conformance.cli.run_command import run

from .controllers import judge_program

HOT = """
import threading
from controller import CheckController, main

class Hot(CheckController):
    def judge(self, workload):
        super().judge(workload)
        metadata = workload["metadata"]
        name = metadata["name"]
        if name not in BUSY:
            BUSY.add(name)
            threading.Thread(target=self.rewrites, args=(metadata["namespace"], name), daemon=True).start()

    def rewrites(self, namespace, name):
        about = ("kueue.x-k8s.io", "v1beta2", namespace, "workloads", name)
        number = 0
        while not self.stop.wait(0.05):
            number += 1
            try:
                found = self.api.get_namespaced_custom_object(*about)
                for one in found.get("status", {}).get("admissionChecks", []):
                    one["message"] = f"pass {number}"
                self.api.replace_namespaced_custom_object_status(*about, found)
            except Exception:
                pass

BUSY = set()
main(Hot)
"""


def test_two_cases_wait_and_the_second_one_tells():
    lines_told = []
    rest_timeout, first, second = RestTimeout(lines_told.append), object(), object()
    for case, patience, lines in (
        (first, LONGEST_SECONDS, 0),
        (first, LONGEST_SECONDS, 0),
        (second, 0.0, 1),
        (object(), 0.0, 1),
    ):
        rest_timeout.record_timeout(case)
        assert (rest_timeout.seconds, len(lines_told)) == (patience, lines)


@pytest.mark.slow
@pytest.mark.exhaustive  # it waits for rest in vain, more than a minute
def test_a_controller_that_never_stops_writing_is_told_once_and_judged(tmp_path):
    done = judge_program(tmp_path, HOT, "CHK-013", "CHK-014", "CHK-015", "CHK-016", "--timeout-scale", "0.2")

    assert (done.code, (done.out + done.err).count("something never stops writing")) == (1, 1), done.out


def test_help_says_what_fail_fast_counts():
    help_text = next(parameter.help for parameter in run.params if parameter.name == "fail_fast")

    assert "the first case that fails, at whatever level" in help_text
