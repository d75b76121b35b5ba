"""`replay`: runs the case of a reproduction bundle again,
and reports whether it fails in the same way (harness/N-08).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from .. import options
from ..base import resources
from ..base.errors import UsageError, unknown
from ..base.files import scratch
from ..base.files.input_limits import shown
from ..catalogue.inventory import inventory, module_of
from ..options import BY_KEY
from ..scenarios import dialect
from .preflight import preflight
from .pytest_process import pytest_command, run_pytest
from .schemas import schema_option
from .shared_options import subject_options

_SWITCHES = ("strict", "at-rest")
"""Options of the bundle's run that are used again: they say how it was judged, not which subject ran where.
"""
_PLANES = ("reference", "scripted")
"""Control planes of this suite; any other value names a program or a file."""
_OTHER_CASES = frozenset(
    {
        "select",
        "level",
        "exclude",
        "expectations",
        "report-dir",
        "evidence",
        "profile",
        "dialect",
        "cases",
        "seed",
        "repeat",
    }
)
"""Options that select other cases, or that the bundle has itself."""


@click.command(short_help="run a failure again from its bundle")
@click.argument("bundle", type=click.Path(path_type=Path))
@subject_options
@click.option("--report-dir", default="", help="where to write the report of the replay; default: no report")
@schema_option("bundle")
def replay(bundle: Path, report_dir: str, **given: Any) -> int:
    """Run the case of BUNDLE again, with its seed, against the subject that you name.

    A bundle is foreign data: which subject, backend, control plane and files it was made with is shown, and
    used only when you say so yourself.

    Exit code: 0 it passes now, 1 it fails again or otherwise, 3 undetermined, 4 usage, 7 subject dead.
    """
    from ..report.story.bundle import unpack

    found = unpack(bundle)
    node = _node(found.said)
    words = _words(
        found.said, {key.replace("_", "-"): value for key, value in given.items() if value is not None}
    )
    for line in _asked_for(found.said, words):
        click.echo(line, err=True)
    _check_subject(found.said, words)
    preflight(words)
    with scratch.folder("replay-") as folder:
        words["report-dir"] = str(Path(report_dir or folder).absolute())
        command = [*pytest_command([node], words), "-n", "0", "-q"]
        click.echo(f"+ {shlex.join(['pytest', *command[3:]])}")
        code = run_pytest(command)
        return _told(found.said, found.fingerprint, Path(words["report-dir"]) / "report.yaml", code)


def _words(said: Any, given: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the replay: those given now,
    and those of the bundle that name nothing outside of the suite.
    """
    asked = said["options"]
    kept: dict[str, Any] = {name: True for name in _SWITCHES if asked.get(name)}
    if asked.get("control-plane") in _PLANES:
        kept["control-plane"] = asked["control-plane"]
    if said["controller"] and "subject-file" not in given:
        kept["controller-name"] = said["controller"]
    profile = {"profile": inventory()[said["scenario"]].profile.name}
    return {"dialect": _dialect(said["dialect"]), "seed": said["seed"], **profile, **kept, **given}


def _dialect(name: str) -> str:
    """Return the name of a known dialect. Raises UsageError."""
    if name not in dialect.every():
        raise unknown("dialect in the bundle", shown(name), dialect.every())
    return name


def _asked_for(said: Any, words: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each option of the bundle's run that the replay does not use."""
    for key, value in said["options"].items():
        if key not in words and key not in _OTHER_CASES and key in BY_KEY:
            word = f"--{key}" if BY_KEY[key].switch else f"--{key} {shlex.quote(shown(value))}"
            yield f"this bundle was made with {word}; pass it to use it"


def _check_subject(said: Any, words: dict[str, Any]) -> None:
    """Raise UsageError when the case judges a check controller and no --subject is given."""
    raw = options.effective(words)
    if said["controller"] and not (raw["subject"] or raw["subject-file"]):
        raise UsageError(
            "the bundle is about a check controller, and a bundle starts no program: give --subject",
            hint='add --subject "process:./my-controller"',
        )


def _node(said: Any) -> str:
    """Return the case's pytest node id, in the module of the scenario. Raises UsageError.

    A scenario that has changed is told.
    """
    record = inventory().get(said["scenario"])
    module = module_of(record) if record else None
    named = said["node"].partition("::")[0]
    if record is None or module is None or module.relative_to(resources.suites()).as_posix() != named:
        raise UsageError(
            f"the bundle is about {said['scenario']} in {shown(said['node'])}, which this suite does not have",
            hint=f"it was made by suite {shown(said['suite'])}",
        )
    if record.revision != said["revision"]:
        click.echo(
            f"{record.id} is at revision {record.revision} here, the bundle was made with {said['revision']}: it may judge otherwise",
            err=True,
        )
    return f"{module}::{said['test']}"


def _told(said: Any, before: str, file: Path, code: int) -> int:
    """Print the outcome of the case now and in the bundle, and return the exit code."""
    from ..report.afterwards.check import load

    if code == 4 or not file.is_file():
        return code
    cases = [
        case for one in load(str(file))["scenarios"] if one["id"] == said["scenario"] for case in one["cases"]
    ]
    case = next((each for each in cases if each["test"] == said["test"]), None)
    if case is None:
        raise UsageError(
            f"the case {shown(said['test'])!r} was not run: the suite does not have it any more",
            hint=f"it was made by suite {shown(said['suite'])}",
        )
    now = case.get("clause") or case.get("code", "")
    name = f"{said['scenario']} [{said['dialect']}]"
    if case["outcome"] == "passed":
        click.echo(f"{name}: passes now; in the bundle {shown(before)} broke")
    elif now == before:
        click.echo(f"{name}: {now} breaks again")
    else:
        click.echo(f"{name}: {case['outcome']} otherwise: {now}; in the bundle {shown(before)} broke")
    return code
