"""What `init --integration` writes: a subject file with the field `job`, and jobs of the kind."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import yaml

from ..base import resources
from ..base.errors import UsageError

CONNECT, CONNECT_OF_EXAMPLE = "process:./my-integration", "process:python integration.py"
FILES_OF_EXAMPLE = ("integration.py", "training.yaml", "trainings-crd.yaml")
JOB = Path("job.yaml")
NEW_KIND = """\
job:
  manifest: job.yaml
  crds: []
  suspend: spec.suspend
  podSets:
  - {template: spec.template, count: spec.parallelism}
  status:
    running: {active: "${parallelism}"}
    stopped: {active: 0}
    succeeded: {phase: Succeeded, active: 0}
    failed: {phase: Failed, active: 0}
"""
"""A kind whose jobs are like those of Kubernetes."""
NEW_JOB = """\
# One job of your kind. ${name}, ${namespace}, ${queue}, ${parallelism} and ${cpu} are filled in.
apiVersion: example.com/v1
kind: MyJob
metadata:
  name: ${name}
  namespace: ${namespace}
  labels: {kueue.x-k8s.io/queue-name: "${queue}"}
spec:
  suspend: true
  parallelism: ${parallelism}
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: registry.k8s.io/pause:3.10
        resources: {requests: {cpu: "${cpu}"}}
"""


def check_language(language: str) -> None:
    """Raise UsageError for a language in which there is no example of an integration."""
    if language not in ("", "python"):
        raise UsageError(
            f"there is no example of a job integration in {language}, only in python",
            hint="leave --language out, and name your program with --connect",
        )


def field_of_job(*, example: bool) -> str:
    """Return the field `job` as YAML: that of the example, or one to change."""
    if not example:
        return NEW_KIND
    subject = yaml.safe_load((resources.example_integration() / "subject.yaml").read_text("utf-8"))
    return yaml.safe_dump({"job": subject["job"]}, sort_keys=False)


def files_of_jobs(*, example: bool) -> Mapping[Path, str]:
    """Return the files that the field names, and the program of the example."""
    if not example:
        return {JOB: NEW_JOB}
    folder = resources.example_integration()
    return {Path(name): (folder / name).read_text("utf-8") for name in FILES_OF_EXAMPLE}
