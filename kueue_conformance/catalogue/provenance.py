"""Where and when each scenario was last seen: on which server, beside which Kueue, at which revision of the scenario (harness §10.3).

`fixtures/provenance.yaml` says it, one stamp a line; `kueue-conformance provenance record` writes it from reports.
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

from .. import input_limits
from ..errors import UsageError
from ..resources import fixtures, schema
from ..scenario import Scenario
from ..yaml_files import parsed

Json: TypeAlias = Any
API_VERSION, KIND = "kueue-conformance.dev/v1", "Provenance"
FAKE = "fake"
STALE_DAYS = 90
"""After so many days nobody relies on what was seen."""
_HEAD = f"""\
# Where each scenario was last seen, and how it ended. Written by `kueue-conformance provenance record REPORT…`; not by hand.
apiVersion: {API_VERSION}
kind: {KIND}
scenarios:
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """How a scenario ended at a place: `version` is that of the server, `beside` who played Kueue."""

    date: str
    revision: int
    outcome: str
    dialects: str = ""
    beside: str = ""
    version: str = ""

    def __str__(self) -> str:
        said = f"{self.outcome} {self.date}, revision {self.revision}"
        more = [self.dialects, self.version, f"beside {self.beside}" if self.beside else ""]
        return ", ".join(filter(None, [said, *more]))

    @property
    def line(self) -> str:
        """Its form in the file."""
        return f"{{{', '.join(f'{key}: {json.dumps(value)}' for key, value in self.to_dict().items())}}}"

    def to_dict(self) -> dict[str, Any]:
        """Return the fields that say something."""
        return {key: value for key, value in asdict(self).items() if value}


Places: TypeAlias = Mapping[str, Stamp]
Provenance: TypeAlias = Mapping[str, Places]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stale:
    """A stamp that says nothing any more, or a place where a scenario was never seen; `stamp` is empty then."""

    scenario: str
    place: str
    why: str
    stamp: str = ""

    def __str__(self) -> str:
        return f"{self.scenario}  {self.place}: {self.why}{f' ({self.stamp})' if self.stamp else ''}"


def file() -> Path:
    """Return the file that is shipped."""
    return fixtures() / "provenance.yaml"


@cache
def shipped() -> Provenance:
    """Return what the shipped file says, which tests hold to its schema; nothing where there is none."""
    return _stamps(_said(file().read_text("utf-8"))) if file().exists() else {}


def read(path: Path) -> Provenance:
    """Return what a file says; nothing where there is none. Raises UsageError when it is no such file."""
    from jsonschema import Draft202012Validator

    if not path.exists():
        return {}
    said = parsed(
        path, f"provenance {str(path)!r}", _said, wrong="take the file as `provenance record` wrote it"
    )
    wrong = next(Draft202012Validator(schema("provenance")).iter_errors(said), None)
    if wrong is not None:
        where = "/".join(map(str, wrong.absolute_path))
        raise UsageError(
            f"provenance {str(path)!r} is wrong at {where or 'its top'}: {input_limits.shown(wrong.message)}",
            hint="see `kueue-conformance provenance record --schema`",
        )
    return _stamps(said)


def _said(text: str) -> Json:
    found = yaml.load(text, Loader=input_limits.LOADER)  # noqa: S506 - a safe one
    input_limits.check_depth(found)
    return found


def _stamps(said: Json) -> Provenance:
    return {
        name: {place: Stamp(**stamp) for place, stamp in places.items()}
        for name, places in said["scenarios"].items()
    }


def text(known: Provenance) -> str:
    """Return a file's text: sorted, a line a stamp, so that a run changes only the lines of what it saw."""
    lines = [
        line
        for name in sorted(known)
        for line in (
            f"  {name}:",
            *(f"    {place}: {stamp.line}" for place, stamp in sorted(known[name].items())),
        )
    ]
    return _HEAD + ("\n".join(lines) + "\n" if lines else "  {}\n")


def merged(known: Provenance, seen: Provenance) -> Provenance:
    """Return what was known with what was seen; of two stamps of a place the later one stays."""
    return {name: _later(known.get(name, {}), seen.get(name, {})) for name in {**known, **seen}}


def _later(old: Places, new: Places) -> Places:
    return {
        **old,
        **{place: stamp for place, stamp in new.items() if place not in old or old[place].date <= stamp.date},
    }


def stale(
    known: Provenance, scenarios: Mapping[str, Scenario], today: date, days: int = STALE_DAYS
) -> Sequence[Stale]:
    """Return the stamps of scenarios that have changed since, are gone, failed, or were seen too long ago, and what nobody ever saw."""
    oldest = (today - timedelta(days=days)).isoformat()
    found = [
        Stale(scenario=name, place=place, why=why, stamp=str(stamp))
        for name, places in known.items()
        for place, stamp in places.items()
        if (why := _why(stamp, scenarios.get(name), oldest, days))
    ]
    never = [
        Stale(scenario=one.id, place=FAKE, why="never seen")
        for one in scenarios.values()
        if not one.unsupported and FAKE not in known.get(one.id, {})
    ]
    return sorted([*found, *never], key=lambda one: (one.scenario, one.place))


def never(known: Provenance, scenarios: Mapping[str, Scenario], place: str) -> Sequence[str]:
    """Return the scenarios that were never seen at a place."""
    return [name for name in scenarios if place not in known.get(name, {})]


def _why(stamp: Stamp, scenario: Scenario | None, oldest: str, days: int) -> str:
    if scenario is None:
        return "there is no such scenario any more"
    if stamp.revision != scenario.revision:
        return f"the scenario is at revision {scenario.revision} now"
    if stamp.date < oldest:
        return f"seen more than {days} days ago"
    return "" if stamp.outcome == "passed" else f"it {stamp.outcome}"
