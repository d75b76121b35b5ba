"""Prints for each rule of v0.19's evaluation order which scenario fails without it; exit code 1 when one survives.

python -m reference_impl.tests.mutation [RULE …]
"""

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from reference_impl.workload.transitions import ORDER

from .without_rule import RULE, name_of

AT_ONCE = 2
PLUGIN = f"{__package__}.without_rule"


def first_failure(rule):
    """Run ADMISSION without a rule until a case fails and return its line; empty when none does."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable, "-m", "kueue_conformance", "run", "--profile", "ADMISSION", "-n", "0", "-x",
            "--seed", "7", "--report-dir", folder, "--pytest-arg=-p", f"--pytest-arg={PLUGIN}", "--pytest-arg=--timeout=60",
        ]  # fmt: skip
        environment = {**os.environ, RULE: rule}
        ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode == 0:
        return ""
    found = next((line for line in ended.stdout.splitlines() if line.startswith(("failed: ", "error: "))), "")
    return found or f"exit code {ended.returncode}: {ended.stderr[-300:]}"


def main(rules):
    """Print the table and return the exit code."""
    rules, survivors = rules or [name_of(rule) for rule in ORDER], 0
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for rule, failure in zip(rules, pool.map(first_failure, rules), strict=True):
            survivors += not failure
            print(f"{rule:<42} {failure or 'SURVIVES: no scenario fails without it'}", flush=True)  # noqa: T201
    return 1 if survivors else 0


sys.exit(main(sys.argv[1:]))
