"""What `init --integration` writes: a subject file with the field `job`, and jobs of the kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import yaml

from ..base import resources
from ..base.errors import UsageError
from .languages import LANGUAGES, Language

CONNECT = "process:./my-integration"
JOB = Path("job.yaml")
_JOBS = ("training.yaml", "trainings-crd.yaml")
EXAMPLES: Mapping[str, Language] = {
    "python": replace(
        LANGUAGES["python"], files=("integration.py", *_JOBS), connect="process:python integration.py"
    ),
    "go": replace(
        LANGUAGES["go"],
        files=(*LANGUAGES["go"].files, *_JOBS),
        connect="process:./training-integration",
    ),
    "java": replace(
        LANGUAGES["java"],
        files=(*LANGUAGES["java"].files, *_JOBS),
        connect="process:java -jar target/training-integration.jar",
    ),
}
"""The languages in which there is an example of an integration."""
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
    if language and language not in EXAMPLES:
        *first_languages, last_language = EXAMPLES
        raise UsageError(
            f"there is no example of a job integration in {language}, only in {', '.join(first_languages)} and {last_language}",
            hint="leave --language out, or name your program with --connect",
        )


def field_of_job(language: str) -> str:
    """Return the field `job` as YAML: that of the example in a language, or one to change."""
    if not language:
        return NEW_KIND
    subject = yaml.safe_load((resources.example_integration(language) / "subject.yaml").read_text("utf-8"))
    return yaml.safe_dump({"job": subject["job"]}, sort_keys=False)


def files_of_jobs(language: str) -> Mapping[Path, str]:
    """Return the files that the field names, and the program of the example in a language."""
    if not language:
        return {JOB: NEW_JOB}
    return EXAMPLES[language].files_in(resources.example_integration(language))
