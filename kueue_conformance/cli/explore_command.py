"""`explore`: looks for faults of a check controller, a job integration or a control plane by drawn
stories.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..base.errors import UsageError
from .durations import seconds_of
from .preflight import preflight
from .shared_options import subject_options

DEFAULT_TIME = "2m"
TRIES = 30
FEW_TRIES = 6
"""Where a run takes most of a minute."""


@click.command(
    short_help="look for faults of a check controller, job integration or control plane that no scenario names"
)
@subject_options
@click.option(
    "--for", "duration", default="", help=f"how long, such as 90s, 10m or 1h [default: {DEFAULT_TIME}]"
)
@click.option(
    "--runs", type=click.IntRange(min=1), default=None, help="how many runs of stories, in place of a time"
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="of the first story")
@click.option(
    "--shrink",
    "tries",
    type=click.IntRange(min=0),
    default=None,
    help=f"how many shorter stories are tried for a finding [default: {TRIES}; {FEW_TRIES} beside a real Kueue]",
)
@click.option(
    "-n",
    "workers",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="how many processes explore, each with seeds of its own",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("explored"),
    show_default=True,
    help="the folder for findings",
)
@click.option(
    "--replay",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="run a finding again, three times, in its dialect where no other one is named",
)
@click.option(
    "--known",
    multiple=True,
    metavar="RULE",
    help="a safety rule, such as CC-035, whose breach is known: what it hides is looked for; may be repeated",
)
@click.option(
    "--against",
    default="",
    help="another control plane that runs each story too, such as reference@v0.18 or upstream:COMMAND",
)
def explore(
    duration: str,
    runs: int | None,
    seed: int,
    tries: int | None,
    workers: int,
    out: Path,
    file: Path | None,
    known: tuple[str, ...],
    against: str,
    **of_subject: Any,
) -> int:
    """Run drawn stories of queues, jobs, Workloads and verdicts on a check controller, a job integration or a
    control plane, and interrupt it in them.

    Each story is run once as it is; then the program is killed between two of its writes, or its writes,
    answers and watches are disturbed where it used them. After each step a model of the documents says what
    may stand there; the safety rules are judged too. With --against, two control planes run the same stories,
    and what users see is compared. What breaks is made shorter, repeated, and written into the folder of
    findings.

    Exit code: 0 nothing found, 1 findings, 2 interrupted, 3 the cluster or the machine is in the way, 4
    usage, 7 the controller cannot be started.
    """
    words = {key.replace("_", "-"): value for key, value in of_subject.items() if value not in (None, False)}
    # Imported on use: other commands need nothing of it.
    from ..control_planes import is_upstream
    from .exploration_run import ExploreOptions, Limit, identity_words

    if file is not None:
        words = {**identity_words(file), **words}

    limit = Limit(seconds_of(duration or ("0" if runs else DEFAULT_TIME)), runs)
    if tries is None:
        is_beside_real = is_upstream(against) or is_upstream(str(words.get("control-plane", "")))
        tries = FEW_TRIES if is_beside_real else TRIES
    options = ExploreOptions(limit=limit, out=out, tries=tries, workers=workers, file=file)
    if _names_plane(words):
        from .explore_control_plane import explore_control_plane

        if known:
            raise UsageError("--known is for check controllers and job integrations", hint="leave it out")
        return explore_control_plane(
            preflight({"profile": "ADMISSION", "seed": seed, **words}), against, options
        )
    if against:
        raise UsageError(
            "--against compares control planes, and none is explored",
            hint="add --control-plane reference, and leave the subject out",
        )
    from .explore_subject import explore_subject
    from .subject_roles import CHECK_CONTROLLER, JOB_INTEGRATION

    if _names_integration(words):
        settings = preflight({"profile": "JOB-INTEGRATION", "seed": seed, **words})
        return explore_subject(JOB_INTEGRATION, settings, options, known)
    settings = preflight({"profile": "CHECK-CONTROLLER", "seed": seed, **words})
    return explore_subject(CHECK_CONTROLLER, settings, options, known)


def _names_integration(words: dict[str, Any]) -> bool:
    """Tell whether a job integration is explored: its subject file says how a job is written, or its
    profile is named.
    """
    if words.get("profile") == "JOB-INTEGRATION":
        return True
    if "subject-file" not in words:
        return False
    # Raises UsageError for a file that is wrong, with all that is wrong in it.
    from ..scenarios.capability import JOB_INTEGRATION
    from ..subject.declaration import declare

    subject = declare(str(words.get("subject", "")), str(words["subject-file"]), "")
    return subject is not None and subject.role == JOB_INTEGRATION


def _names_plane(words: dict[str, Any]) -> bool:
    """Tell whether a control plane is explored: it is named, and no check controller is."""
    return words.get("control-plane", "scripted") != "scripted" and not words.keys() & _OF_A_CONTROLLER


_OF_A_CONTROLLER = frozenset({"subject", "subject-file", "controller-name"})
