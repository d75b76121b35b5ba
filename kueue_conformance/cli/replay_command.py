"""`replay`: runs the case of a reproduction bundle again,
and reports whether it fails in the same way (harness/N-08).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from .. import options
from ..base import resources
from ..base.errors import UsageError, unknown
from ..base.files import scratch
from ..base.files.input_limits import shorten
from ..catalogue.inventory import inventory, module_of
from ..options import BY_KEY
from ..scenarios import dialect
from ..scenarios.scenario import Scenario
from .preflight import preflight
from .pytest_process import OUR_DISPLAY, PROGRESS, pytest_command, run_pytest
from .schemas import schema_option
from .shared_options import subject_options

_SWITCHES = ("strict", "at-rest")
"""Options of the bundle's run that are used again: they say how it was judged, not which subject ran where.
"""
_ONE_CASE = "kueue_conformance.session.one_case"
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
        "shard",
        "shard-costs",
        "stories",
    }
)
"""Options that select other cases, or that the bundle has itself."""


@click.command(short_help="run a failure again from its bundle")
@click.argument("bundle", type=click.Path(path_type=Path))
@subject_options
@click.option("--report-dir", default="", help="where to write the report of the replay; default: no report")
@schema_option("bundle")
def replay(bundle: Path, report_dir: str, **options_of_replay: Any) -> int:
    """Run the case of BUNDLE again, with its seed, against the subject that you name.

    A bundle is foreign data: which subject, backend, control plane and files it was made with is shown, and
    used only when you say so yourself.

    Exit code: 0 it passes now, 1 it fails again or otherwise, 3 undetermined, 4 usage, 7 subject dead.
    """
    from ..report.story.bundle import unpack

    content = unpack(bundle)
    node = _node(content.manifest)
    words = _words(
        content.manifest,
        {key.replace("_", "-"): value for key, value in options_of_replay.items() if value is not None},
    )
    for line in _unused_options(content.manifest, words):
        click.echo(line, err=True)
    _check_subject(content.manifest, words)
    preflight(words)
    with scratch.folder("replay-") as folder:
        words["report-dir"] = str(Path(report_dir or folder).absolute())
        command = [*pytest_command([node], words), "-n", "0", "-p", PROGRESS, "-p", _ONE_CASE, *OUR_DISPLAY]
        code = run_pytest(command)
        code = _print_outcome(
            content.manifest, content.fingerprint, Path(words["report-dir"]) / "report.yaml", code
        )
        if report_dir:
            click.echo(f"report: {Path(report_dir) / 'report.html'}")
        return code


def _words(manifest: Any, overrides: dict[str, Any]) -> dict[str, Any]:
    """Return the options of the replay: those given now,
    and those of the bundle that name nothing outside of the suite.
    """
    recorded_options = manifest["options"]
    options_of_bundle: dict[str, Any] = {name: True for name in _SWITCHES if recorded_options.get(name)}
    if recorded_options.get("control-plane") in _PLANES:
        options_of_bundle["control-plane"] = recorded_options["control-plane"]
    # Of another former release the story is another one.
    if recorded_options.get("upgrade-from"):
        options_of_bundle["upgrade-from"] = str(recorded_options["upgrade-from"])
    if manifest["controller"] and "subject-file" not in overrides:
        options_of_bundle["controller-name"] = manifest["controller"]
    profile = {"profile": inventory()[manifest["scenario"]].profile.name}
    return {
        "dialect": _dialect(manifest["dialect"]),
        "seed": manifest["seed"],
        **profile,
        **options_of_bundle,
        **overrides,
    }


def _dialect(name: str) -> str:
    """Return the name of a known dialect. Raises UsageError."""
    if name not in dialect.every():
        raise unknown("dialect in the bundle", shorten(name), dialect.every())
    return name


def _unused_options(manifest: Any, words: dict[str, Any]) -> Iterator[str]:
    """Yield a line for each option of the bundle's run that the replay does not use."""
    for key, value in manifest["options"].items():
        if key not in words and key not in _OTHER_CASES and key in BY_KEY:
            word = f"--{key}" if BY_KEY[key].switch else f"--{key} {shlex.quote(shorten(value))}"
            yield f"this bundle was made with {word}; pass it to use it"


