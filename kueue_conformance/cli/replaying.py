"""`replay`: run the case of a reproduction bundle again, and tell whether the same thing breaks (harness/N-08)."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from .. import resources, scratch
from ..catalogue.inventory import inventory
from ..errors import UsageError
from .attended import attended, pytest_command
from .choosing import subject_options
from .preflight import preflight
from .schemas import schema_option

_ITS_OWN = frozenset(
    {"select", "exclude", "expectations", "report-dir", "evidence", "profile", "dialect", "seed", "repeat"}
)
"""Options of the run that made the bundle which are about other cases, or which the bundle says itself."""


@click.command(short_help="run a failure again from its bundle")
@click.argument("bundle", type=click.Path(path_type=Path))
@subject_options
@click.option("--report-dir", default="", help="where the report of the replay goes; default nowhere")
@schema_option("bundle")
def replay(bundle: Path, report_dir: str, **given: Any) -> int:
    """Run the case of BUNDLE again, with its seed and options, against the subject it failed with or the one that you name.

    Exit code: 0 it passes now, 1 it fails again or otherwise, 3 undetermined, 4 usage, 7 subject dead.
    """
    from ..report.bundle import unpack

    found = unpack(bundle)
    words = _words(
        found.said, {key.replace("_", "-"): value for key, value in given.items() if value is not None}
    )
    node = resources.suites() / found.node
    _known(found.said, node)
    preflight(words)
    with scratch.folder("replay-") as folder:
        words["report-dir"] = str(Path(report_dir or folder).absolute())
        command = [*pytest_command([node], words), "-n", "0", "-q"]
        click.echo(f"+ {shlex.join(['pytest', *command[3:]])}")
        code = attended(command)
        return _told(found.said, found.fingerprint, Path(words["report-dir"]) / "report.yaml", code)


def _words(said: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the replay: those of the bundle, and over them what was given now."""
    kept = {key: value for key, value in said["options"].items() if key not in _ITS_OWN}
    if "subject" in given or "subject-file" in given:
        kept = {
            key: value
            for key, value in kept.items()
            if key not in ("subject", "subject-file", "controller-name")
        }
    if said["controller"] and "subject-file" not in given:
        kept["controller-name"] = said["controller"]
    profile = (
        {"profile": inventory()[said["scenario"]].profile.name} if said["scenario"] in inventory() else {}
    )
    return {"dialect": said["dialect"], "seed": said["seed"], **profile, **kept, **given}


def _known(said: Any, node: Path) -> None:
    """Raise UsageError when the suite has no such case; a scenario that has changed is told."""
    file = Path(str(node).partition("::")[0])
    record = inventory().get(said["scenario"])
    if record is None or not file.is_file():
        raise UsageError(
            f"the bundle is about {said['scenario']} in {said['node']}, which this suite does not have",
            hint=f"it was made by suite {said['suite']}",
        )
    if record.revision != said["revision"]:
        click.echo(
            f"{record.id} is at revision {record.revision} here, the bundle was made with {said['revision']}: it may judge otherwise",
            err=True,
        )


def _told(said: Any, before: str, file: Path, code: int) -> int:
    """Say how the case ended beside how it did before, and return the exit code."""
    from ..report.check import load

    if code == 4 or not file.is_file():
        return code
    cases = [
        case for one in load(str(file))["scenarios"] if one["id"] == said["scenario"] for case in one["cases"]
    ]
    case = next((each for each in cases if each["test"] == said["test"]), None)
    if case is None:
        raise UsageError(
            f"the case {said['test']!r} was not run: the suite has it no more",
            hint=f"it was made by suite {said['suite']}",
        )
    now = case.get("clause") or case.get("code", "")
    name = f"{said['scenario']} [{said['dialect']}]"
    if case["outcome"] == "passed":
        click.echo(f"{name}: passes now; in the bundle {before} broke")
    elif now == before:
        click.echo(f"{name}: {now} breaks again")
    else:
        click.echo(f"{name}: {case['outcome']} otherwise: {now}; in the bundle {before} broke")
    return code
