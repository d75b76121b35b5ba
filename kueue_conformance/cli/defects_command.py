"""`defects`: lists the known defects of a release, and writes each as a page with its reproduction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from ..base.errors import UsageError, unknown
from ..base.files.saving import make_folder, save
from ..base.resources import load_yaml
from ..catalogue.inventory import inventory
from ..catalogue.patterns import paths_to_collect
from ..scenarios import dialect as dialects
from .completions import WORDS, one_of
from .preflight import preflight
from .pytest_process import OUR_DISPLAY, PROGRESS, pytest_command, run_pytest

if TYPE_CHECKING:
    from ..control_planes.reference.known_defects import KnownDefect
    from ..report.afterwards.defect_page import Reproduction
    from ..report.afterwards.defect_sightings import DefectSightings

INDEX, RUN, UPSTREAM_RUN = "README.md", "run", "run-upstream"
"""In the folder of --out: the page that lists them, and the reports of the runs that played them, on the
reference and on a real Kueue.
"""


@click.command(short_help="list the known defects of a release")
@click.argument("names", metavar="[DEFECT]...", nargs=-1)
@click.option(
    "--dialect",
    default="",
    shell_complete=one_of(WORDS["dialect"]),
    help="whose defects; default: those of the default dialect",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="play the story of each defect on the reference, and write its page, script, bundle and the draft of a report into this folder",
)
@click.option("-n", "--workers", default="auto", show_default=True, help="worker processes of --out")
@click.option(
    "--control-plane",
    default="",
    help="with --out: a real Kueue, such as upstream:./kueue, on which the stories are played as well; the page says which defects it showed",
)
@click.option("--backend", default="envtest", show_default=True, help="the API server of the real Kueue")
def defects(
    names: tuple[str, ...], dialect: str, out: Path | None, workers: str, control_plane: str, backend: str
) -> int:
    """List the known defects of a release, the open ones first.

    A DEFECT is an id such as BUG-157; nothing means all of the release.

    Exit code: 0 listed or written, 1 the reference does not show one of them, 2 interrupted, 4 usage.
    """
    name = _dialect(dialect)
    chosen = _chosen(names, name)
    if control_plane:
        _check_upstream(control_plane, out)
    if out is None:
        for line in _lines(chosen, name):
            click.echo(line)
        return 0
    make_folder(out)
    code = _play(chosen, name, out / RUN, workers)
    upstream = {"control-plane": control_plane, "backend": backend}
    sightings = _sightings(chosen, name, out / UPSTREAM_RUN, workers, upstream) if control_plane else None
    reproductions = {row.defect.id: row for row in _reproductions(chosen, name, out / RUN)}
    _write(chosen, reproductions, out, name, sightings)
    missing = [defect.id for defect in chosen if defect.scenario and defect.id not in reproductions]
    click.echo(f"{len(reproductions)} of {len(chosen)} defect(s) of {name} reproduced: {out / INDEX}")
    if sightings is not None:
        amount = sum(map(sightings.shows, chosen))
        click.echo(f"{amount} of them seen on {sightings.kueue}")
    if missing:
        click.echo(f"not shown by the reference: {', '.join(missing)}", err=True)
    # Exit code 1 of the run is about rules that bind; here what counts is whether each defect was seen.
    return code if code not in (0, 1) else int(bool(missing))


def _dialect(text: str) -> str:
    """Return the name of a dialect of Kueue.

    Raises UsageError for an unknown one, a list, and an autoscaler's.
    """
    chosen = dialects.select(text or dialects.default())
    if len(chosen) != 1 or chosen[0].family != "Kueue":
        raise UsageError(
            f"--dialect {text!r} is not one dialect of Kueue",
            hint=f"name one of {', '.join(dialects.known_dialects())}, or a release such as 0.19.14",
        )
    return chosen[0].name


def _chosen(names: Sequence[str], dialect: str) -> list[KnownDefect]:
    """Return the named defects. Raises UsageError for an id that the dialect does not have."""
    from ..control_planes.reference.known_defects import known_defects

    rows = {defect.id: defect for defect in known_defects(dialect)}
    for name in names:
        if name.upper() in rows:
            continue
        if name.upper() in load_yaml("defects.yaml"):
            raise UsageError(
                f"{dialect} does not have the defect {name.upper()}",
                hint=f"`kueue-conformance defects --dialect {dialect}` lists what it has; v0.19.2 has most",
            )
        raise unknown(f"defect of {dialect}", name, rows)
    return [rows[name.upper()] for name in names] or list(rows.values())


def _lines(defects_: Sequence[KnownDefect], dialect: str) -> Iterator[str]:
    from ..report.afterwards.defect_page import state_of

    for defect in defects_:
        reports = f" ({', '.join(f'#{number}' for number in defect.report)})" if defect.report else ""
        yield f"{defect.id}  {defect.finding}"
        yield f"  state     {state_of(defect)}{reports}"
        yield f"  expected  {defect.expected}"
        if defect.scenario:
            yield f"  shown by  {defect.scenario}: {inventory()[defect.scenario].title}"
        else:
            yield f"  look at   {defect.look}"
    amount = sum(not defect.fixed_in for defect in defects_)
    yield f"{len(defects_)} defect(s) of {dialect}, {amount} of them open in every release"


def _check_upstream(control_plane: str, out: Path | None) -> None:
    """Check that the control plane is a real Kueue, and that there is a page to write. Raises UsageError."""
    if control_plane.partition(":")[0] != "upstream":
        raise UsageError(
            f"--control-plane {control_plane!r} is no real Kueue, and the reference is played in any case",
            hint="name a build of Kueue, such as --control-plane upstream:./kueue",
        )
    if out is None:
        raise UsageError(
            f"--control-plane {control_plane} is for the pages of --out, and no folder is named",
            hint="add --out FOLDER",
        )


def _sightings(
    defects_: Sequence[KnownDefect], dialect: str, folder: Path, workers: str, upstream: Mapping[str, str]
) -> DefectSightings:
    """Run the scenarios of the defects on a real Kueue, and return what it showed. Raises UsageError where
    there is no report of it.
    """
    from ..report.afterwards.check import load
    from ..report.afterwards.defect_sightings import DefectSightings

    _play(defects_, dialect, folder, workers, upstream)
    return DefectSightings.of_report(load(str(folder / "report.yaml")))


def _play(
    defects_: Sequence[KnownDefect],
    dialect: str,
    folder: Path,
    workers: str,
    cluster: Mapping[str, str] = MappingProxyType({}),
) -> int:
    """Run the scenarios of the defects, on the reference unless a cluster is named; keep every story."""
    scenarios = sorted({defect.scenario for defect in defects_ if defect.scenario})
    words = {
        "profile": ",".join(sorted({inventory()[scenario].profile.name for scenario in scenarios})),
        "select": ",".join(scenarios),
        "dialect": dialect,
        "evidence": "all",
        "report-dir": str(folder),
        **cluster,
    }
    settings = preflight(words, reports=True, workers=workers)
    words["seed"] = str(settings.seed)
    command = [
        *pytest_command(paths_to_collect(settings), words),
        "-n",
        workers,
        "-p",
        PROGRESS,
        *OUR_DISPLAY,
    ]
    return run_pytest(command)


def _reproductions(defects_: Sequence[KnownDefect], dialect: str, folder: Path) -> Iterator[Reproduction]:
    from ..report.afterwards.check import load
    from ..report.afterwards.defect_page import Reproduction

    report = load(str(folder / "report.yaml"))
    cases = {scenario["id"]: scenario["cases"] for scenario in report["scenarios"]}
    for defect in defects_:
        shown = (case for case in cases.get(defect.scenario, ()) if defect.is_seen_in(case))
        case = next(shown, None)
        if case is not None:
            yield Reproduction(defect, case["test"], dialect, folder / case["evidence"][0])


def _write(
    defects_: Sequence[KnownDefect],
    reproductions: Mapping[str, Reproduction],
    out: Path,
    dialect: str,
    sightings: DefectSightings | None,
) -> None:
    from ..report.afterwards.defect_page import index

    for reproduction in reproductions.values():
        for name, content in reproduction.files().items():
            save(out / name, content)
    save(out / INDEX, index(defects_, reproductions, dialect, sightings))
