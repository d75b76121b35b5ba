"""CC-036 is judged in every run: a controller that says nothing with Retry and Rejected is told so, also
where no driver tells a text.
"""

import pytest
import yaml

from .controllers import NAME, judge_program

MUTE = """
from controller import CheckController, main

class Mute(CheckController):
    def ask(self, workload, check):
        said = workload["metadata"].get("labels", {}).get("acme.io/verdict", "")
        return {"state": said.capitalize() or "Pending"}

    def entry(self, old, verdict):
        return {**super().entry(old, verdict), "message": ""}

main(Mute)
"""
DRIVERS = {state: {"workloadLabels": {"acme.io/verdict": state}} for state in ("ready", "retry", "rejected")}


@pytest.mark.slow
def test_verdicts_without_a_text_are_told_where_no_driver_tells_one(tmp_path):
    subject_file = {
        "apiVersion": "kueue-conformance.dev/v1",
        "kind": "Subject",
        "controllerName": NAME,
        "drivers": DRIVERS,
    }
    (tmp_path / "subject.yaml").write_text(yaml.safe_dump(subject_file))
    done = judge_program(tmp_path, MUTE, "CHK-033", "CHK-027", "--subject-file", "subject.yaml")
    outcomes = {scenario["id"]: scenario["outcome"] for scenario in done.report["scenarios"]}
    rules = {rule["id"]: len(rule["violations"]) for rule in done.report["safetyRules"]}

    assert outcomes["CHK-027"] == "unsupported"
    assert (rules["CC-036"] > 0, "CC-036 [should] explains" in done.out) == (True, True), done.out
