"""The pages of a known defect: what happens, its story, and the draft of a report to Kueue's maintainers."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from ...catalogue.inventory import inventory
from ...catalogue.provenance import shipped_stamps
from ...control_planes.reference.known_defects import KnownDefect
from ...history.story_lines import summary
from ..evidence import read
from ..story.bundle import pack
from ..story.kubectl_script import is_by_the_cluster, kubectl_script, last_states
from ..story.object_roles import short_names
from .defect_sightings import DefectSightings

_ISSUES = "https://github.com/kubernetes-sigs/kueue/issues"
_PAGE = """\
# {defect.id}: {defect.finding}

| | |
|---|---|
| state | {state} |
| reported | {reported} |
| scenario | {defect.scenario}: {title} |
| seen with it | {seen} |
| seen without it | {corrected} |
| rows | {rows} |
| reproduced | on the reference, dialect {dialect}: `kueue-conformance run --profile {profile} {defect.scenario} --dialect {dialect}` |
| a real Kueue | {stamp} |
| bundle | `kueue-conformance replay {defect.id}.zip` |

## What is expected

{defect.expected}

## The story

```text
{story}
```

## Script

`{defect.id}.sh`, for a cluster in which nothing else uses Kueue; a stand-in for a check controller and for a job integration is part of it.

```sh
{script}```

## What is there at the end

```yaml
{states}```
"""
_REPORT = """\
{title}

**What happened**:

{finding}.

At the end of the commands below:

```yaml
{states}```

**What you expected to happen**:

{defect.expected}

**How to reproduce it (as minimally and precisely as possible)**:

```sh
{script}```

**Anything else we need to know?**:

{known}

**Environment**:
- Kueue version: {dialect}
- Kubernetes version (use `kubectl version`): {kubernetes}
"""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """The case that showed a defect: its test, dialect and the file of its story."""

    defect: KnownDefect
    test: str
    dialect: str
    evidence: Path

    def files(self) -> dict[str, str | bytes]:
        """Return the files of the defect by their names: page, draft of a report, script and bundle."""
        changes = read(self.evidence).changes
        script = kubectl_script(changes)
        scenario, name = inventory()[self.defect.scenario], self.defect.id
        acts = [change for change in changes if not is_by_the_cluster(change) or change.kind == "Workload"]
        begin = acts[0].at if acts else 0.0
        words = {
            "defect": self.defect,
            "dialect": self.dialect,
            "title": scenario.title,
            "state": state_of(self.defect),
            "reported": ", ".join(f"[#{number}]({_ISSUES}/{number})" for number in self.defect.report)
            or "no",
            "seen": _ways(self.defect.seen),
            "corrected": _ways(self.defect.corrected),
            "rows": ", ".join(scenario.shows),
            "profile": scenario.profile.name,
            "stamp": _stamp(scenario.id),
            "story": "\n".join(
                short_names(f"{change.at - begin:7.1f} s  {change.actor:<18} {summary(change)}")
                for change in acts
            ),
            "script": script,
            "states": "---\n".join(
                yaml.safe_dump(state, sort_keys=False, width=110) for state in last_states(changes)
            ),
        }
        draft = words | {
            "title": self.defect.finding,
            "finding": self.defect.finding[0].upper() + self.defect.finding[1:],
            "known": _known(self.defect),
            "kubernetes": _kubernetes(scenario.id),
        }
        return {
            f"{name}.md": _PAGE.format(**words),
            f"{name}-report.md": _REPORT.format(**draft),
            f"{name}.sh": script,
            f"{name}.zip": pack(f"{name}.zip", self.evidence, "passed"),
        }


def index(
    defects: Sequence[KnownDefect],
    reproductions: Collection[str],
    dialect: str,
    sightings: DefectSightings | None = None,
) -> str:
    """Return the page that lists the defects of a dialect, the open ones first; those that were reproduced
    have a page of their own. Where a real Kueue was played, a column says what it showed.
    """
    columns = ["defect", "what happens", "fixed in", "reported", "shown by"]
    rows = [_row(defect, has_page=defect.id in reproductions) for defect in defects]
    if sightings is not None:
        columns.append(f"seen on {sightings.kueue}")
        rows = [[*row, sightings.of(defect)] for row, defect in zip(rows, defects, strict=True)]
    lines = [columns, ["---"] * len(columns), *rows]
    table = (f"| {' | '.join(cells)} |" for cells in lines)
    return "\n".join([f"# Known defects of Kueue in dialect {dialect}\n", *table, ""])


def state_of(defect: KnownDefect) -> str:
    """Return the releases that mend a defect, or `open`."""
    return (
        f"fixed in {', '.join(f'v{version}' for version in defect.fixed_in)}" if defect.fixed_in else "open"
    )


def _row(defect: KnownDefect, *, has_page: bool) -> list[str]:
    fixes = ", ".join(f"v{version}" for version in defect.fixed_in) or "open"
    reports = ", ".join(f"#{number}" for number in defect.report) or "no"
    name = f"[{defect.id}]({defect.id}.md)" if has_page else defect.id
    return [name, defect.finding, fixes, reports, defect.scenario or defect.look]


def _ways(ways: Mapping[str, str]) -> str:
    return "; ".join(f"{clause}: {way}" for clause, way in ways.items())


def _stamp(scenario: str) -> str:
    return "; ".join(_seen(scenario)) or "not judged by this scenario so far"


def _seen(scenario: str) -> Iterator[str]:
    for where, stamp in sorted(shipped_stamps().get(scenario, {}).items()):
        if stamp.beside == "upstream":
            yield f"{where}: {stamp}"


def _kubernetes(scenario: str) -> str:
    versions = {stamp.version for stamp in shipped_stamps().get(scenario, {}).values() if stamp.version}
    return ", ".join(sorted(versions)) or "any"


def _known(defect: KnownDefect) -> str:
    numbers = ", ".join(f"#{number}" for number in defect.report)
    if defect.fixed_in:
        return f"Mended in {', '.join(f'v{version}' for version in defect.fixed_in)} ({numbers})."
    return f"Related: {numbers}." if numbers else "No issue or pull request about it was found."