def _check_subject(manifest: Any, words: dict[str, Any]) -> None:
    """Raise UsageError when the case judges a check controller and no --subject is given."""
    raw = options.effective(words)
    if manifest["controller"] and not (raw["subject"] or raw["subject-file"]):
        raise UsageError(
            "the bundle is about a check controller, and a bundle starts no program: give --subject",
            hint='add --subject "process:./my-controller"',
        )


def _node(manifest: Any) -> str:
    """Return the case's pytest node id, in the module of the scenario. Raises UsageError.

    A scenario that has changed is told.
    """
    record = inventory().get(manifest["scenario"])
    module = module_of(record) if record else None
    named = manifest["node"].partition("::")[0]
    if record is None or module is None or module.relative_to(resources.suites()).as_posix() != named:
        raise UsageError(
            f"the bundle is about {manifest['scenario']} in {shorten(manifest['node'])}, which this suite does not have",
            hint=f"it was made by suite {shorten(manifest['suite'])}",
        )
    if record.revision != manifest["revision"]:
        click.echo(
            f"{record.id} is at revision {record.revision} here, the bundle was made with {manifest['revision']}: it may judge otherwise",
            err=True,
        )
    return f"{module}::{manifest['test']}"


def _print_outcome(manifest: Any, before: str, file: Path, code: int) -> int:
    """Print the outcome of the case now and in the bundle, and return the exit code."""
    from ..report.afterwards.check import load

    if code == 4 or not file.is_file():
        return code
    cases = [
        case
        for scenario in load(str(file))["scenarios"]
        if scenario["id"] == manifest["scenario"]
        for case in scenario["cases"]
    ]
    case = next((candidate for candidate in cases if candidate["test"] == manifest["test"]), None)
    if case is None:
        raise UsageError(
            f"the case {shorten(manifest['test'])!r} was not run: the suite does not have it any more",
            hint=f"it was made by suite {shorten(manifest['suite'])}",
        )
    for line in _verdict(manifest, before, case):
        click.echo(line)
    return code


def _verdict(manifest: Any, before: str, case: Mapping[str, Any]) -> Iterator[str]:
    """Yield what became of the case, and what to do next."""
    scenario, fingerprint = inventory()[manifest["scenario"]], case.get("clause") or case.get("code", "")
    name, then = f"{scenario.id} [{manifest['dialect']}]", f"in the bundle {shorten(before)} broke"
    if case["outcome"] == "passed" and not before:
        ways = "".join(f"; {scenario.id}.{clause}: {way}" for clause, way in case.get("seen", {}).items())
        yield f"{name}: passes, as in the bundle{ways}"
        return
    if case["outcome"] == "passed":
        yield f"{name}: passes now; {then}"
        yield "  next: judge the whole profile, since a repair may break another rule: kueue-conformance run"
        return
    if fingerprint == before:
        yield f"{name}: {fingerprint} breaks again{_meaning(scenario, fingerprint)}"
    else:
        yield f"{name}: {case['outcome']} otherwise: {fingerprint}{_meaning(scenario, fingerprint)}; {then}"
    if case["outcome"] == "error":
        yield "  next: see the error above; nothing was judged, so that the bundle is neither confirmed nor refuted"
    else:
        yield (
            f"  next: kueue-conformance explain {fingerprint or scenario.id}; after a change of the controller,"
            " replay the bundle again"
        )


def _meaning(scenario: Scenario, fingerprint: str) -> str:
    """Return the text of a clause or of a safety rule, empty for anything else."""
    from ..rules import RULES

    texts = {rule.id: rule.text for rule in RULES} | {
        f"{scenario.id}.{key}": text for key, text in scenario.clauses.items()
    }
    return f": {texts[fingerprint]}" if fingerprint in texts else ""
