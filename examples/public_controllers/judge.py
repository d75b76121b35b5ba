"""Judges a public check controller that you have cloned and built: `python judge.py NAME CLONE [OPTION ...]`.

NAME is a folder beside this file, CLONE your clone of its repository, at the commit that the subject file names and
built as its own documentation says. Nothing is cloned, built or changed. The options go to `kueue-conformance run`;
without any, the whole profile CHECK-CONTROLLER is judged. With --explore they go to `kueue-conformance explore`.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
NEEDS = {
    "konflux_config": ("bin/manager", "config/rbac/role.yaml"),
    "konflux_alerts": (
        "bin/manager",
        "config/rbac/role.yaml",
        "config/crd/bases/konflux-ci.dev_externaladmissionconfigs.yaml",
    ),
    "retry_test": ("admission-check/admission-check",),
    "demo_acc": ("cmd/experimental/demo-acc/bin/manager",),
    "fabric_storage": ("fabric-storage-admission-reconcile.sh",),
}
"""The files of a clone that a subject file names: the program first."""
V1BETA1 = ("--dialect", "v0.19")
"""The newest release with the version of the API in which a controller reads Workloads."""
OPTIONS = {
    "konflux_config": V1BETA1,
    "konflux_alerts": V1BETA1,
    "retry_test": V1BETA1,
    "demo_acc": (*V1BETA1, "--timeout-scale", "8"),  # each verdict takes it a minute
}
OPTIONS_OF_RUN = {"retry_test": ("-n", "0")}  # it listens on a port of its own
TOOLS = {"fabric_storage": ("bash", "kubectl", "jq")}


class Lack(Exception):
    """Something is missing: what, and what to do."""


def check_clone(name: str, clone: Path) -> None:
    """Raise Lack where the clone has not everything that the subject file names."""
    if not clone.is_dir():
        raise Lack(f"{clone} is no folder\nname the folder that `git clone` made")
    program, *files = NEEDS[name]
    for file in files:
        if not (clone / file).is_file():
            raise Lack(f"{clone} has no {file}\nis it a clone for {name}, at commit {commit_of(name)}?")
    if not shutil.which(clone / program):
        raise Lack(f"{clone} has no program {program}\nbuild it as the documentation of that repository says")
    missing = [tool for tool in TOOLS.get(name, ()) if not shutil.which(tool)]
    if missing:
        raise Lack(f"{', '.join(missing)} is not on PATH\ninstall it: the controller needs it")


def commit_of(name: str) -> str:
    """Return the commit that the results are of."""
    subject = yaml.safe_load((HERE / name / "subject.yaml").read_text())
    return str(subject["implementation"]["version"])


def note_on_commit(name: str, clone: Path) -> str:
    """Return a note where the clone is at another commit than the results, or has changes; empty otherwise."""
    expected = commit_of(name)
    head = subprocess.run(
        ["git", "-C", clone, "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    if head.returncode:
        return f"note: {clone} is no clone of git; results are of {expected}"
    if head.stdout.strip() != expected:
        return f"note: {clone} is at {head.stdout.strip()}, and the results are of {expected}"
    return ""


def link(name: str, clone: Path) -> None:
    """Let the link `clone` beside the subject file lead to the clone."""
    place = HERE / name / "clone"
    if place.exists() and not place.is_symlink():
        raise Lack(f"{place} is in the way\nremove it: a link to the clone belongs there")
    place.unlink(missing_ok=True)
    place.symlink_to(clone.resolve())


def command_of(name: str, more: list[str], *, is_explored: bool) -> list[str]:
    """Return the command that judges or explores a controller."""
    verb, of_verb = ("explore", ()) if is_explored else ("run", OPTIONS_OF_RUN.get(name, ()))
    subject = ("--subject-file", str(HERE / name / "subject.yaml"))
    return [
        sys.executable,
        "-m",
        "kueue_conformance",
        verb,
        *subject,
        *OPTIONS.get(name, ()),
        *of_verb,
        *more,
    ]


def main() -> int:
    """Judge what the command line names; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("name", choices=sorted(NEEDS), metavar="NAME", help=", ".join(sorted(NEEDS)))
    parser.add_argument("clone", type=Path, metavar="CLONE")
    parser.add_argument(
        "--explore", action="store_true", help="look for what no scenario names, in place of the scenarios"
    )
    options, more = parser.parse_known_args()
    try:
        check_clone(options.name, options.clone)
        link(options.name, options.clone)
    except Lack as lack:
        what, remedy = str(lack).split("\n")
        print(f"error: {what}\n  hint: {remedy}", file=sys.stderr)
        return 4
    if note := note_on_commit(options.name, options.clone):
        print(note, file=sys.stderr)
    command = command_of(options.name, more, is_explored=options.explore)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
