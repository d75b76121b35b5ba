"""Where and when each scenario last ran: on which server, beside which Kueue, at which revision of the
scenario (harness §10.3).

`fixtures/provenance.yaml` has one stamp a line; `kueue-conformance provenance record` writes it from reports.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from ..base.errors import UsageError
from ..base.files import input_limits
from ..base.files.yaml_files import parse_file
from ..base.json_types import Json
from ..base.resources import fixtures, schema
from ..scenarios.scenario import Scenario

API_VERSION, KIND = "kueue-conformance.dev/v1", "Provenance"
FAKE = "fake"
STALE_DAYS = 90
"""Days after which a stamp is stale."""
_HEAD = f"""\
# Where each scenario was last seen, and how it ended. Written by `kueue-conformance provenance record REPORT…`; not by hand.
apiVersion: {API_VERSION}
kind: {KIND}
scenarios:
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """The outcome of a scenario at a place: `version` is the server's, `beside` the control plane."""

    date: str
    revision: int
    outcome: str
    dialects: str = ""
    beside: str = ""
    version: str = ""

    def __str__(self) -> str:
        summary = f"{self.outcome} {self.date}, revision {self.revision}"
        details = [self.dialects, self.version, f"beside {self.beside}" if self.beside else ""]
        return ", ".join(filter(None, [summary, *details]))

    @property
    def line(self) -> str:
        """Its form in the file."""
        return f"{{{', '.join(f'{key}: {json.dumps(value)}' for key, value in self.to_dict().items())}}}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that are not empty."""
        return {key: value for key, value in asdict(self).items() if value}


Places: TypeAlias = Mapping[str, Stamp]
Provenance: TypeAlias = Mapping[str, Places]


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleStamp:
    """A stale stamp, or a place where a scenario never ran; `stamp` is empty then."""

    scenario: str
    server: str
    why: str
    stamp: str = ""

    def __str__(self) -> str:
        return f"{self.scenario}  {self.server}: {self.why}{f' ({self.stamp})' if self.stamp else ''}"


def file() -> Path:
    """Return the file that is shipped."""
    return fixtures() / "provenance.yaml"


@cache
def shipped_stamps() -> Provenance:
    """Return the stamps of the shipped file,
    which tests check against its schema; none where there is no file.
    """
    return _stamps(_parse(file().read_text("utf-8"))) if file().exists() else {}


def read(path: Path) -> Provenance:
    """Return the stamps of a file, none where it is missing. Raises UsageError for a file of another form."""
    from jsonschema import Draft202012Validator

    if not path.exists():
        return {}
    document = parse_file(
        path, f"provenance {str(path)!r}", _parse, wrong="take the file as `provenance record` wrote it"
    )
    wrong = next(Draft202012Validator(schema("provenance")).iter_errors(document), None)
    if wrong is not None:
        where = "/".join(map(str, wrong.absolute_path))
        raise UsageError(
            f"provenance {str(path)!r} is wrong at {where or 'its top'}: {input_limits.shorten(wrong.message)}",
            hint="see `kueue-conformance provenance record --schema`",
        )
    return _stamps(document)


def _parse(text: str) -> Json:
    document = yaml.load(text, Loader=input_limits.LOADER)  # noqa: S506 - a safe one
    input_limits.check_depth(document)
    return document


def _stamps(document: Json) -> Provenance:
    return {
        name: {where: Stamp(**stamp) for where, stamp in places.items()}
        for name, places in document["scenarios"].items()
    }


def text(stamps: Provenance) -> str:
    """Return the text of a file: sorted, one stamp a line,
    so that a run changes only the lines of its scenarios.
    """
    lines = [
        line
        for name in sorted(stamps)
        for line in (
            f"  {name}:",
            *(f"    {where}: {stamp.line}" for where, stamp in sorted(stamps[name].items())),
        )
    ]
    return _HEAD + ("\n".join(lines) + "\n" if lines else "  {}\n")


def merge(old: Provenance, new: Provenance) -> Provenance:
    """Merge known and new stamps; of two stamps for one place the later one is kept."""
    return {name: _later(old.get(name, {}), new.get(name, {})) for name in {**old, **new}}


def _later(old: Places, new: Places) -> Places:
    return {
        **old,
        **{where: stamp for where, stamp in new.items() if where not in old or old[where].date <= stamp.date},
    }


def stale(
    stamps: Provenance, scenarios: Mapping[str, Scenario], today: date, days: int = STALE_DAYS
) -> Sequence[StaleStamp]:
    """Return stamps of scenarios that have changed, are gone,
    failed, or ran too long ago, and scenarios that never ran.
    """
    oldest = (today - timedelta(days=days)).isoformat()
    outdated = [
        StaleStamp(scenario=name, server=where, why=why, stamp=str(stamp))
        for name, places in stamps.items()
        for where, stamp in places.items()
        if (why := _why(stamp, scenarios.get(name), oldest, days))
    ]
    never = [
        StaleStamp(scenario=scenario.id, server=FAKE, why="never seen")
        for scenario in scenarios.values()
        if not scenario.unsupported and FAKE not in stamps.get(scenario.id, {})
    ]
    return sorted([*outdated, *never], key=lambda stale_stamp: (stale_stamp.scenario, stale_stamp.server))


def never(stamps: Provenance, scenarios: Mapping[str, Scenario], server: str) -> Sequence[str]:
    """Return the scenarios that never ran at a place."""
    return [name for name in scenarios if server not in stamps.get(name, {})]


def _why(stamp: Stamp, scenario: Scenario | None, oldest: str, days: int) -> str:
    if scenario is None:
        return "there is no such scenario any more"
    if stamp.revision != scenario.revision:
        return f"the scenario is at revision {scenario.revision} now"
    if stamp.date < oldest:
        return f"seen more than {days} days ago"
    return "" if stamp.outcome == "passed" else f"it {stamp.outcome}"
