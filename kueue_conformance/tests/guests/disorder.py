"""`make disorder`: no verdict depends on the order in which watches of several kinds deliver.

The reference is right, so whatever fails here is a defect of the harness.
"""

import argparse
import subprocess
import sys

RUNS = (
    ("ADMISSION,VISIBILITY,QUEUEING,PROVISIONING-CHECK,PROVISIONING-REQUEST",),
    ("CHECK-CONTROLLER", "--subject", "reference"),
)


def run(seed, words):
    """Run profiles with delays of this seed; return the exit code."""
    profiles, *others = words
    report = f"conformance-report/disorder/{seed}/{profiles.partition(',')[0]}"
    command = [sys.executable, "-m", "kueue_conformance", "run", "--profile", profiles, *others]
    command += ["--watch-delays", str(seed), "--report-dir", report]
    return subprocess.run(command, check=False).returncode


def main():
    """Run every profile with each seed, and end with the exit codes that were not 0."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seeds", type=int, default=20, help="how many seeds")
    options.add_argument("--first", type=int, default=1, help="the first of them")
    options.add_argument("--profile", default="", help="profiles to judge in place of all of them")
    args, others = options.parse_known_args()
    runs = [(args.profile,)] if args.profile else RUNS
    seeds = range(args.first, args.first + args.seeds)
    codes = {(seed, words[0]): run(seed, (*words, *others)) for seed in seeds for words in runs}
    failed = {key: code for key, code in codes.items() if code}
    lines = [
        f"disorder: {len(codes) - len(failed)} of {len(codes)} runs passed",
        *(f"  seed {seed}, {profiles}: exit code {code}" for (seed, profiles), code in failed.items()),
    ]
    sys.stdout.write("\n".join([*lines, ""]))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
