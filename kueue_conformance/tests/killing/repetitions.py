"""`make repetitions`: the right controller passes again and again,
in any order, with all cores loaded: no flake.
"""

import argparse
import subprocess
import sys

from kueue_conformance.catalogue.inventory import inventory
from kueue_conformance.scenarios.capability import Capability
from kueue_conformance.scenarios.outcome import Level

from .judging import ROOT, SUITE, ZOO

CORE = {Capability.READY, Capability.RETRY, Capability.REJECTED}
PLAYED = {"scripted control plane"}


def core():
    """Return the scenarios at level must that need a control
    plane and the three plain verdicts, and nothing else.
    """
    return [
        scenario.id
        for scenario in inventory().values()
        if scenario.id.startswith("CHK")
        and scenario.level is Level.MUST
        and CORE.issuperset(scenario.capabilities)
        and PLAYED.issuperset(scenario.needs)
    ]


def run(select, times):
    """Run scenarios (all where none are named) so often, shuffled, on all cores; return the exit code."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(ROOT / "kueue_conformance/data/pytest.ini"),
        "--rootdir",
        str(ROOT / "suites"),
        str(SUITE),
        "-n",
        "auto",
        "-q",
        "-p",
        "randomly",
        "--assert=plain",
        "--kueue-strict",
        f"--kueue-subject-file={ZOO / 'right.yaml'}",
        f"--kueue-repeat={times}",
        f"--kueue-select={','.join(select)}",
    ]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main():
    """Repeat core and everything."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--core", type=int, default=200)
    options.add_argument("--whole", type=int, default=20)
    args = options.parse_args()
    rounds = ((core(), args.core), ([], args.whole))
    sys.exit(max(run(select, times) for select, times in rounds if times))


if __name__ == "__main__":
    main()
