"""`run`: builds a pytest command line, shows it and runs it in a process of its own (PY-34)."""

from __future__ import annotations

import os
import random
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import click

from .. import backends, control_planes, options, resources
from ..capability import PROFILES
from ..errors import UsageError
from ..patterns import folders

PROGRESS = "kueue_conformance.progress"
CONFIG = resources.PACKAGE / "data" / "pytest.ini"


@click.command(short_help="judge a control plane or a check controller")
@click.argument("what", nargs=-1)
@click.option(
    "-n", "--workers", default="auto", show_default=True, help="worker processes; 0 runs in one process"
)
@click.option("-x", "--fail-fast", is_flag=True, help="stop at the first failure")
@click.option("--allure", is_flag=True, help="write Allure results below the report folder as well")
@click.option("--pytest-arg", "extra", multiple=True, help="hand one more argument to pytest")
def run(
    what: tuple[str, ...], workers: str, fail_fast: bool, allure: bool, extra: tuple[str, ...], **given: Any
) -> int:
    """Run scenarios: WHAT are ids (ADM-204), globs (ADM-2*), rows (SC-204) or requirements; nothing means whole profiles.

    Exit code: 0 all as it should be, 1 nonconformance, 2 interrupted, 3 undetermined, 4 usage, 5 nothing ran, 7 subject dead.
    """
    words = {key.replace("_", "-"): value for key, value in given.items() if value not in (None, False)}
    if what:
        words["select"] = ",".join(filter(None, [words.get("select"), *what]))
    settings = options.read(
        {key: "1" if value is True else str(value) for key, value in words.items()},
        seed=random.SystemRandom().randrange(10**6),
    )
    words["seed"] = settings.seed
    folder = _check(settings)
    if settings.subject is not None and (settings.backend != "fake" or settings.subject.connector().alone):
        workers = "0"  # There is one subject, and it cannot tell one worker from another.
    command = [
        sys.executable, "-m", "pytest", "-c", str(CONFIG), "--rootdir", str(resources.suites()),
        *(str(folder) for folder in folders(settings)), "-n", workers, "-p", PROGRESS, "-o", "console_output_style=classic",
        *(["-x"] if fail_fast else []),
        *_arguments(words), *([f"--alluredir={folder / 'allure-results'}"] if allure else []), *extra,
    ]  # fmt: skip
    click.echo(f"+ {shlex.join(['pytest', *command[3:]])}")
    return _attended(command)


def _attended(command: list[str]) -> int:
    """Run a command and return its code; SIGTERM and SIGINT are told to it, so that it writes what it found so far."""
    # Shells start what runs in the background deaf to SIGINT, and pytest would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(command, cwd=Path.cwd(), env=dict(os.environ)) as process:
        old = signal.signal(signal.SIGTERM, lambda *_: process.send_signal(signal.SIGINT))
        try:
            return _waited(process)
        finally:
            signal.signal(signal.SIGTERM, old)


def _waited(process: subprocess.Popen[bytes]) -> int:
    told = False
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            # A terminal tells the whole group; who was told alone passes it on, once.
            if not told and not os.isatty(sys.stdin.fileno()):
                process.send_signal(signal.SIGINT)
            told = True


def _arguments(words: dict[str, Any]) -> list[str]:
    words = {"report-dir": "conformance-report", **words}
    return [f"--kueue-{key}" if value is True else f"--kueue-{key}={value}" for key, value in words.items()]


def _check(settings: options.Settings) -> Path:
    """Return the report folder after finding what would only be found in the middle: unknown ids, a folder not writable."""
    from ..patterns import known_or_raise

    known_or_raise(settings.select)
    control_planes.choose(settings.control_plane, settings.backend)
    backends.look(settings.backend, allow_imitation=settings.allow_fake_assets)
    folder = settings.report_dir or Path("conformance-report").absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".writable"
        probe.touch()
        probe.unlink()
    except OSError as problem:
        raise UsageError(
            f"reports cannot be written to {str(folder)!r}: {problem.strerror}",
            hint="name another folder with --report-dir",
        ) from problem
    missing = [
        name for name in settings.profiles if not (resources.suites() / PROFILES[name].folder).is_dir()
    ]
    if missing:
        raise UsageError(
            f"profile {missing[0]} has no scenarios yet",
            hint="see `kueue-conformance list` for those that have",
        )
    return folder


for _option in reversed(options.OPTIONS):
    _default = f" [default: {_option.default}]" if _option.default else ""
    run = click.option(
        f"--{_option.key}", is_flag=_option.switch, default=None, help=_option.help + _default
    )(run)
